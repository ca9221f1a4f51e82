/** Advances an agent's registration: registers it, then links its wallet if the account owner publishes it. Every step is idempotent. */
import type { Hex } from "viem";
import type { AgentTransaction } from "../../generated/prisma/client.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { readAgentChoice } from "./agent-choice.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentChoice, AgentDeps } from "./deps.ts";
import { findRegistration } from "./find-registration.ts";
import { registrationUrl } from "./registration-file.ts";
import { chainIdOf } from "./registry.ts";
import {
  computeWalletDeadline,
  encodeRegister,
  encodeSetAgentWallet,
  findRegisteredAgentId,
  hashWalletProof,
  registryAbi,
} from "./registry-contract.ts";
import { type ClaimedAgent, endTransactions, followTransactions, sendTransaction } from "./treasury-transaction.ts";

/** The registry rejected the agent repeatedly or has no contract. Further attempts would only cost fees. */
export class RegistryRejectedError extends Error {
  override readonly name = "RegistryRejectedError";
}

/** The operator's daily limit of registrations is reached. Further agents wait. */
export class DailyRegistrationLimitError extends Error {
  override readonly name = "DailyRegistrationLimitError";
}

/** Reverted transactions after which the registry counts as rejecting. A call may revert despite a successful estimate if the state changed. */
const MAX_REVERTED = 3;

// Of several nodes that find the registration concurrently, one records it.
const REGISTERED: Statement = {
  name: "agent-registered",
  text: `UPDATE agents SET agent_id = $2, registered_at = now(), failure_reason = NULL, updated_at = now(),
      status = CASE status WHEN 'pending' THEN 'active' ELSE status END
    WHERE id = $1 AND agent_id IS NULL RETURNING id`,
};

const OTHERS_TODAY: Statement = {
  name: "other-agents-registered-today",
  text: `SELECT count(DISTINCT agent_id)::int AS count FROM agent_transactions
    WHERE purpose = 'register' AND created_at > now() - interval '24 hours' AND agent_id <> $1`,
};

const LINKED: Statement = {
  name: "agent-wallet-linked",
  text: `UPDATE agents SET is_wallet_linked = true, next_check_at = NULL, failure_reason = NULL, credentials_due_at = now(),
      updated_at = now()
    WHERE id = $1 RETURNING id`,
};

const CONCLUDED: Statement = {
  name: "agent-concluded",
  text: `UPDATE agents SET next_check_at = NULL, failure_reason = NULL, credentials_due_at = now(), updated_at = now()
    WHERE id = $1 RETURNING id`,
};

/**
 * Performs the next registration step of an agent that this node has claimed.
 * @throws {ChainUnavailableError | TransferFailedError | RegistryRejectedError | DailyRegistrationLimitError} the step can be retried
 */
export async function advanceAgent(deps: AgentDeps, agent: ClaimedAgent): Promise<void> {
  const choice = await readAgentChoice(deps, agent.accountId);
  const agentId = agent.agentId ?? (await advanceRegistration(deps, agent, choice));
  if (agentId !== null) await linkWallet(deps, agent, agentId, choice);
}

/** Advances the registration. Returns the registry id, or null while there is none. */
async function advanceRegistration(
  deps: AgentDeps,
  agent: ClaimedAgent,
  { wantsAgent }: AgentChoice,
): Promise<bigint | null> {
  const progress = await followTransactions(deps, agent, "register");
  if (progress.kind === "waiting") return null;
  if (progress.kind === "none") await assertWithinDailyLimit(deps, agent);
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
    await assertRegistryUsable(deps, agent);
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
  await deps.db.query(CONCLUDED, [agent.id]);
  publishAgent(deps.pubsub, agent.accountId, agent.id);
  return null;
}

async function linkWallet(
  deps: AgentDeps,
  agent: ClaimedAgent,
  agentId: bigint,
  { wantsAgent, publishesWallet }: AgentChoice,
): Promise<void> {
  const { rpc } = deps.chains.evm(agent.network as NetworkName);
  const wallet = await deps.wallets.ofAccount(agent.accountId);
  const registryAddress = agent.registryAddress as Hex;
  const walletRead = { address: registryAddress, abi: registryAbi, functionName: "getAgentWallet", args: [agentId] };
  const { values, timestamp } = await rpc.readContractsAtOneBlock([walletRead]);
  const progress = await followTransactions(deps, agent, "set_wallet");
  if (progress.kind === "mined" || progress.kind === "reverted") await recordEnd(deps, progress.row, progress.kind);
  if (values[0] === wallet.evmAddress || progress.kind === "mined") {
    await deps.db.query(LINKED, [agent.id]);
    publishAgent(deps.pubsub, agent.accountId, agent.id);
    return;
  }
  if (progress.kind === "waiting") return;
  // A stuck transaction is replaced in any case, because its nonce blocks those of other agents.
  if (progress.kind !== "stuck") {
    if (!wantsAgent || !publishesWallet) return void (await conclude(deps, agent));
    await assertRegistryUsable(deps, agent);
  }
  const { evmAddress: owner } = await deps.wallets.treasury();
  const proof = {
    chainId: chainIdOf(agent.network),
    registryAddress,
    agentId,
    newWallet: wallet.evmAddress,
    owner,
    deadline: computeWalletDeadline(timestamp),
  };
  const signature = await deps.vault.signDigest(wallet, hashWalletProof(proof));
  const data = encodeSetAgentWallet(proof, signature);
  await sendTransaction(deps, agent, "set_wallet", data, progress.kind === "stuck" ? progress.row : null);
}

async function recordEnd(
  deps: AgentDeps,
  row: AgentTransaction,
  status: "mined" | "reverted" = "reverted",
): Promise<void> {
  await deps.db.prisma.$transaction(endTransactions(deps.db, row, status));
}

async function findTransaction(deps: AgentDeps, txHash: string): Promise<AgentTransaction | null> {
  return await deps.db.prisma.agentTransaction.findUnique({ where: { txHash } });
}

/** Enforces the daily limit. Accounts are free, so without a limit their registrations could empty the treasury. */
async function assertWithinDailyLimit({ db, agents }: AgentDeps, { id }: ClaimedAgent): Promise<void> {
  const [others] = await db.query<{ count: number }>(OTHERS_TODAY, [id]);
  if (others && others.count >= agents.registrationsPerDay) {
    throw new DailyRegistrationLimitError(
      "Daily limit AGENT_REGISTRATIONS_PER_DAY reached. No transaction was signed.",
    );
  }
}

/** Checks before fees are spent that the registry has a contract and has not rejected the agent repeatedly. */
async function assertRegistryUsable(deps: AgentDeps, { id, network, registryAddress }: ClaimedAgent): Promise<void> {
  const where = { agentId: id, status: "reverted" };
  if ((await deps.db.prisma.agentTransaction.count({ where })) >= MAX_REVERTED) {
    throw new RegistryRejectedError(
      "The registry reverted the agent's transactions repeatedly. No further transaction was signed.",
    );
  }
  const { rpc } = deps.chains.evm(network as NetworkName);
  const code = await rpc.request((client) => client.getCode({ address: registryAddress as Hex }));
  if (code === undefined || code === "0x") {
    throw new RegistryRejectedError(
      "There is no contract at the registry's address. Check AGENT_REGISTRY. No transaction was signed.",
    );
  }
}

/** Returns the reason of a failed step for the account owner. The operator's log contains the details. */
export function describeFailure(error: unknown): string {
  if (error instanceof DailyRegistrationLimitError) {
    return "The service's daily limit of registrations is reached. This agent is registered automatically within a day.";
  }
  return error instanceof ChainUnavailableError
    ? `${error.message} The registration is retried automatically.`
    : "The last registration attempt failed. It is retried automatically.";
}
