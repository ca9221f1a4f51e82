/** Advances an agent's registration: registers it, then aligns its entry in the registry. Every step is idempotent. */
import type { AgentTransaction } from "../../generated/prisma/client.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { readAgentChoice } from "./agent-choice.ts";
import { publishAgent } from "./agent-events.ts";
import { alignRegistry } from "./align-registry.ts";
import {
  assertRegistryUsable,
  assertWithinDailyLimit,
  DailyLinkLimitError,
  DailyRegistrationLimitError,
} from "./check-registry.ts";
import type { AgentChoice, AgentDeps } from "./deps.ts";
import { findRegistration } from "./find-registration.ts";
import { registrationUrl } from "./registration-file.ts";
import { encodeRegister, findRegisteredAgentId } from "./registry-contract.ts";
import { type ClaimedAgent, endTransactions, followTransactions, sendTransaction } from "./treasury-transaction.ts";

// Of several nodes that find the registration concurrently, one records it.
const REGISTERED: Statement = {
  name: "agent-registered",
  text: `UPDATE agents SET agent_id = $2, registered_at = now(), failure_reason = NULL, updated_at = now(),
      status = CASE status WHEN 'pending' THEN 'active' ELSE status END
    WHERE id = $1 AND agent_id IS NULL RETURNING id`,
};

const CONCLUDED: Statement = {
  name: "agent-concluded",
  text: `UPDATE agents SET next_check_at = NULL, failure_reason = NULL, updated_at = now(),
      credentials_due_at = CASE WHEN status = 'revoked' THEN credentials_due_at ELSE now() END
    WHERE id = $1 AND check_attempts = $2 RETURNING id`,
};

/**
 * Performs the next registration step of an agent that this node has claimed.
 * @throws {ChainUnavailableError | TransferFailedError | RegistryRejectedError | DailyLimitError} the step can be retried
 */
export async function advanceAgent(deps: AgentDeps, agent: ClaimedAgent): Promise<void> {
  const choice = await readAgentChoice(deps, agent.accountId);
  const agentId = agent.agentId ?? (await advanceRegistration(deps, agent, choice));
  if (agentId !== null && (await alignRegistry(deps, agent, agentId, choice))) await conclude(deps, agent);
}

/** Advances the registration. Returns the registry id, or null while there is none. */
async function advanceRegistration(
  deps: AgentDeps,
  agent: ClaimedAgent,
  { wantsAgent }: AgentChoice,
): Promise<bigint | null> {
  const progress = await followTransactions(deps, agent, "register");
  if (progress.kind === "waiting") return null;
  if (progress.kind === "none" && wantsAgent) await assertWithinDailyLimit(deps, agent, "register");
  const { evmAddress: owner } = await deps.wallets.treasury();
  if (progress.kind === "mined") {
    const { id: agentRecordId, registryAddress } = agent;
    const agentId = findRegisteredAgentId(progress.receipt.logs, { registryAddress, agentRecordId, owner });
    if (agentId !== undefined) return await recordRegistration(deps, agent, agentId, progress.row);
  }
  if (progress.kind === "mined" || progress.kind === "reverted") await recordEnd(deps, progress.row);
  const isStuck = progress.kind === "stuck";
  if (!isStuck) {
    const { rpc } = deps.chains.evm(agent.network as NetworkName);
    const found = await findRegistration(rpc, agent, owner);
    if (found) return await recordRegistration(deps, agent, found.agentId, await findTransaction(deps, found.txHash));
    if (!wantsAgent) return await conclude(deps, agent);
    await assertRegistryUsable(deps, agent, "register");
  }
  const data = encodeRegister(registrationUrl(deps.site, agent.id), agent.id);
  await sendTransaction(deps, agent, "register", data, isStuck ? progress.row : null);
  return null;
}

async function recordRegistration(
  deps: AgentDeps,
  agent: ClaimedAgent,
  agentId: bigint,
  row: AgentTransaction | null,
): Promise<bigint> {
  // Written before the agent, which must not appear registered without its transaction.
  if (row) await deps.db.prisma.$transaction(endTransactions(deps.db, row, "mined"));
  if ((await deps.db.query(REGISTERED, [agent.id, agentId])).length > 0) {
    publishAgent(deps.pubsub, agent.accountId, agent.id);
    deps.logger.info({ agentRecordId: agent.id, agentId: String(agentId) }, "Agent registered");
  }
  return agentId;
}

/** Ends the steps of an agent that needs no further one. */
async function conclude(deps: AgentDeps, agent: ClaimedAgent): Promise<null> {
  await deps.db.query(CONCLUDED, [agent.id, agent.checkAttempts]);
  publishAgent(deps.pubsub, agent.accountId, agent.id);
  return null;
}

async function recordEnd(deps: AgentDeps, row: AgentTransaction): Promise<void> {
  await deps.db.prisma.$transaction(endTransactions(deps.db, row, "reverted"));
}

async function findTransaction(deps: AgentDeps, txHash: string): Promise<AgentTransaction | null> {
  return await deps.db.prisma.agentTransaction.findUnique({ where: { txHash } });
}

/** Returns the reason of a failed step for the account owner. The operator's log contains the details. */
export function describeFailure(error: unknown): string {
  if (error instanceof DailyRegistrationLimitError) {
    return "The service's daily limit of registrations is reached. This agent is registered automatically within a day.";
  }
  if (error instanceof DailyLinkLimitError) {
    return "The wallet was linked too often today. It is linked automatically within a day.";
  }
  return error instanceof ChainUnavailableError
    ? `${error.message} The registration is retried automatically.`
    : "The last registration attempt failed. It is retried automatically.";
}
