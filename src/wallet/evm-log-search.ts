/** Finding a log when nobody says where it is: backwards in time, in spans that public RPCs serve. */
import type { Hex, RpcLog } from "viem";
import { ChainUnavailableError } from "./chain.ts";
import type { AtOneBlock } from "./evm-readings.ts";
import type { EvmRpc } from "./evm-rpc.ts";

/** RPCs limit `eth_getLogs` to 2,000 blocks or more. */
const SPAN_BLOCKS = 2_000n;
/** A day and more on every network; beyond that the search gives up. */
const MAX_SPANS = 50;
/** Longer ago than this, finding the block of a moment costs less than walking back to it. */
const WALK_SECONDS = 4n * 3_600n;

interface LogQuery {
  readonly address: Hex;
  /** As `eth_getLogs` takes them: null for any, a list for alternatives. */
  readonly topics: (Hex | Hex[] | null)[];
  /** Unix seconds: only logs of blocks in this time, as far as it can be told, are of interest. */
  readonly since: bigint;
  readonly until?: bigint;
}

/**
 * Shows `visit` the logs before and at `head`, newest first, until it answers something. Undefined when it never did, or
 * when the RPC does not serve such logs: a search only ever adds knowledge.
 */
export async function searchLogs<T>(
  rpc: EvmRpc,
  head: AtOneBlock,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await walkBack(rpc, head, query, MAX_SPANS, visit);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return undefined;
    throw error;
  }
}

/**
 * The same, as far back as it takes: undefined means that there is no such log since then.
 * @throws {ChainUnavailableError} when the RPC does not serve all of them.
 */
export async function searchAllLogs<T>(
  rpc: EvmRpc,
  head: AtOneBlock,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
): Promise<T | undefined> {
  return await walkBack(rpc, head, query, Number.POSITIVE_INFINITY, visit);
}

async function walkBack<T>(
  rpc: EvmRpc,
  head: AtOneBlock,
  query: LogQuery,
  maxSpans: number,
  visit: (log: RpcLog) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { until } = query;
  const far = until !== undefined && head.timestamp - until > WALK_SECONDS;
  let toBlock = far ? await lastBlockUntil(rpc, until, head.blockNumber) : head.blockNumber;
  for (let span = 0; span < maxSpans && toBlock >= 0n; span++) {
    const fromBlock = toBlock >= SPAN_BLOCKS ? toBlock - SPAN_BLOCKS + 1n : 0n;
    const [logs, timestamp] = await Promise.all([logsOf(rpc, query, fromBlock, toBlock), timestampOf(rpc, fromBlock)]);
    for (const log of logs.reverse()) {
      const found = await visit(log);
      if (found !== undefined) return found;
    }
    if (timestamp < query.since) return undefined;
    toBlock = fromBlock - 1n;
  }
  return undefined;
}

function logsOf(rpc: EvmRpc, { address, topics }: LogQuery, from: bigint, to: bigint): Promise<RpcLog[]> {
  const filter = { address, topics, fromBlock: toHexNumber(from), toBlock: toHexNumber(to) };
  return rpc.ask((client) => client.request({ method: "eth_getLogs", params: [filter] }));
}

async function timestampOf(rpc: EvmRpc, blockNumber: bigint): Promise<bigint> {
  return (await rpc.ask((client) => client.getBlock({ blockNumber }))).timestamp;
}

/** The last block whose time is not after `until`, by bisection: about 25 questions. */
async function lastBlockUntil(rpc: EvmRpc, until: bigint, latest: bigint): Promise<bigint> {
  let [low, high] = [0n, latest];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if ((await timestampOf(rpc, middle)) <= until) low = middle;
    else high = middle - 1n;
  }
  return low;
}

function toHexNumber(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
