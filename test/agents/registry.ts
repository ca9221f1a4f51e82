/** Reads the registry with its published ABI over plain JSON-RPC. */
import { type Abi, createPublicClient, type Hex, http, type PublicClient, parseEventLogs } from "viem";
import registry from "../../sandbox/contracts/erc-8004/IdentityRegistryUpgradeable.json" with { type: "json" };

export const REGISTRY = "0x8004A818BFB912233c491871b3d84c89A494BD9e";
const abi = registry.abi as Abi;

export interface Registered {
  readonly agentId: bigint;
  readonly agentURI: string;
  readonly owner: string;
}

export interface RegistryReader {
  readonly client: PublicClient;
  /** Returns all registrations, oldest first. */
  registrations(): Promise<Registered[]>;
  /** Returns the registrations whose registration file belongs to this agent record. */
  of(agentRecordId: string): Promise<Registered[]>;
  read<Result>(functionName: string, args: readonly unknown[]): Promise<Result>;
  /** Returns the next nonce of an address. */
  nonce(address: Hex): Promise<number>;
  mine(blocks: number): Promise<void>;
}

export function readRegistry(rpcUrl: string): RegistryReader {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
  const registrations = async () => {
    const logs = await client.getLogs({ address: REGISTRY, fromBlock: 0n });
    return parseEventLogs({ abi, eventName: "Registered", logs }).map(({ args }) => args as unknown as Registered);
  };
  return {
    client,
    registrations,
    of: async (agentRecordId) =>
      (await registrations()).filter(({ agentURI }) => agentURI.includes(`/${agentRecordId}/`)),
    read: async <Result>(functionName: string, args: readonly unknown[]) =>
      (await client.readContract({ address: REGISTRY, abi, functionName, args })) as Result,
    nonce: (address) => client.getTransactionCount({ address, blockTag: "latest" }),
    mine: (blocks) => client.request({ method: "anvil_mine", params: [`0x${blocks.toString(16)}`] } as never),
  };
}
