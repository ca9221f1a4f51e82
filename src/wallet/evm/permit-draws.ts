/** What the spender of an EIP-2612 permit took by it, and where: found among the transfers out of the owner's account. */
import { encodeEventTopics, type Hex, hexToBigInt, isAddressEqual, type RpcLog, toFunctionSelector } from "viem";
import { type AuthorizationState, ChainUnavailableError, type PermitQuery } from "../chain.ts";
import { USED_SOMEWHERE, unusedState } from "./authorizations.ts";
import { MAX_QUESTIONS, searchAllLogs, searchLogs } from "./log-search.ts";
import type { MulticallResult } from "./readings.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

const TRANSFER_FROM = toFunctionSelector("transferFrom(address,address,uint256)");

/** The transaction in which the spender took the money: one over the whole amount comes before any other. */
export async function findDraw(
  rpc: EvmRpc,
  at: MulticallResult,
  q: PermitQuery,
  approval: RpcLog,
  takenAtomic: bigint,
): Promise<Hex | null> {
  let fallback: Hex | null = null;
  const exact = await searchLogs(rpc, at, await transfersSince(rpc, q, approval), async (log) => {
    if (positionOf(log) < positionOf(approval) || (await takenBy(rpc, q, log)) !== "the spender") return undefined;
    if (hexToBigInt(log.data) === takenAtomic) return log.transactionHash ?? undefined;
    fallback ??= log.transactionHash;
    return undefined;
  });
  return exact ?? fallback;
}

/**
 * What was taken until the allowance was set anew: from then on it no longer tells what ours gave, so the spender's transfers are
 * added up. None at all, and nothing that could be one, means that ours was never drawn from.
 */
export async function drawnBetween(
  rpc: EvmRpc,
  at: MulticallResult,
  q: PermitQuery,
  approval: RpcLog,
  replacedBy: RpcLog,
): Promise<AuthorizationState> {
  let txHash: Hex | null = null;
  let takenAtomic = 0n;
  let isUnclear = false;
  const query = { ...(await transfersSince(rpc, q, approval)), until: await timeOf(rpc, replacedBy) };
  const add = async (log: RpcLog) => {
    const position = positionOf(log);
    if (position < positionOf(approval) || position > positionOf(replacedBy)) return undefined;
    const taker = await takenBy(rpc, q, log);
    if (taker === "unclear") isUnclear = true;
    if (taker !== "the spender") return undefined;
    takenAtomic += hexToBigInt(log.data);
    txHash ??= log.transactionHash;
    return undefined;
  };
  try {
    await searchAllLogs(rpc, at, query, add, MAX_QUESTIONS);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return USED_SOMEWHERE;
    throw error;
  }
  if (takenAtomic === 0n && !isUnclear) return unusedState(at, q.deadline);
  if (takenAtomic === 0n || takenAtomic > q.valueAtomic) return USED_SOMEWHERE;
  return { state: "used", txHash, chargedAtomic: takenAtomic };
}

/** The transfers out of the owner's account since ours was submitted. */
async function transfersSince(rpc: EvmRpc, q: PermitQuery, approval: RpcLog) {
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from: q.owner } }) as Hex[];
  return { address: q.asset, topics, since: await timeOf(rpc, approval) };
}

/**
 * Who moved the owner's money: the spender where it called `transferFrom` of the token or, being a contract, was called itself;
 * somebody else where they called the token; else it cannot be told by the transaction.
 */
async function takenBy(rpc: EvmRpc, q: PermitQuery, log: RpcLog): Promise<"the spender" | "another" | "unclear"> {
  const { transactionHash: hash } = log;
  if (!hash) return "unclear";
  const { from, to, input } = await rpc.ask((client) => client.getTransaction({ hash }));
  if (to && isAddressEqual(to, q.spender)) return "the spender";
  if (!to || !isAddressEqual(to, q.asset)) return "unclear";
  return isAddressEqual(from, q.spender) && input.startsWith(TRANSFER_FROM) ? "the spender" : "another";
}

async function timeOf(rpc: EvmRpc, { blockNumber }: RpcLog): Promise<bigint> {
  const block = await rpc.ask((client) => client.getBlock({ blockNumber: hexToBigInt(blockNumber ?? "0x0") }));
  return block.timestamp;
}

/** Where a log stands among all others. */
function positionOf({ blockNumber, logIndex }: RpcLog): bigint {
  return (hexToBigInt(blockNumber ?? "0x0") << 32n) + hexToBigInt(logIndex ?? "0x0");
}
