/** An account's agent: made on its first credential, found by everything that acts as it. */
import type { Statement } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";
import { createHolderKey } from "./holder-key.ts";
import { chainIdOf } from "./registry.ts";

export const AGENT_STATUSES = ["pending", "active", "revoked"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** An agent as other domains know it. */
export interface FoundAgent {
  /** Of its record here: `agt_…`. */
  readonly id: string;
  /** The registry's number for it, from 0 on; null until it is registered. Never test it for truth: 0 is an agent. */
  readonly agentId: number | null;
  /** `pending` until it is registered, `active` from then on, `revoked` while its person has it revoked. */
  readonly status: AgentStatus;
  /** The account's own wallet, whether or not the chain names it already. */
  readonly walletAddress: `0x${string}`;
  readonly network: string;
  readonly chainId: number;
  readonly registryAddress: string;
}

/** The agent of an account, or null while there is none. */
export async function findAgent(
  { db, wallets }: Pick<AgentDeps, "db" | "wallets">,
  accountId: string,
): Promise<FoundAgent | null> {
  const row = await db.prisma.agent.findUnique({ where: { accountId } });
  if (!row) return null;
  return {
    id: row.id,
    agentId: row.agentId === null ? null : Number(row.agentId),
    status: row.status as AgentStatus,
    walletAddress: (await wallets.ofAccount(accountId)).evmAddress,
    network: row.network,
    chainId: chainIdOf(row.network),
    registryAddress: row.registryAddress,
  };
}

const INSERT: Statement = {
  name: "insert-agent",
  text: `INSERT INTO agents (id, account_id, status, network, registry_address, holder_public_jwk, sealed_holder_key,
      wrapped_data_key, kek_id, next_check_at)
    VALUES ($1, $2, 'pending', $3, $4, $5, $6, $7, $8, now())
    ON CONFLICT (account_id) DO NOTHING RETURNING id`,
};

/** Gives the account an agent, to be registered by the repeated job. Any number may ask at once; one is made. */
export async function ensureAgent(
  deps: Pick<AgentDeps, "db" | "pubsub" | "keks" | "agents">,
  accountId: string,
): Promise<void> {
  if ((await deps.db.prisma.agent.count({ where: { accountId } })) > 0) return;
  const id = newId("agt");
  const { network, address } = deps.agents.registry;
  const { holderPublicJwk, sealedHolderKey, wrappedDataKey, kekId } = await createHolderKey(deps.keks, id);
  const inserted = await deps.db.query<{ id: string }>(INSERT, [
    id,
    accountId,
    network,
    address,
    JSON.stringify(holderPublicJwk),
    sealedHolderKey,
    wrappedDataKey,
    kekId,
  ]);
  if (inserted.length > 0) publishAgent(deps.pubsub, accountId, id);
}
