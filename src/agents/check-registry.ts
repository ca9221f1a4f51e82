/** What is checked before the treasury pays a network fee for an agent. */
import type { Hex } from "viem";
import type { Statement } from "../platform/database/connection.ts";
import type { NetworkName } from "../wallet/networks.ts";
import type { AgentDeps } from "./deps.ts";
import type { ClaimedAgent, Purpose } from "./treasury-transaction.ts";

/** The registry rejected the agent repeatedly or has no contract. Further attempts would only cost fees. */
export class RegistryRejectedError extends Error {
  override readonly name = "RegistryRejectedError";
}

/** A daily limit of transactions is reached. The agent waits. */
export class DailyLimitError extends Error {
  override readonly name: string = "DailyLimitError";
}

/** The operator's daily limit of registrations is reached. Further agents wait. */
export class DailyRegistrationLimitError extends DailyLimitError {
  override readonly name = "DailyRegistrationLimitError";
}

/** The agent's wallet was linked too often today. */
export class DailyLinkLimitError extends DailyLimitError {
  override readonly name = "DailyLinkLimitError";
}

const DAY_MS = 86_400_000;
/**
 * Reverted transactions in 24 hours after which the registry counts as rejecting. A call may revert despite a successful estimate if
 * the state changed, as when the proof of a wallet expires in a congested network.
 */
const MAX_REVERTED = 3;
/** Links of an agent's wallet in 24 hours. Each can be followed by one unlinking, which is never refused: a revocation must take effect. */
const MAX_LINKS = 3;

const OTHERS_TODAY: Statement = {
  name: "other-agents-paid-for-today",
  text: `SELECT count(DISTINCT agent_id)::int AS count FROM agent_transactions
    WHERE purpose = $2 AND created_at > now() - interval '24 hours' AND agent_id <> $1`,
};

/** Enforces the daily limit of one purpose. Accounts are free, so without a limit their agents could empty the treasury. */
export async function assertWithinDailyLimit(
  { db, agents }: AgentDeps,
  { id }: ClaimedAgent,
  purpose: Purpose,
): Promise<void> {
  const [others] = await db.query<{ count: number }>(OTHERS_TODAY, [id, purpose]);
  if (others && others.count >= agents.registrationsPerDay) {
    throw new DailyRegistrationLimitError(
      "Daily limit AGENT_REGISTRATIONS_PER_DAY reached. No transaction was signed.",
    );
  }
}

/** Limits how often the owner's changes make the treasury link the wallet. Replacements share a nonce and count once. */
export async function assertMayLinkWallet({ db }: AgentDeps, { id }: ClaimedAgent): Promise<void> {
  const links = await db.prisma.agentTransaction.findMany({
    where: {
      agentId: id,
      purpose: "set_wallet",
      status: { not: "dropped" },
      createdAt: { gt: new Date(Date.now() - DAY_MS) },
    },
    distinct: ["nonce"],
    select: { nonce: true },
  });
  if (links.length >= MAX_LINKS) {
    throw new DailyLinkLimitError(`The wallet was linked ${MAX_LINKS} times in 24 hours. No transaction was signed.`);
  }
}

/** Checks before fees are spent that the registry has a contract and has not rejected the call for the agent repeatedly. */
export async function assertRegistryUsable(
  deps: AgentDeps,
  { id, network, registryAddress }: ClaimedAgent,
  purpose: Purpose,
): Promise<void> {
  const where = { agentId: id, purpose, status: "reverted", createdAt: { gt: new Date(Date.now() - DAY_MS) } };
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
