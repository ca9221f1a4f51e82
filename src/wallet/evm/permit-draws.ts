/** Amounts that the spender of an EIP-2612 permit drew, and their transactions, from the transfers out of the owner's address. */
import { encodeEventTopics, type Hex, hexToBigInt, isAddressEqual, type RpcLog, toFunctionSelector } from "viem";
import { type AuthorizationState, ChainUnavailableError, type PermitQuery } from "../chain.ts";
import { USED_IN_UNKNOWN_TRANSACTION, unusedState } from "./authorizations.ts";
import { MAX_LOG_REQUESTS, searchAllLogs, searchLogs } from "./log-search.ts";
import type { MulticallResult } from "./multicall.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

const TRANSFER_FROM = toFunctionSelector("transferFrom(address,address,uint256)");

/** Returns the newest transaction in which the spender drew money. A draw of the whole amount has precedence. */
export async function findDraw(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  approval: RpcLog,
): Promise<Hex | null> {
  let fallback: Hex | null = null;
  const exact = await searchLogs(rpc, at, await buildTransferFilter(rpc, query, approval), async (log) => {
    if (positionOf(log) < positionOf(approval) || (await findInitiator(rpc, query, log)) !== "spender")
      return undefined;
    if (hexToBigInt(log.data) === query.valueAtomic) return log.transactionHash ?? undefined;
    fallback ??= log.transactionHash;
    return undefined;
  });
  return exact ?? fallback;
}

/**
 * Returns the state of a permit whose allowance a later approval replaced. The allowance before the block of that approval shows
 * what was drawn until then. Draws within the block are added up, and so are transfers whose initiator is unclear. If the RPC
 * does not serve the old allowance, all draws are added up; the charge is unknown if any transfer is unclear.
 */
export async function sumDraws(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  approval: RpcLog,
  replacedBy: RpcLog,
): Promise<AuthorizationState> {
  const draws = await listDraws(rpc, at, query, approval, replacedBy);
  if (!draws) return USED_IN_UNKNOWN_TRANSACTION;
  const sum = (listed: readonly Draw[]) => listed.reduce((total, { amountAtomic }) => total + amountAtomic, 0n);
  const allowanceBefore = await readAllowanceBefore(rpc, query, approval, replacedBy);
  let drawnAtomic = sum(draws);
  if (allowanceBefore !== null && allowanceBefore <= query.valueAtomic) {
    const drawnInBlock = sum(draws.filter(({ blockNumber }) => blockNumber === replacedBy.blockNumber));
    drawnAtomic = query.valueAtomic - allowanceBefore + min(drawnInBlock, allowanceBefore);
  } else if (drawnAtomic > query.valueAtomic || draws.some(({ isUnclear }) => isUnclear)) {
    return USED_IN_UNKNOWN_TRANSACTION;
  }
  if (drawnAtomic === 0n) return unusedState(at, query.deadline);
  const txHash = draws.find(({ isUnclear }) => !isUnclear)?.txHash ?? null;
  return { state: "used", txHash, chargedAtomic: drawnAtomic };
}

/** A transfer by the spender, or one that may be. */
interface Draw {
  readonly amountAtomic: bigint;
  readonly txHash: Hex | null;
  readonly blockNumber: Hex | null;
  readonly isUnclear: boolean;
}

/** Returns the draws between two approvals, newest first. Null if the RPC does not serve all logs. */
async function listDraws(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  approval: RpcLog,
  replacedBy: RpcLog,
): Promise<Draw[] | null> {
  const draws: Draw[] = [];
  const add = async (log: RpcLog) => {
    const position = positionOf(log);
    if (position < positionOf(approval) || position > positionOf(replacedBy)) return undefined;
    const initiator = await findInitiator(rpc, query, log);
    const { transactionHash: txHash, blockNumber } = log;
    const amountAtomic = hexToBigInt(log.data);
    if (initiator !== "other") draws.push({ amountAtomic, txHash, blockNumber, isUnclear: initiator === "unclear" });
    return undefined;
  };
  try {
    const filter = await buildTransferFilter(rpc, query, approval);
    const until = await getLogTimestamp(rpc, replacedBy);
    await searchAllLogs(rpc, at, { ...filter, until }, add, MAX_LOG_REQUESTS);
    return draws;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

/** Returns the allowance at the block before the second approval. Null if the RPC does not serve that state. */
async function readAllowanceBefore(
  rpc: EvmRpc,
  { asset, owner, spender, valueAtomic }: PermitQuery,
  approval: RpcLog,
  replacedBy: RpcLog,
): Promise<bigint | null> {
  if (approval.blockNumber === replacedBy.blockNumber) return valueAtomic;
  const blockNumber = hexToBigInt(replacedBy.blockNumber ?? "0x0") - 1n;
  const call = {
    address: asset,
    abi: tokenAbi,
    functionName: "allowance",
    args: [owner, spender],
    blockNumber,
  } as const;
  try {
    return await rpc.request((client) => client.readContract(call));
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Returns the log filter for the transfers out of the owner's address since the approval of the permit. */
async function buildTransferFilter(rpc: EvmRpc, query: PermitQuery, approval: RpcLog) {
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from: query.owner } }) as Hex[];
  return { address: query.asset, topics, since: await getLogTimestamp(rpc, approval) };
}

/**
 * Returns who initiated a transfer. It is the spender if it called `transferFrom` of the token, or if it is a contract and was
 * called. It is another address if that address called the token. Otherwise the transaction does not show it.
 */
async function findInitiator(rpc: EvmRpc, query: PermitQuery, log: RpcLog): Promise<"spender" | "other" | "unclear"> {
  const { transactionHash: hash } = log;
  if (!hash) return "unclear";
  const { from, to, input } = await rpc.request((client) => client.getTransaction({ hash }));
  if (to && isAddressEqual(to, query.spender)) return "spender";
  if (!to || !isAddressEqual(to, query.asset)) return "unclear";
  return isAddressEqual(from, query.spender) && input.startsWith(TRANSFER_FROM) ? "spender" : "other";
}

async function getLogTimestamp(rpc: EvmRpc, { blockNumber }: RpcLog): Promise<bigint> {
  const block = await rpc.request((client) => client.getBlock({ blockNumber: hexToBigInt(blockNumber ?? "0x0") }));
  return block.timestamp;
}

/** Returns the position of a log in the chain, comparable with that of any other log. */
function positionOf({ blockNumber, logIndex }: RpcLog): bigint {
  return (hexToBigInt(blockNumber ?? "0x0") << 32n) + hexToBigInt(logIndex ?? "0x0");
}
