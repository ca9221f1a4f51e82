/** Revokes and reinstates an account's agent. The registration itself remains on chain permanently, its wallet only while active. */
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { publishAgent } from "./agent-events.ts";
import { revokeCredentials } from "./credentials/revoke.ts";
import type { AgentDeps } from "./deps.ts";

const MAX_REASON_LENGTH = 1_000;
const NO_AGENT =
  "The account has no agent. Enable its registration, and create an API token or authorize an application.";

const WITHDRAWN =
  "The registration of the agent is disabled. The agent was not reinstated. Enable it with setAgentRegistration.";

const REINSTATE: Statement = {
  name: "reinstate-agent",
  text: `UPDATE agents SET status = CASE WHEN agent_id IS NULL THEN 'pending' ELSE 'active' END, revoked_at = NULL, revoked_reason = NULL,
      credentials_due_at = now(), next_check_at = now(), check_attempts = check_attempts + 1, updated_at = now()
    WHERE account_id = $1 AND status = 'revoked' RETURNING id`,
};

type RevokeDeps = Pick<AgentDeps, "db" | "pubsub">;

/**
 * Revokes the caller's agent and, in the same transaction, its credentials. Idempotent.
 * @returns the id of the agent's record
 * @throws {NotFoundError} when the account has no agent
 * @throws {ForbiddenError} without the scope `account:manage`
 */
export async function revokeAgent(
  { db, pubsub }: RevokeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string | null },
): Promise<{ agentRecordId: string }> {
  const { accountId } = requireManager(viewer);
  const revokedReason = readReason(input.reason);
  const changed = await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const [agent] = await tx.agent.updateManyAndReturn({
      where: { accountId, status: { not: "revoked" } },
      data: { status: "revoked", revokedAt: now, revokedReason, updatedAt: now },
      select: { id: true, agentId: true },
    });
    // The job removes the wallet from the registry. The number of checks ends the claim of a node that concludes its steps.
    if (agent?.agentId != null)
      await tx.agent.update({ where: { id: agent.id }, data: { nextCheckAt: now, checkAttempts: { increment: 1 } } });
    if (agent) await revokeCredentials(tx, agent.id);
    return agent ?? null;
  });
  return await publishChange({ db, pubsub }, accountId, changed);
}

/**
 * Reinstates a revoked agent in its previous status. A job issues new credentials; the revoked ones remain revoked. Has no
 * effect on an agent that is not revoked.
 * @throws {InvalidRequestError} when the account owner has disabled the registration
 */
export async function reinstateAgent(
  { db, pubsub }: RevokeDeps,
  viewer: Viewer | null,
): Promise<{ agentRecordId: string }> {
  const { accountId } = requireManager(viewer);
  const { wantsAgent } = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  if (wantsAgent === false) throw new InvalidRequestError(WITHDRAWN);
  const [changed] = await db.query<{ id: string }>(REINSTATE, [accountId]);
  return await publishChange({ db, pubsub }, accountId, changed ?? null);
}

async function publishChange(
  { db, pubsub }: RevokeDeps,
  accountId: string,
  changed: { readonly id: string } | null,
): Promise<{ agentRecordId: string }> {
  if (changed) publishAgent(pubsub, accountId, changed.id);
  const agent = changed ?? (await db.prisma.agent.findUnique({ where: { accountId }, select: { id: true } }));
  if (!agent) throw new NotFoundError(NO_AGENT);
  return { agentRecordId: agent.id };
}

function readReason(given: string | null): string | null {
  const reason = given?.trim() ?? "";
  if (reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(
      `reason must be text of at most ${MAX_REASON_LENGTH} characters. The agent was not revoked.`,
      "reason",
    );
  }
  return reason === "" ? null : reason;
}
