/** A person takes back what their agent stands for, or gives it again. The registration itself stays on chain for ever. */
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { publishAgent } from "./agent-events.ts";
import { revokeCredentials } from "./credentials/revoke.ts";
import type { AgentDeps } from "./deps.ts";

const MAX_REASON_LENGTH = 1_000;
const NO_AGENT = "The account has no agent yet. It gets one with its first API token or application.";

const REINSTATE: Statement = {
  name: "reinstate-agent",
  text: `UPDATE agents SET status = CASE WHEN agent_id IS NULL THEN 'pending' ELSE 'active' END, revoked_at = NULL, revoked_reason = NULL,
      credentials_due_at = now(), updated_at = now()
    WHERE account_id = $1 AND status = 'revoked' RETURNING id`,
};

type RevokeDeps = Pick<AgentDeps, "db" | "pubsub">;

/**
 * Revokes the caller's agent and, in the same transaction, its credentials. Revoking twice changes nothing.
 * @returns the id of the agent's record
 * @throws {NotFoundError} when the account has none; {@link ForbiddenError} without the scope `account:manage`.
 */
export async function revokeAgent(
  { db, pubsub }: RevokeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string | null },
): Promise<{ agentRecordId: string }> {
  const { accountId } = requireManager(viewer);
  const revokedReason = readReason(input.reason);
  const moved = await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const [agent] = await tx.agent.updateManyAndReturn({
      where: { accountId, status: { not: "revoked" } },
      data: { status: "revoked", revokedAt: now, revokedReason, updatedAt: now },
      select: { id: true },
    });
    if (agent) await revokeCredentials(tx, agent.id);
    return agent ?? null;
  });
  return await moveTold({ db, pubsub }, accountId, moved);
}

/**
 * Takes the revocation back: the agent is what it was before, and gets new credentials; revoked ones stay revoked. An agent
 * that is not revoked stays as it is.
 */
export async function reinstateAgent(
  { db, pubsub }: RevokeDeps,
  viewer: Viewer | null,
): Promise<{ agentRecordId: string }> {
  const { accountId } = requireManager(viewer);
  const [moved] = await db.query<{ id: string }>(REINSTATE, [accountId]);
  return await moveTold({ db, pubsub }, accountId, moved ?? null);
}

async function moveTold(
  { db, pubsub }: RevokeDeps,
  accountId: string,
  moved: { readonly id: string } | null,
): Promise<{ agentRecordId: string }> {
  if (moved) publishAgent(pubsub, accountId, moved.id);
  const agent = moved ?? (await db.prisma.agent.findUnique({ where: { accountId }, select: { id: true } }));
  if (!agent) throw new NotFoundError(NO_AGENT);
  return { agentRecordId: agent.id };
}

function readReason(given: string | null): string | null {
  const reason = given?.trim() ?? "";
  if (reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of at most ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  return reason === "" ? null : reason;
}
