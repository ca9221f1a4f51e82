/** Search for a log in an unknown block: backwards in time, in spans of blocks that public RPCs serve. */
import type { Hex, RpcLog } from "viem";
import { ChainUnavailableError } from "../chain.ts";
import type { MulticallResult } from "./multicall.ts";
import type { EvmRpc } from "./rpc.ts";

/**
 * Largest span of an `eth_getLogs` request. The span is halved if the RPC rejects it: Alchemy's free plan serves at most 500
 * blocks, QuickNode's 5.
 */
export const SPAN_BLOCKS = 2_000n;
/** Maximum number of requests of a search. With full spans they cover several days on every network. */
export const MAX_LOG_REQUESTS = 120;
/** Distance in time beyond which a bisection for the start block needs fewer requests than a search from the head. */
const WALK_SECONDS = 4n * 3_600n;

interface LogQuery {
  readonly address: Hex;
  /** Topics as in `eth_getLogs`: null matches any value, a list matches alternatives. */
  readonly topics: (Hex | Hex[] | null)[];
  /** Unix seconds. Restricts the search to blocks from about this time to about `until`. */
  readonly since: bigint;
  readonly until?: bigint;
}

/**
 * Passes the logs up to `head` to `visit`, newest first, until it returns a value. Returns undefined if it never does, or
 * if the RPC does not serve the logs. Undefined therefore proves nothing.
 */
export async function searchLogs<T>(
  rpc: EvmRpc,
  head: MulticallResult,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await searchAllLogs(rpc, head, query, visit, MAX_LOG_REQUESTS);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return undefined;
    throw error;
  }
}

/**
 * Searches like `searchLogs`, but undefined proves that no such log exists since `query.since`.
 *
 * @throws {ChainUnavailableError} when the RPC does not serve all logs, or when `maxRequests` is exceeded.
 */
export async function searchAllLogs<T>(
  rpc: EvmRpc,
  head: MulticallResult,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
  maxRequests = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  const { until } = query;
  const isFarBack = until !== undefined && head.timestamp - until > WALK_SECONDS;
  let toBlock = isFarBack ? await findLastBlockUntil(rpc, until, head.blockNumber) : head.blockNumber;
  let span = SPAN_BLOCKS;
  for (let requestCount = 0; toBlock >= 0n; requestCount++) {
    if (requestCount >= maxRequests) throw new ChainUnavailableError(rpc.network.name, "TooManyLogRequests");
    const fromBlock = toBlock >= span ? toBlock - span + 1n : 0n;
    const [logs, timestamp] = await Promise.all([
      getLogs(rpc, query, fromBlock, toBlock).catch((error: unknown) => {
        if (span === 1n || !isRejectedSpan(error)) throw error;
        return null;
      }),
      getBlockTimestamp(rpc, fromBlock),
    ]);
    if (logs === null) {
      span /= 2n;
      continue;
    }
    for (const log of logs.reverse()) {
      const found = await visit(log);
      if (found !== undefined) return found;
    }
    if (timestamp < query.since) return undefined;
    toBlock = fromBlock - 1n;
  }
  return undefined;
}

/**
 * Returns whether a smaller span can succeed. RPCs report an excessive span with different errors, so every error counts
 * except a timeout: the RPC would not respond to a smaller span either.
 */
export function isRejectedSpan(error: unknown): boolean {
  return error instanceof ChainUnavailableError && error.reason !== "TimeoutError";
}

function getLogs(rpc: EvmRpc, { address, topics }: LogQuery, from: bigint, to: bigint): Promise<RpcLog[]> {
  const filter = { address, topics, fromBlock: toHexNumber(from), toBlock: toHexNumber(to) };
  return rpc.request((client) => client.request({ method: "eth_getLogs", params: [filter] }));
}

async function getBlockTimestamp(rpc: EvmRpc, blockNumber: bigint): Promise<bigint> {
  return (await rpc.request((client) => client.getBlock({ blockNumber }))).timestamp;
}

/** Returns the last block whose timestamp is not after `until`, by bisection with about 25 requests. */
export async function findLastBlockUntil(rpc: EvmRpc, until: bigint, latest: bigint): Promise<bigint> {
  let [low, high] = [0n, latest];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if ((await getBlockTimestamp(rpc, middle)) <= until) low = middle;
    else high = middle - 1n;
  }
  return low;
}

export function toHexNumber(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
