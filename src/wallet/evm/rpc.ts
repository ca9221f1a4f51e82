/** One EVM network's JSON-RPC: the client, and what every reading of it has in common. */
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
  callOf,
  decodeReadings,
  encodeReadings,
  MULTICALL3,
  type MulticallResult,
  type ReadingCall,
} from "./readings.ts";
import type { EvmRpc } from "./rpc-client.ts";

const TIMEOUT_MS = 8_000;
const MULTICALL_BYTES = 8_192;
/** Public RPCs refuse large JSON-RPC batches. */
const BATCH_SIZE = 50;
/** Payments looked up in one call: little enough gas for any RPC. */
const READ_AT_ONCE = 100;

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
    // Room for the base fee to double before a transfer is mined.
    fees: { baseFeeMultiplier: 2 },
  });
  const client: PublicClient = createPublicClient({
    chain,
    transport: traced(network, http(rpcUrl, { batch: { batchSize: BATCH_SIZE }, timeout: TIMEOUT_MS, retryCount: 1 })),
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

  const atOneBlock = new DataLoader<readonly ReadingCall[], MulticallResult>(
    async (asked) => {
      const [{ data = "0x" }] = await Promise.all([
        ask((rpc) => rpc.call({ to: MULTICALL3, data: encodeReadings(asked) })),
        checkChain(),
      ]);
      const answers = await ask(async () => decodeReadings(asked, data));
      return answers.map((answer) => answer ?? new ChainUnavailableError(network.name, "ReadingFailed"));
    },
    { cache: false, maxBatchSize: READ_AT_ONCE },
  );

  return {
    network,
    client,
    ask,
    checkChain,
    readAtOneBlock: async (readings) => await atOneBlock.load(readings.map(callOf)),
  };
}

/** Each call with a span of its own, whichever calls travel together. */
function traced(network: EvmNetwork, transport: HttpTransport): HttpTransport {
  return (options) => {
    const made = transport(options);
    const request: typeof made.request = (call, ...rest) =>
      tracedRpcCall(
        network.name,
        () => call.method,
        () => made.request(call, ...rest),
      );
    return { ...made, request };
  };
}

/** Only the names of viem's errors go on: their messages and fields show the RPC's URL. */
export function unavailable(network: EvmNetwork, error: unknown): ChainUnavailableError {
  if (error instanceof ChainUnavailableError) return error;
  const root = error instanceof BaseError ? error.walk() : error;
  return new ChainUnavailableError(network.name, root instanceof Error ? root.name : "UnknownError");
}
