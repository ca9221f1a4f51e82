/** Whether the registry holds a registration already: what must be known before another is signed. */
import { encodeEventTopics, type Hex, type RpcLog } from "viem";
import { formatLog } from "viem/utils";
import { searchAllLogs } from "../wallet/evm/log-search.ts";
import type { EvmRpc } from "../wallet/evm/rpc-client.ts";
import { registrationIn, registryAbi } from "./registry-contract.ts";

/** How far our clock may be from the chain's. */
const CLOCK_MARGIN_SECONDS = 3_600n;

export interface Registration {
  readonly agentId: bigint;
  readonly txHash: Hex;
}

/**
 * The agent's registration by `owner`, from its record's first day on; null: there is none up to the latest block.
 * @throws {ChainUnavailableError} when that cannot be told.
 */
export async function findRegistration(
  rpc: EvmRpc,
  agent: { readonly id: string; readonly registryAddress: string; readonly createdAt: Date },
  owner: Hex,
): Promise<Registration | null> {
  const sought = { registryAddress: agent.registryAddress, agentRecordId: agent.id, owner };
  const query = {
    address: agent.registryAddress as Hex,
    topics: encodeEventTopics({ abi: registryAbi, eventName: "Registered", args: { owner } }) as Hex[],
    since: BigInt(Math.floor(agent.createdAt.getTime() / 1000)) - CLOCK_MARGIN_SECONDS,
  };
  const found = await searchAllLogs(rpc, await rpc.readAtOneBlock([]), query, async (log: RpcLog) => {
    const agentId = registrationIn([formatLog(log)], sought);
    return agentId === undefined || log.transactionHash === null ? undefined : { agentId, txHash: log.transactionHash };
  });
  return found ?? null;
}
