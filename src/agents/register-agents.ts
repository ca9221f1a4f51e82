/** Recurring job that advances agents that are not yet registered or whose wallet is not yet linked. */
import type { Agent } from "../../generated/prisma/client.ts";
import { isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";
import { advanceAgent, DailyRegistrationLimitError, describeFailure, RegistryRejectedError } from "./register-agent.ts";
import type { ClaimedAgent } from "./treasury-transaction.ts";

const BATCH_SIZE = 20;
const MIN_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 60;
/** The limit covers the last 24 hours, so registrations become available one by one. */
const DAILY_LIMIT_PAUSE_SECONDS = 900;
/** Time for the operator to resolve the cause. */
const REJECTED_PAUSE_SECONDS = 6 * 3_600;

// Agents of frozen accounts wait. `check_attempts` identifies a claim, so a node whose claim expired can detect it. It is returned here, because a later read may
// find the value of another node's claim. After a crash, the lease ends after 60 s.
const CLAIM_DUE: Statement = {
  name: "take-due-agents",
  text: `UPDATE agents SET check_attempts = check_attempts + 1, next_check_at = now() + interval '60 seconds'
    WHERE id IN (
      SELECT g.id FROM agents g JOIN accounts a ON a.id = g.account_id WHERE g.next_check_at <= now() AND ${isOpen("a")}
      ORDER BY g.next_check_at LIMIT ${BATCH_SIZE} FOR UPDATE OF g SKIP LOCKED)
    RETURNING id, check_attempts AS "checkAttempts"`,
};

const SCHEDULE_NEXT: Statement = {
  name: "look-at-agent-again",
  text: `UPDATE agents SET next_check_at = now() + make_interval(secs => $3)
    WHERE id = $1 AND check_attempts = $2 AND next_check_at IS NOT NULL`,
};

/** Advances every due agent by one step. Retries of a failed step are delayed exponentially, up to {@link MAX_PAUSE_SECONDS}. */
export async function registerAgents(deps: AgentDeps): Promise<void> {
  for (;;) {
    const claimed = await deps.db.query<{ id: string; checkAttempts: number }>(CLAIM_DUE, []);
    const claims = new Map(claimed.map(({ id, checkAttempts }) => [id, checkAttempts]));
    const rows = await deps.db.prisma.agent.findMany({ where: { id: { in: [...claims.keys()] } } });
    const agents: ClaimedAgent[] = rows.map((row) => ({ ...row, checkAttempts: claims.get(row.id) ?? -1 }));
    const unavailableNetworks = new Set<string>();
    for (const agent of agents) {
      const pauseSeconds = unavailableNetworks.has(agent.network)
        ? getPauseSeconds(agent)
        : await advanceOne(deps, agent, () => unavailableNetworks.add(agent.network));
      await deps.db.query(SCHEDULE_NEXT, [agent.id, agent.checkAttempts, pauseSeconds]);
    }
    if (claimed.length < BATCH_SIZE || unavailableNetworks.size > 0) return;
  }
}

/** Advances one agent. Returns the delay until its next check, in seconds. @param onUnavailable called if the network is unavailable, so other agents skip it */
async function advanceOne(deps: AgentDeps, agent: ClaimedAgent, onUnavailable: () => void): Promise<number> {
  try {
    await advanceAgent(deps, agent);
    return getPauseSeconds(agent);
  } catch (error) {
    deps.logger.warn({ err: error, agentRecordId: agent.id }, "Agent registration step failed; retry scheduled");
    if (error instanceof ChainUnavailableError) onUnavailable();
    await recordFailureReason(deps, agent, describeFailure(error));
    if (error instanceof DailyRegistrationLimitError) return DAILY_LIMIT_PAUSE_SECONDS;
    return error instanceof RegistryRejectedError ? REJECTED_PAUSE_SECONDS : getPauseSeconds(agent);
  }
}

function getPauseSeconds({ checkAttempts }: Agent): number {
  return Math.min(MIN_PAUSE_SECONDS * 2 ** Math.min(checkAttempts - 1, 10), MAX_PAUSE_SECONDS);
}

async function recordFailureReason(
  deps: AgentDeps,
  { id, accountId, failureReason }: Agent,
  reason: string,
): Promise<void> {
  if (failureReason === reason) return;
  await deps.db.prisma.agent.updateMany({ where: { id }, data: { failureReason: reason, updatedAt: new Date() } });
  publishAgent(deps.pubsub, accountId, id);
}
