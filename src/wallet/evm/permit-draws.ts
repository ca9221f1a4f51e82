/** Amounts that the spender of an EIP-2612 permit drew, and their transactions, from the transfers out of the owner's address. */
import { encodeEventTopics, type Hex, hexToBigInt, isAddressEqual, type RpcLog, toFunctionSelector } from "viem";
import { type AuthorizationState, ChainUnavailableError, type PermitQuery } from "../chain.ts";
import { USED_IN_UNKNOWN_TRANSACTION, unusedState } from "./authorizations.ts";
import { MAX_LOG_REQUESTS, searchAllLogs, searchLogs } from "./log-search.ts";
import type { MulticallResult } from "./multicall.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

const TRANSFER_FROM = toFunctionSelector("transferFrom(address,address,uint256)");

/** Returns the transaction in which the spender drew the money. A transfer of the whole amount has precedence. */
export async function findDraw(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  approval: RpcLog,
  drawnAtomic: bigint,
): Promise<Hex | null> {
  let fallback: Hex | null = null;
  const exact = await searchLogs(rpc, at, await buildTransferFilter(rpc, query, approval), async (log) => {
    if (positionOf(log) < positionOf(approval) || (await findInitiator(rpc, query, log)) !== "spender")
      return undefined;
    if (hexToBigInt(log.data) === drawnAtomic) return log.transactionHash ?? undefined;
    fallback ??= log.transactionHash;
    return undefined;
  });
  return exact ?? fallback;
}

/**
 * Returns the state of a permit whose allowance a later approval replaced. The allowance then no longer shows what was drawn, so
 * the spender's transfers between the two approvals are added up. The permit is unused if there are none, including unclear
 * ones.
 */
export async function sumDraws(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  approval: RpcLog,
  replacedBy: RpcLog,
): Promise<AuthorizationState> {
  let txHash: Hex | null = null;
  let drawnAtomic = 0n;
  let isUnclear = false;
  const transferFilter = {
    ...(await buildTransferFilter(rpc, query, approval)),
    until: await getLogTimestamp(rpc, replacedBy),
  };
  const add = async (log: RpcLog) => {
    const position = positionOf(log);
    if (position < positionOf(approval) || position > positionOf(replacedBy)) return undefined;
    const initiator = await findInitiator(rpc, query, log);
    if (initiator === "unclear") isUnclear = true;
    if (initiator !== "spender") return undefined;
    drawnAtomic += hexToBigInt(log.data);
    txHash ??= log.transactionHash;
    return undefined;
  };
  try {
    await searchAllLogs(rpc, at, transferFilter, add, MAX_LOG_REQUESTS);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return USED_IN_UNKNOWN_TRANSACTION;
    throw error;
  }
  if (drawnAtomic === 0n && !isUnclear) return unusedState(at, query.deadline);
  if (drawnAtomic === 0n || drawnAtomic > query.valueAtomic) return USED_IN_UNKNOWN_TRANSACTION;
  return { state: "used", txHash, chargedAtomic: drawnAtomic };
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
