/** Searches the registry for an existing registration before another one is signed. */
import { encodeEventTopics, type Hex, type RpcLog } from "viem";
import { formatLog } from "viem/utils";
import { searchAllLogs } from "../wallet/evm/log-search.ts";
import type { EvmRpc } from "../wallet/evm/rpc-client.ts";
import { findRegisteredAgentId, registryAbi } from "./registry-contract.ts";

/** Maximum difference between the service's clock and the chain's. */
const CLOCK_MARGIN_SECONDS = 3_600n;

export interface Registration {
  readonly agentId: bigint;
  readonly txHash: Hex;
}

/**
 * Returns the agent's registration by `owner`, or null if there is none up to the latest block. Searches from the creation of
 * the agent's record.
 * @throws {ChainUnavailableError} when the logs cannot be read
 */
export async function findRegistration(
  rpc: EvmRpc,
  agent: { readonly id: string; readonly registryAddress: string; readonly createdAt: Date },
  owner: Hex,
): Promise<Registration | null> {
  const expected = { registryAddress: agent.registryAddress, agentRecordId: agent.id, owner };
  const query = {
    address: agent.registryAddress as Hex,
    topics: encodeEventTopics({ abi: registryAbi, eventName: "Registered", args: { owner } }) as Hex[],
    since: BigInt(Math.floor(agent.createdAt.getTime() / 1000)) - CLOCK_MARGIN_SECONDS,
  };
  const found = await searchAllLogs(rpc, await rpc.readContractsAtOneBlock([]), query, async (log: RpcLog) => {
    const agentId = findRegisteredAgentId([formatLog(log)], expected);
    return agentId === undefined || log.transactionHash === null ? undefined : { agentId, txHash: log.transactionHash };
  });
  return found ?? null;
}
