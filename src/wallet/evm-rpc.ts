/** One EVM network's JSON-RPC: the client, and what every reading of it has in common. */
import { BaseError, createPublicClient, defineChain, http, type PublicClient, parseAbi } from "viem";
import { ChainUnavailableError } from "./chain.ts";
import type { EvmNetwork } from "./networks.ts";

/** Deployed at the same address on every network (github.com/mds1/multicall3). */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const TIMEOUT_MS = 8_000;
const MULTICALL_BYTES = 8_192;
/** Public RPCs refuse large JSON-RPC batches. */
const BATCH_SIZE = 50;

export const tokenAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function nonces(address owner) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
]);

const clockAbi = parseAbi([
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
]);

/** A contract reading, as viem takes it. */
interface Reading {
  readonly address: `0x${string}`;
  readonly abi: readonly unknown[];
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** What was read, and the block it was read at. */
export interface AtOneBlock {
  readonly values: readonly unknown[];
  readonly blockNumber: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

export interface EvmRpc {
  readonly network: EvmNetwork;
  /** Concurrent `readContract` and `getBalance` calls travel as one multicall. Use it inside `ask`. */
  readonly client: PublicClient;
  /** Runs `question`; any failure of the RPC becomes `ChainUnavailableError`. */
  ask<T>(question: (client: PublicClient) => Promise<T>): Promise<T>;
  /** Reads contracts and clock at one and the same block, of the right chain. */
  readAtOneBlock(readings: readonly Reading[]): Promise<AtOneBlock>;
}

export function createEvmRpc(network: EvmNetwork, rpcUrl: string): EvmRpc {
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: network.nativeSymbol, symbol: network.nativeSymbol, decimals: network.nativeDecimals },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
    // Room for the base fee to double before a transfer is mined.
    fees: { baseFeeMultiplier: 2 },
  });
  const client: PublicClient = createPublicClient({
    chain,
    transport: http(rpcUrl, { batch: { batchSize: BATCH_SIZE }, timeout: TIMEOUT_MS, retryCount: 1 }),
    batch: { multicall: { batchSize: MULTICALL_BYTES } },
  });

  async function ask<T>(question: (client: PublicClient) => Promise<T>): Promise<T> {
    try {
      return await question(client);
    } catch (error) {
      throw unavailable(network, error);
    }
  }

  let rightChain: Promise<void> | undefined;
  /** "Not used" read from another chain would release money that is still promised. */
  function checkChain(): Promise<void> {
    rightChain ??= ask((rpc) => rpc.getChainId()).then((chainId) => {
      if (chainId !== network.chainId) throw new ChainUnavailableError(network.name, `WrongChain${chainId}`);
    });
    rightChain.catch(() => {
      rightChain = undefined;
    });
    return rightChain;
  }

  return {
    network,
    client,
    ask,
    async readAtOneBlock(readings) {
      const clock = { address: MULTICALL3, abi: clockAbi, args: [] } as const;
      const contracts = [
        { ...clock, functionName: "getBlockNumber" },
        { ...clock, functionName: "getCurrentBlockTimestamp" },
        ...readings,
      ];
      // One multicall is one eth_call; a batch size of 0 never splits it.
      const [answers] = await Promise.all([
        ask((rpc) => rpc.multicall({ contracts: contracts as never[], allowFailure: false, batchSize: 0 })),
        checkChain(),
      ]);
      const [blockNumber, timestamp, ...values] = answers as unknown as [bigint, bigint, ...unknown[]];
      return { blockNumber, timestamp, values };
    },
  };
}

/** Only the names of viem's errors go on: their messages and fields show the RPC's URL. */
export function unavailable(network: EvmNetwork, error: unknown): ChainUnavailableError {
  if (error instanceof ChainUnavailableError) return error;
  const root = error instanceof BaseError ? error.walk() : error;
  return new ChainUnavailableError(network.name, root instanceof Error ? root.name : "UnknownError");
}
