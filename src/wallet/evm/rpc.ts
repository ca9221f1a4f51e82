/** JSON-RPC client of an EVM network, with batching, tracing and error conversion. */
import DataLoader from "dataloader";
import {
  BaseError,
  createPublicClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicClient,
  parseAbi,
} from "viem";
import { tracedRpcCall } from "../../platform/observability/instrumentation.ts";
import { ChainUnavailableError } from "../chain.ts";
import type { EvmNetwork } from "../networks.ts";
import {
  decodeMulticall,
  type EncodedRead,
  encodeMulticall,
  encodeRead,
  MULTICALL3,
  type MulticallResult,
} from "./multicall.ts";
import type { EvmRpc } from "./rpc-client.ts";

const TIMEOUT_MS = 8_000;
const MULTICALL_BYTES = 8_192;
/** Public RPCs reject large JSON-RPC batches. */
const BATCH_SIZE = 50;
/** Groups of reads in one multicall. The gas of this number is within the limit of every RPC. */
const READS_PER_MULTICALL = 100;

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

export type { EvmRpc };

export function createEvmRpc(network: EvmNetwork, rpcUrl: string): EvmRpc {
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: network.nativeSymbol, symbol: network.nativeSymbol, decimals: network.nativeDecimals },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
    // The base fee can double before a transfer is mined.
    fees: { baseFeeMultiplier: 2 },
  });
  const client: PublicClient = createPublicClient({
    chain,
    transport: withTracing(
      network,
      http(rpcUrl, { batch: { batchSize: BATCH_SIZE }, timeout: TIMEOUT_MS, retryCount: 1 }),
    ),
    batch: { multicall: { batchSize: MULTICALL_BYTES } },
  });

  async function request<T>(call: (client: PublicClient) => Promise<T>): Promise<T> {
    try {
      return await call(client);
    } catch (error) {
      throw toUnavailableError(network, error);
    }
  }

  let chainCheck: Promise<void> | undefined;
  /** An "unused" nonce on another chain would release money that is still outstanding. */
  function checkChain(): Promise<void> {
    chainCheck ??= request((rpc) => rpc.getChainId()).then((chainId) => {
      if (chainId !== network.chainId) throw new ChainUnavailableError(network.name, `WrongChain${chainId}`);
    });
    chainCheck.catch(() => {
      chainCheck = undefined;
    });
    return chainCheck;
  }

  /** @param blockNumber default: the latest block */
  async function readGroupsAtOneBlock(readGroups: readonly (readonly EncodedRead[])[], blockNumber?: bigint) {
    const call = { to: MULTICALL3, data: encodeMulticall(readGroups) } as const;
    const [{ data = "0x" }] = await Promise.all([
      request((rpc) => rpc.call(blockNumber === undefined ? call : { ...call, blockNumber })),
      checkChain(),
    ]);
    const results = await request(async () => decodeMulticall(readGroups, data));
    return results.map((result) => result ?? new ChainUnavailableError(network.name, "ContractReadFailed"));
  }

  const options = { cache: false, maxBatchSize: READS_PER_MULTICALL };
  const atOneBlock = new DataLoader<readonly EncodedRead[], MulticallResult>(
    (readGroups) => readGroupsAtOneBlock(readGroups),
    options,
  );
  const atFinalBlock = new DataLoader<readonly EncodedRead[], MulticallResult | null>(async (readGroups) => {
    const head = await request((rpc) => rpc.getBlockNumber({ cacheTime: 0 }));
    const final = head - BigInt(network.confirmations);
    return final < 0n ? readGroups.map(() => null) : await readGroupsAtOneBlock(readGroups, final);
  }, options);

  return {
    network,
    client,
    request,
    checkChain,
    readContractsAtOneBlock: async (readings) => await atOneBlock.load(readings.map(encodeRead)),
    readContractsAtFinalBlock: async (readings) => await atFinalBlock.load(readings.map(encodeRead)),
  };
}

/** Returns a transport that traces each call in its own span, including calls of one batch. */
function withTracing(network: EvmNetwork, transport: HttpTransport): HttpTransport {
  return (options) => {
    const base = transport(options);
    const request: typeof base.request = (call, ...rest) =>
      tracedRpcCall(
        network.name,
        () => call.method,
        () => base.request(call, ...rest),
      );
    return { ...base, request };
  };
}

/** Converts an error of viem. Only the name is passed on, because messages and fields contain the RPC's URL. */
export function toUnavailableError(network: EvmNetwork, error: unknown): ChainUnavailableError {
  if (error instanceof ChainUnavailableError) return error;
  const root = error instanceof BaseError ? error.walk() : error;
  return new ChainUnavailableError(network.name, root instanceof Error ? root.name : "UnknownError");
}
