/** Taking an agent one step on: registered at the registry, then its wallet named there. Every step may be repeated. */
import type { Hex } from "viem";
import type { AgentTransaction } from "../../generated/prisma/client.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ChainUnavailableError } from "../wallet/chain.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";
import { findRegistration } from "./find-registration.ts";
import { registrationUrl } from "./registration-file.ts";
import { chainIdOf } from "./registry.ts";
import {
  encodeRegister,
  encodeSetAgentWallet,
  registrationIn,
  registryAbi,
  walletDeadline,
  walletProofDigest,
} from "./registry-contract.ts";
import { type ClaimedAgent, endTransactions, followTransactions, sendTransaction } from "./treasury-transaction.ts";

/** The registry took the treasury's money and did not do what it was asked: trying on would only cost more. */
export class RegistryRefusedError extends Error {
  override readonly name = "RegistryRefusedError";
}

/** As many agents as the operator pays for in a day were registered. The others wait. */
export class RegistrationsSpentError extends Error {
  override readonly name = "RegistrationsSpentError";
}

/** A call that was estimated well may revert once or twice because the chain moved meanwhile. */
const MAX_REVERTED = 3;

// Of many who learn of it at once, one writes it.
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

/**
 * Does what is next for an agent that this node has claimed.
 * @throws {ChainUnavailableError | TransferFailedError | RegistryRefusedError | RegistrationsSpentError} nothing is lost: it is to be tried again
 */
export async function advanceAgent(deps: AgentDeps, agent: ClaimedAgent): Promise<void> {
  const agentId = agent.agentId ?? (await register(deps, agent));
  if (agentId !== null) await linkWallet(deps, agent, agentId);
}

/** Answers the registry's number, or null while there is none. */
async function register(deps: AgentDeps, agent: ClaimedAgent): Promise<bigint | null> {
  const progress = await followTransactions(deps, agent, "register");
  if (progress.kind === "waiting") return null;
  if (progress.kind === "none") await assertAffordable(deps, agent);
  const { evmAddress: owner } = await deps.wallets.treasury();
  if (progress.kind === "mined") {
    const { id: agentRecordId, registryAddress } = agent;
    const agentId = registrationIn(progress.receipt.logs, { registryAddress, agentRecordId, owner });
    if (agentId !== undefined) return await registered(deps, agent, agentId, progress.row);
  }
  if (progress.kind === "mined" || progress.kind === "reverted") await ended(deps, progress.row);
  const isStuck = progress.kind === "stuck";
  if (!isStuck) {
    const { rpc } = deps.chains.evm(agent.network as NetworkName);
    const found = await findRegistration(rpc, agent, owner);
    if (found) return await registered(deps, agent, found.agentId, await transactionOf(deps, found.txHash));
    await assertWilling(deps, agent);
  }
  const data = encodeRegister(registrationUrl(deps.site, agent.id), agent.id);
  await sendTransaction(deps, agent, "register", data, isStuck ? progress.row : null);
  return null;
}

async function registered(
  deps: AgentDeps,
  agent: ClaimedAgent,
  agentId: bigint,
  row: AgentTransaction | null,
): Promise<bigint> {
  // Before the agent: it must not be seen registered without its transaction.
  if (row) await deps.db.prisma.$transaction(endTransactions(deps.db, row, "mined"));
  if ((await deps.db.query(REGISTERED, [agent.id, agentId])).length > 0) {
    publishAgent(deps.pubsub, agent.accountId, agent.id);
    deps.logger.info({ agentRecordId: agent.id, agentId: String(agentId) }, "agent registered");
  }
  return agentId;
}

async function linkWallet(deps: AgentDeps, agent: ClaimedAgent, agentId: bigint): Promise<void> {
  const { rpc } = deps.chains.evm(agent.network as NetworkName);
  const wallet = await deps.wallets.ofAccount(agent.accountId);
  const registryAddress = agent.registryAddress as Hex;
  const asked = { address: registryAddress, abi: registryAbi, functionName: "getAgentWallet", args: [agentId] };
  const { values, timestamp } = await rpc.readAtOneBlock([asked]);
  const progress = await followTransactions(deps, agent, "set_wallet");
  if (progress.kind === "mined" || progress.kind === "reverted") await ended(deps, progress.row, progress.kind);
  if (values[0] === wallet.evmAddress || progress.kind === "mined") {
    await deps.db.query(LINKED, [agent.id]);
    publishAgent(deps.pubsub, agent.accountId, agent.id);
    return;
  }
  if (progress.kind === "waiting") return;
  if (progress.kind !== "stuck") await assertWilling(deps, agent);
  const { evmAddress: owner } = await deps.wallets.treasury();
  const proof = {
    chainId: chainIdOf(agent.network),
    registryAddress,
    agentId,
    newWallet: wallet.evmAddress,
    owner,
    deadline: walletDeadline(timestamp),
  };
  const signature = await deps.vault.signDigest(wallet, walletProofDigest(proof));
  const data = encodeSetAgentWallet(proof, signature);
  await sendTransaction(deps, agent, "set_wallet", data, progress.kind === "stuck" ? progress.row : null);
}

async function ended(deps: AgentDeps, row: AgentTransaction, status: "mined" | "reverted" = "reverted"): Promise<void> {
  await deps.db.prisma.$transaction(endTransactions(deps.db, row, status));
}

async function transactionOf(deps: AgentDeps, txHash: string): Promise<AgentTransaction | null> {
  return await deps.db.prisma.agentTransaction.findUnique({ where: { txHash } });
}

/** Accounts cost nothing, and each has an agent that the treasury pays for: no number of them may empty it in a day. */
async function assertAffordable({ db, agents }: AgentDeps, { id }: ClaimedAgent): Promise<void> {
  const [others] = await db.query<{ count: number }>(OTHERS_TODAY, [id]);
  if (others && others.count >= agents.registrationsPerDay) {
    throw new RegistrationsSpentError("AGENT_REGISTRATIONS_PER_DAY agents were registered in 24 hours.");
  }
}

/** Before money is spent: there is a contract, and it has not refused again and again. */
async function assertWilling(deps: AgentDeps, { id, network, registryAddress }: ClaimedAgent): Promise<void> {
  const where = { agentId: id, status: "reverted" };
  if ((await deps.db.prisma.agentTransaction.count({ where })) >= MAX_REVERTED) {
    throw new RegistryRefusedError("The registry refuses the agent again and again.");
  }
  const { rpc } = deps.chains.evm(network as NetworkName);
  const code = await rpc.ask((client) => client.getCode({ address: registryAddress as Hex }));
  if (code === undefined || code === "0x") throw new RegistryRefusedError("There is no contract at AGENT_REGISTRY.");
}

/** What a person is told of a step that failed. The operator's log has the rest. */
export function failureReasonOf(error: unknown): string {
  if (error instanceof RegistrationsSpentError) {
    return "Many agents were registered today. This one follows within a day, by itself.";
  }
  return error instanceof ChainUnavailableError
    ? `${error.message} The registration goes on once it can be.`
    : "The registry does not take the registration right now. It is tried again.";
}
