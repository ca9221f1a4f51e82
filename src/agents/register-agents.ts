/** The repeated job of agents: those that are not yet registered, or whose wallet is not yet named, are taken on. */
import type { Agent } from "../../generated/prisma/client.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";
import { advanceAgent, failureReasonOf, RegistrationsSpentError, RegistryRefusedError } from "./register-agent.ts";

const BATCH_SIZE = 20;
const SHORTEST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 60;
/** Those of yesterday stop counting one by one. */
const SPENT_PAUSE_SECONDS = 900;
/** Until an operator may have looked into it. */
const REFUSED_PAUSE_SECONDS = 6 * 3_600;

// A claim has a number, by which whoever claimed before finds out. A node that dies leaves the agent to others after the lease.
const TAKE_DUE: Statement = {
  name: "take-due-agents",
  text: `UPDATE agents SET check_attempts = check_attempts + 1, next_check_at = now() + interval '60 seconds'
    WHERE id IN (
      SELECT id FROM agents WHERE next_check_at <= now() ORDER BY next_check_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};

const LOOK_AGAIN: Statement = {
  name: "look-at-agent-again",
  text: `UPDATE agents SET next_check_at = now() + make_interval(secs => $3)
    WHERE id = $1 AND check_attempts = $2 AND next_check_at IS NOT NULL`,
};

/** Takes every agent that is due one step on. What fails for one is tried again for it, later each time. */
export async function registerAgents(deps: AgentDeps): Promise<void> {
  for (;;) {
    const taken = await deps.db.query<{ id: string }>(TAKE_DUE, []);
    const agents = await deps.db.prisma.agent.findMany({ where: { id: { in: taken.map(({ id }) => id) } } });
    const away = new Set<string>();
    for (const agent of agents) {
      const pauseSeconds = away.has(agent.network)
        ? pauseOf(agent)
        : await advanceOne(deps, agent, () => away.add(agent.network));
      await deps.db.query(LOOK_AGAIN, [agent.id, agent.checkAttempts, pauseSeconds]);
    }
    if (taken.length < BATCH_SIZE || away.size > 0) return;
  }
}

/** Answers when to look at it again, in seconds. @param onAway told when its network does not answer: others need not ask */
async function advanceOne(deps: AgentDeps, agent: Agent, onAway: () => void): Promise<number> {
  try {
    await advanceAgent(deps, agent);
    return pauseOf(agent);
  } catch (error) {
    deps.logger.warn({ err: error, agentRecordId: agent.id }, "agent not registered yet; it is tried again");
    if (error instanceof ChainUnavailableError) onAway();
    await noteFailure(deps, agent, failureReasonOf(error));
    if (error instanceof RegistrationsSpentError) return SPENT_PAUSE_SECONDS;
    return error instanceof RegistryRefusedError ? REFUSED_PAUSE_SECONDS : pauseOf(agent);
  }
}

function pauseOf({ checkAttempts }: Agent): number {
  return Math.min(SHORTEST_PAUSE_SECONDS * 2 ** Math.min(checkAttempts - 1, 10), LONGEST_PAUSE_SECONDS);
}

async function noteFailure(deps: AgentDeps, { id, accountId, failureReason }: Agent, reason: string): Promise<void> {
  if (failureReason === reason) return;
  await deps.db.prisma.agent.updateMany({ where: { id }, data: { failureReason: reason, updatedAt: new Date() } });
  publishAgent(deps.pubsub, accountId, id);
}
