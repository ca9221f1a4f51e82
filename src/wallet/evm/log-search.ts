/** Finding a log when nobody says where it is: backwards in time, in spans that public RPCs serve. */
import type { Hex, RpcLog } from "viem";
import { ChainUnavailableError } from "../chain.ts";
import type { MulticallResult } from "./readings.ts";
import type { EvmRpc } from "./rpc.ts";

/** The most to ask `eth_getLogs` for. Where it is refused (Alchemy's free plan serves 500 or fewer, QuickNode's 5), half is asked for. */
const SPAN_BLOCKS = 2_000n;
/** Days on every network by whole spans; beyond that, or sooner by small ones, the search gives up. */
export const MAX_QUESTIONS = 120;
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
  head: MulticallResult,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await searchAllLogs(rpc, head, query, visit, MAX_QUESTIONS);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return undefined;
    throw error;
  }
}

/**
 * The same, but undefined means that there is no such log since then.
 * @throws {ChainUnavailableError} when the RPC does not serve all of them, or would have to be asked too often.
 */
export async function searchAllLogs<T>(
  rpc: EvmRpc,
  head: MulticallResult,
  query: LogQuery,
  visit: (log: RpcLog) => Promise<T | undefined>,
  maxQuestions = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  const { until } = query;
  const far = until !== undefined && head.timestamp - until > WALK_SECONDS;
  let toBlock = far ? await lastBlockUntil(rpc, until, head.blockNumber) : head.blockNumber;
  let span = SPAN_BLOCKS;
  for (let asked = 0; toBlock >= 0n; asked++) {
    if (asked >= maxQuestions) throw new ChainUnavailableError(rpc.network.name, "TooManyQuestions");
    const fromBlock = toBlock >= span ? toBlock - span + 1n : 0n;
    const [logs, timestamp] = await Promise.all([
      logsOf(rpc, query, fromBlock, toBlock).catch((error: unknown) => {
        if (span === 1n || !isRefusal(error)) throw error;
        return null;
      }),
      timestampOf(rpc, fromBlock),
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

/** Each RPC has another code and text for a span too wide; one that does not answer at all answers no less for a smaller. */
function isRefusal(error: unknown): boolean {
  return error instanceof ChainUnavailableError && error.reason !== "TimeoutError";
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
