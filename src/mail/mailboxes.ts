/** Agent mailboxes: one for each agent, at `agent-<agent id>@<agent mail domain>` (spec section 2.5). */
import type { Agent, Mailbox, MailRule } from "../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import type { Database } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { isReturnPath } from "./deliveries/return-path.ts";
import type { AgentMailDeps } from "./deps.ts";

/** A mailbox with its agent. */
export type AgentMailbox = Mailbox & { readonly agent: Pick<Agent, "id" | "agentId" | "status"> };

/** The account has no active agent: it is not registered yet, or it was revoked. */
export class NoActiveAgentError extends ServiceError {
  readonly code = "no_active_agent";
  constructor() {
    super(
      "This account has no active agent. Nothing was changed. Registration starts with the account's first API token, unless the account owner has disabled it; wait until it completes.",
    );
  }
}

export const MAX_DISPLAY_NAME_LENGTH = 100;
const WITH_AGENT = { agent: { select: { id: true, agentId: true, status: true } } } as const;

/** Returns the account's mailbox, even if its agent is not active; null when the account has none. */
export async function findMailbox(db: Database, accountId: string): Promise<AgentMailbox | null> {
  return await db.prisma.mailbox.findUnique({ where: { accountId }, include: WITH_AGENT });
}

/**
 * Returns the mailbox of an address, with its rules; null when there is none. Case-insensitive. Ignores a subaddress, the part
 * from `+` to `@` (RFC 5233).
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

/** Returns the subaddress of a recipient, the part from `+` to `@` (RFC 5233); null if there is none, and for return paths. */
export function readSubaddress(address: string | null): string | null {
  if (address === null || isReturnPath(address)) return null;
  return /^[^@+]+\+([^@]+)@/.exec(address)?.[1] ?? null;
}

/** Returns true if the mailbox can receive and send. */
export function isActive({ agent }: Pick<AgentMailbox, "agent">): boolean {
  return agent.status === "active";
}

/** Returns the viewer if it may read and write an account's mail (`email:read`). @throws {UnauthorizedError | ForbiddenError} */
export function requireMailAccess(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  requireScope(account, "email:read");
  return account;
}

/** Returns the account's mailbox. @throws {NotFoundError} when the account has none */
export async function requireMailbox(db: Database, accountId: string): Promise<AgentMailbox> {
  const mailbox = await findMailbox(db, accountId);
  if (!mailbox) throw new NotFoundError("This account has no mailbox. Create one first.");
  return mailbox;
}

/**
 * Creates the agent's mailbox. If it exists, updates the display name when one is given.
 * @throws {NoActiveAgentError | InvalidRequestError | ForbiddenError}
 */
export async function createMailbox(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  { displayName }: { readonly displayName: string | null },
): Promise<Mailbox> {
  const { accountId } = requireMailAccess(viewer);
  const name = displayName === null ? null : readDisplayName(displayName);
  const { agent: agents, mailbox } = deps.db.prisma;
  const agent = await agents.findUnique({ where: { accountId } });
  // Not a truthiness check: the first agent id is 0.
  if (agent?.status !== "active" || agent.agentId === null) throw new NoActiveAgentError();
  const data = {
    id: newId("mbx"),
    accountId,
    agentId: agent.id,
    address: `agent-${agent.agentId}@${deps.agentMail.domain()}`,
    displayName: name ?? `Agent ${agent.agentId}`,
  };
  // Concurrent calls create one mailbox.
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
  // The name precedes the address in the From field. Line breaks, direction overrides, encoded words and characters of an
  // address could imitate another sender.
  const isMisleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}<>@]|=\?/u.test(name);
  if (name === "" || name.length > MAX_DISPLAY_NAME_LENGTH || isMisleading) {
    const rule = `must be 1 to ${MAX_DISPLAY_NAME_LENGTH} characters without line breaks, <, >, @ and =?.`;
    throw new InvalidRequestError(`displayName ${rule}`, "displayName");
  }
  return name;
}
