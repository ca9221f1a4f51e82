/** Agents' mailboxes: one each, at `agent-<agent id>@<agent mail domain>` (spec section 2.5). */
import type { Agent, Mailbox, MailRule } from "../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import type { Database } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { AgentMailDeps } from "./deps.ts";

/** A mailbox with the agent that holds it. */
export type AgentMailbox = Mailbox & { readonly agent: Pick<Agent, "id" | "agentId" | "status"> };

/** The account has no agent that is registered and not revoked. */
export class NoActiveAgentError extends ServiceError {
  readonly code = "no_active_agent";
  constructor() {
    super(
      "This account has no active agent, so nothing was done. An agent is registered soon after its first API token.",
    );
  }
}

export const MAX_DISPLAY_NAME_LENGTH = 100;
const WITH_AGENT = { agent: { select: { id: true, agentId: true, status: true } } } as const;

/** The account's mailbox, also while its agent is not active; null when it has none. */
export async function findMailbox(db: Database, accountId: string): Promise<AgentMailbox | null> {
  return await db.prisma.mailbox.findUnique({ where: { accountId }, include: WITH_AGENT });
}

/**
 * The mailbox that takes mail for an address, with its rules; null when there is none. Case does not count, and what follows
 * a `+` before the `@` is the sender's own (RFC 5233).
 */
export async function findMailboxByAddress(
  db: Database,
  address: string,
): Promise<(AgentMailbox & { readonly rules: readonly MailRule[] }) | null> {
  const [, local, domain] = /^([^@+]+)(?:\+[^@]*)?@([^@]+)$/.exec(address.toLowerCase()) ?? [];
  if (local === undefined || domain === undefined) return null;
  const include = { ...WITH_AGENT, rules: true };
  return await db.prisma.mailbox.findUnique({ where: { address: `${local}@${domain}` }, include });
}

/** Whether mail comes to it and leaves it. */
export function isActive({ agent }: Pick<AgentMailbox, "agent">): boolean {
  return agent.status === "active";
}

/** Whoever may read and write an account's mail. @throws {UnauthorizedError | ForbiddenError} */
export function requireCorrespondent(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  requireScope(account, "email:read");
  return account;
}

/** @throws {NotFoundError} when the account has none */
export async function requireMailbox(db: Database, accountId: string): Promise<AgentMailbox> {
  const mailbox = await findMailbox(db, accountId);
  if (!mailbox) throw new NotFoundError("This account's agent has no mailbox yet. Open one first.");
  return mailbox;
}

/**
 * Opens the agent's mailbox; of one that is open, changes the display name when one is given.
 * @throws {NoActiveAgentError | InvalidRequestError | ForbiddenError}
 */
export async function createMailbox(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  { displayName }: { readonly displayName: string | null },
): Promise<Mailbox> {
  const { accountId } = requireCorrespondent(viewer);
  const name = displayName === null ? null : readDisplayName(displayName);
  const { agent: agents, mailbox } = deps.db.prisma;
  const agent = await agents.findUnique({ where: { accountId } });
  // The first id is 0.
  if (agent?.status !== "active" || agent.agentId === null) throw new NoActiveAgentError();
  const data = {
    id: newId("mbx"),
    accountId,
    agentId: agent.id,
    address: `agent-${agent.agentId}@${deps.agentMail.domain()}`,
    displayName: name ?? `Agent ${agent.agentId}`,
  };
  // Of several that open it at once, one does.
  const { count } = await mailbox.createMany({ data, skipDuplicates: true });
  if (count === 0 && name !== null) {
    await mailbox.updateMany({
      where: { accountId, displayName: { not: name } },
      data: { displayName: name, updatedAt: new Date() },
    });
  }
  return await mailbox.findUniqueOrThrow({ where: { accountId } });
}

function readDisplayName(displayName: string): string {
  const name = displayName.trim();
  // It stands before the address in a header that people read: no line break, nothing that turns the direction of what
  // follows, and nothing that looks like another address.
  const isMisleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}<>@]|=\?/u.test(name);
  if (name === "" || name.length > MAX_DISPLAY_NAME_LENGTH || isMisleading) {
    const rule = `must be 1 to ${MAX_DISPLAY_NAME_LENGTH} characters without line breaks, <, >, @ and =?.`;
    throw new InvalidRequestError(`displayName ${rule}`, "displayName");
  }
  return name;
}
