/** What the registry states about a registered agent: its wallet and the URL of its file follow the account owner's choice and the service. */
import type { Hex } from "viem";
import type { AgentTransaction } from "../../generated/prisma/client.ts";
import { findFreeze, isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { publishAgent } from "./agent-events.ts";
import { assertMayLinkWallet, assertRegistryUsable, assertWithinDailyLimit } from "./check-registry.ts";
import type { AgentChoice, AgentDeps } from "./deps.ts";
import { registrationUrl } from "./registration-file.ts";
import { chainIdOf } from "./registry.ts";
import {
  computeWalletDeadline,
  encodeSetAgentUri,
  encodeSetAgentWallet,
  encodeUnsetAgentWallet,
  hashWalletProof,
  registryAbi,
} from "./registry-contract.ts";
import {
  type ClaimedAgent,
  endTransactions,
  followTransactions,
  type Progress,
  type Purpose,
  sendTransaction,
} from "./treasury-transaction.ts";

const SET_LINKED: Statement = {
  name: "agent-wallet-linked",
  text: `UPDATE agents SET is_wallet_linked = $2, updated_at = now(),
      credentials_due_at = CASE WHEN status = 'revoked' THEN credentials_due_at ELSE now() END
    WHERE id = $1 AND is_wallet_linked <> $2 RETURNING id`,
};

const SET_PUBLISHED: Statement = {
  name: "agent-uri-published",
  text: "UPDATE agents SET published_uri = $2 WHERE id = $1 AND published_uri IS DISTINCT FROM $2 RETURNING id",
};

// A new public address concerns every agent, and each costs a network fee, so they are scheduled in batches. Those of frozen and
// deleted accounts are skipped, because no transaction is signed for them.
const SCHEDULE_MOVED: Statement = {
  name: "schedule-moved-agents",
  text: `UPDATE agents SET next_check_at = now() WHERE id IN (
      SELECT id FROM agents WHERE agent_id IS NOT NULL AND next_check_at IS NULL AND published_uri IS DISTINCT FROM $1 || id || $2
        AND (SELECT ${isOpen("a")} FROM accounts a WHERE a.id = agents.account_id)
      LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING id`,
};

/**
 * Performs the next step by which the registry's entry becomes what it should be. The wallet is linked while the agent is active and its
 * owner publishes the wallet, else unlinked. The URL of the registration file is the one under the configured public address.
 *
 * @returns whether nothing is left to do
 * @throws {ChainUnavailableError | TransferFailedError | RegistryRejectedError | DailyLimitError} the step can be retried
 */
export async function alignRegistry(
  deps: AgentDeps,
  agent: ClaimedAgent,
  agentId: bigint,
  choice: AgentChoice,
): Promise<boolean> {
  return (await alignWallet(deps, agent, agentId, choice)) && (await alignUri(deps, agent, agentId));
}

/** Schedules agents whose registration file has moved with the configured public address. The URL of others is left as it is. */
export async function scheduleMovedAgents({ db, site, agents }: AgentDeps): Promise<void> {
  if (!agents.hasPublicAddress) return;
  const [before = "", after = ""] = registrationUrl(site, "<id>").split("<id>");
  await db.query(SCHEDULE_MOVED, [before, after]);
}

async function alignWallet(
  deps: AgentDeps,
  agent: ClaimedAgent,
  agentId: bigint,
  { wantsAgent, publishesWallet }: AgentChoice,
): Promise<boolean> {
  const isExpected = wantsAgent && publishesWallet && agent.status !== "revoked";
  const { rpc } = deps.chains.evm(agent.network as NetworkName);
  const wallet = await deps.wallets.ofAccount(agent.accountId);
  const registryAddress = agent.registryAddress as Hex;
  const read = { address: registryAddress, abi: registryAbi, functionName: "getAgentWallet", args: [agentId] };
  const { values, timestamp } = await rpc.readContractsAtOneBlock([read]);
  const linking = await follow(deps, agent, "set_wallet");
  const unlinking = await follow(deps, agent, "unset_wallet");
  if (linking.kind === "waiting" || unlinking.kind === "waiting") return false;
  const { evmAddress: owner } = await deps.wallets.treasury();
  const link = async (previous: AgentTransaction | null) => {
    const proof = {
      ...{ chainId: chainIdOf(agent.network), registryAddress, agentId, newWallet: wallet.evmAddress, owner },
      deadline: computeWalletDeadline(timestamp),
    };
    const data = encodeSetAgentWallet(proof, await deps.vault.signDigest(wallet, hashWalletProof(proof)));
    await sendTransaction(deps, agent, "set_wallet", data, previous);
  };
  const unlink = (previous: AgentTransaction | null) =>
    sendTransaction(deps, agent, "unset_wallet", encodeUnsetAgentWallet(agentId), previous);
  // A stuck transaction is replaced in any case, because its nonce blocks those of other agents.
  if (linking.kind === "stuck" || unlinking.kind === "stuck") {
    if (unlinking.kind === "stuck") await unlink(unlinking.row);
    // A deleted account has no key to sign the proof again, so its link is replaced by the opposite call under the same nonce.
    else if (linking.kind === "stuck") await (isExpected ? link : unlink)(linking.row);
    return false;
  }
  // The node of the read may not have the block of the receipt yet.
  const isMined = linking.kind === "mined" || unlinking.kind === "mined";
  const isLinked = isMined ? linking.kind === "mined" : values[0] === wallet.evmAddress;
  if ((await deps.db.query(SET_LINKED, [agent.id, isLinked])).length > 0) {
    publishAgent(deps.pubsub, agent.accountId, agent.id);
  }
  if (isLinked === isExpected) return true;
  if (isExpected) await assertMayLinkWallet(deps, agent);
  await assertRegistryUsable(deps, agent, isExpected ? "set_wallet" : "unset_wallet");
  await (isExpected ? link(null) : unlink(null));
  return false;
}

async function alignUri(deps: AgentDeps, agent: ClaimedAgent, agentId: bigint): Promise<boolean> {
  const progress = await follow(deps, agent, "set_uri");
  if (progress.kind === "waiting") return false;
  const uri = registrationUrl(deps.site, agent.id);
  const send = (previous: AgentTransaction | null) =>
    sendTransaction(deps, agent, "set_uri", encodeSetAgentUri(agentId, uri), previous);
  if (progress.kind === "stuck") {
    await send(progress.row);
    return false;
  }
  // A development server has another address at each start. Nothing is signed for a frozen account; it is scheduled after the freeze.
  if (!deps.agents.hasPublicAddress || (await findFreeze(deps.db, agent.accountId)) !== null) return true;
  const { rpc } = deps.chains.evm(agent.network as NetworkName);
  const address = agent.registryAddress as Hex;
  const published = await rpc.request((client) =>
    client.readContract({ address, abi: registryAbi, functionName: "tokenURI", args: [agentId] }),
  );
  if (published === uri) {
    await deps.db.query(SET_PUBLISHED, [agent.id, uri]);
    return true;
  }
  // Read at the next check: the node may not have the block of the receipt yet.
  if (progress.kind === "mined") return false;
  await assertRegistryUsable(deps, agent, "set_uri");
  await assertWithinDailyLimit(deps, agent, "set_uri");
  await send(null);
  return false;
}

async function follow(deps: AgentDeps, agent: ClaimedAgent, purpose: Purpose): Promise<Progress> {
  const progress = await followTransactions(deps, agent, purpose);
  if (progress.kind === "mined" || progress.kind === "reverted") {
    await deps.db.prisma.$transaction(endTransactions(deps.db, progress.row, progress.kind));
  }
  return progress;
}
