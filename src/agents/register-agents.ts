/** Recurring job that advances agents that are not yet registered, or whose entry in the registry is not as it should be. */
import type { Agent } from "../../generated/prisma/client.ts";
import { isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import { ChainUnavailableError, NetworkFeeError } from "../wallet/chain.ts";
import { NETWORKS } from "../wallet/networks.ts";
import { publishAgent } from "./agent-events.ts";
import { DailyLimitError, RegistryRejectedError } from "./check-registry.ts";
import type { AgentDeps } from "./deps.ts";
import { advanceAgent, describeFailure } from "./register-agent.ts";
import type { ClaimedAgent } from "./treasury-transaction.ts";

const BATCH_SIZE = 20;
const MIN_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 60;
/** After a step that did not fail: a transaction is on its way. An agent that has been checked often must not wait longer for it. */
const MAX_PAUSE_BETWEEN_STEPS_SECONDS = 5;
/** The limits cover the last 24 hours, so registrations and links become available one by one. */
const DAILY_LIMIT_PAUSE_SECONDS = 900;
/** Time for the operator to resolve the cause. */
const REJECTED_PAUSE_SECONDS = 6 * 3_600;

/**
 * Agents of frozen accounts wait, except with a signed transaction: it is followed, because its nonce blocks those of other agents.
 * `treasury-transaction.ts` signs no further one. A revoked agent of a frozen or deleted account still loses its wallet.
 */
const MAY_ADVANCE = `((SELECT ${isOpen("a")} FROM accounts a WHERE a.id = agents.account_id)
  OR (agents.status = 'revoked' AND agents.agent_id IS NOT NULL)
  OR EXISTS (SELECT FROM agent_transactions t WHERE t.agent_id = agents.id AND t.status = 'signed'))`;

// `check_attempts` identifies a claim, so a node whose claim expired can detect it. It is returned here, because a later read may
// find the value of another node's claim. After a crash, the lease ends after 60 s.
const claimOf = (
  ids: string,
) => `UPDATE agents SET check_attempts = check_attempts + 1, next_check_at = now() + interval '60 seconds'
    WHERE id IN (${ids})
    RETURNING id, check_attempts AS "checkAttempts"`;

const CLAIM_DUE: Statement = {
  name: "take-due-agents",
  text: claimOf(`
      SELECT due.id FROM unnest($1::text[], $2::int[]) AS served (network, count) CROSS JOIN LATERAL (
        SELECT id FROM agents WHERE network = served.network AND next_check_at <= now() AND ${MAY_ADVANCE}
        ORDER BY next_check_at LIMIT served.count FOR UPDATE SKIP LOCKED) due`),
};

// Signed transactions are few, and an index covers them.
const CLAIM_SIGNED: Statement = {
  name: "take-due-agents-with-transaction",
  text: claimOf(`
      WITH signed AS MATERIALIZED (SELECT DISTINCT agent_id FROM agent_transactions WHERE status = 'signed')
      SELECT id FROM agents WHERE id IN (SELECT agent_id FROM signed) AND network = ANY($1) AND next_check_at <= now()
      LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`),
};

const SCHEDULE_NEXT: Statement = {
  name: "look-at-agent-again",
  text: `UPDATE agents SET next_check_at = now() + make_interval(secs => $3)
    WHERE id = $1 AND check_attempts = $2 AND next_check_at IS NOT NULL`,
};

// A registered agent whose further steps fail has its first credentials at once (`credentials/refresh.ts`).
const FAILED = `failure_reason = $2, updated_at = now(),
      credentials_due_at = CASE WHEN status = 'active' THEN now() ELSE credentials_due_at END`;

const SET_REASON: Statement = {
  name: "set-failure-reason",
  text: `UPDATE agents SET ${FAILED} WHERE id = $1 AND failure_reason IS DISTINCT FROM $2 RETURNING id`,
};

const SET_REASON_OF_NETWORK: Statement = {
  name: "set-failure-reason-of-network",
  text: `UPDATE agents SET ${FAILED}
    WHERE network = $1 AND next_check_at IS NOT NULL AND failure_reason IS DISTINCT FROM $2
      AND ($3 OR NOT EXISTS (SELECT FROM agent_transactions t WHERE t.agent_id = agents.id AND t.status = 'signed'))
    RETURNING id, account_id AS "accountId"`,
};

/** Advances every due agent by one step. Retries of a failed step are delayed exponentially, up to {@link MAX_PAUSE_SECONDS}. */
export async function registerAgents(deps: AgentDeps): Promise<void> {
  for (;;) {
    const { claimed, signedIds, isComplete } = await claimDue(deps);
    const claims = new Map(claimed.map(({ id, checkAttempts }) => [id, checkAttempts]));
    const rows = await deps.db.prisma.agent.findMany({
      where: { id: { in: [...claims.keys()] } },
      orderBy: { id: "asc" },
    });
    const agents: ClaimedAgent[] = rows.map((row) => ({ ...row, checkAttempts: claims.get(row.id) ?? -1 }));
    for (const agent of agents) {
      const isPaused =
        deps.agents.unavailable.state(agent.network) === "paused" ||
        (deps.agents.unfunded.state(agent.network) === "paused" && !signedIds.has(agent.id));
      const pauseSeconds = isPaused ? getPauseSeconds(agent) : await advanceOne(deps, agent);
      await deps.db.query(SCHEDULE_NEXT, [agent.id, agent.checkAttempts, pauseSeconds]);
    }
    if (isComplete) return;
  }
}

/**
 * Claims due agents of networks that are not paused: one of a network whose pause has ended. While the treasury cannot pay a
 * network's fees, only agents with a signed transaction are claimed, because the others would need one.
 */
async function claimDue({ db, agents: { unavailable, unfunded } }: AgentDeps) {
  const counts = new Map<string, number>();
  const unfundedNetworks: string[] = [];
  for (const network of Object.keys(NETWORKS)) {
    const state = unavailable.state(network);
    if (state === "paused") continue;
    const feeState = unfunded.state(network);
    if (feeState !== "running") unfundedNetworks.push(network);
    if (feeState !== "paused") counts.set(network, state === "probing" || feeState === "probing" ? 1 : BATCH_SIZE);
  }
  const claimed = await db.query<Claim>(CLAIM_DUE, [[...counts.keys()], [...counts.values()]]);
  const signed = unfundedNetworks.length > 0 ? await db.query<Claim>(CLAIM_SIGNED, [unfundedNetworks]) : [];
  return {
    claimed: [...claimed, ...signed],
    signedIds: new Set(signed.map(({ id }) => id)),
    isComplete: claimed.length < BATCH_SIZE && signed.length < BATCH_SIZE,
  };
}

interface Claim {
  readonly id: string;
  readonly checkAttempts: number;
}

/** Advances one agent. Returns the delay until its next check, in seconds. Pauses its network after a failure of the network. */
async function advanceOne(deps: AgentDeps, agent: ClaimedAgent): Promise<number> {
  const { unavailable, unfunded } = deps.agents;
  try {
    await advanceAgent(deps, agent);
    unavailable.succeed(agent.network);
    return Math.min(getPauseSeconds(agent), MAX_PAUSE_BETWEEN_STEPS_SECONDS);
  } catch (error) {
    const fields = { agentRecordId: agent.id, network: agent.network };
    warnOfFailure(deps.logger, error, fields, "Agent registration step failed; retry scheduled");
    const reason = describeFailure(error);
    if (error instanceof ChainUnavailableError) {
      unavailable.fail(agent.network);
      await recordSharedReason(deps, agent.network, reason, true);
    } else if (error instanceof NetworkFeeError) {
      unfunded.fail(agent.network);
      await recordSharedReason(deps, agent.network, reason, false);
    } else await recordFailureReason(deps, agent, reason);
    if (error instanceof DailyLimitError) return DAILY_LIMIT_PAUSE_SECONDS;
    return error instanceof RegistryRejectedError ? REJECTED_PAUSE_SECONDS : getPauseSeconds(agent);
  }
}

function getPauseSeconds({ checkAttempts }: Agent): number {
  return Math.min(MIN_PAUSE_SECONDS * 2 ** Math.min(checkAttempts - 1, 10), MAX_PAUSE_SECONDS);
}

/** Records the reason for which no agent of the network advances. @param areSignedAffected whether also with a signed transaction */
async function recordSharedReason(
  { db, pubsub }: AgentDeps,
  network: string,
  reason: string,
  areSignedAffected: boolean,
): Promise<void> {
  const changed = await db.query<{ id: string; accountId: string }>(SET_REASON_OF_NETWORK, [
    network,
    reason,
    areSignedAffected,
  ]);
  for (const { id, accountId } of changed) publishAgent(pubsub, accountId, id);
}

async function recordFailureReason({ db, pubsub }: AgentDeps, { id, accountId }: Agent, reason: string): Promise<void> {
  if ((await db.query(SET_REASON, [id, reason])).length > 0) publishAgent(pubsub, accountId, id);
}
