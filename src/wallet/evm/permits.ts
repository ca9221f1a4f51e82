/**
 * State of EIP-2612 permits on chain. A permit only grants an allowance, which the spender can draw at any later time, in any
 * number of draws. A permit has therefore ended only when nothing is left of its allowance: it was drawn completely, or a later
 * approval replaced it. Everything is read at the newest final block, because both ends release money.
 */
import { decodeEventLog, encodeEventTopics, type Hex, isAddressEqual, type RpcLog } from "viem";
import type { AuthorizationState, PermitQuery } from "../chain.ts";
import { LIFETIME_SECONDS, USED_IN_UNKNOWN_TRANSACTION, unusedState } from "./authorizations.ts";
import { searchLogs } from "./log-search.ts";
import type { ContractRead, MulticallResult } from "./multicall.ts";
import { findDraw, sumDraws } from "./permit-draws.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

/** Returns the reads of the owner's next permit nonce and the spender's allowance. */
export function allowanceReads(asset: Hex, owner: Hex, spender: Hex): ContractRead[] {
  const token = { address: asset, abi: tokenAbi };
  return [
    { ...token, functionName: "nonces", args: [owner] },
    { ...token, functionName: "allowance", args: [owner, spender] },
  ];
}

/** Implements `permitState` of `EvmChain`. */
export async function permitState(rpc: EvmRpc, query: PermitQuery): Promise<AuthorizationState> {
  const at = await rpc.readContractsAtFinalBlock(allowanceReads(query.asset, query.owner, query.spender));
  if (!at) return { state: "open" };
  const [nextNonce, allowanceAtomic] = at.values as [bigint, bigint];
  // The token accepts a permit up to and including the second of its deadline.
  if (nextNonce <= query.nonce) return unusedState(at, query.deadline);

  const use = await findUse(rpc, at, query, nextNonce);
  if (use?.isQueriedPermit && use.replacedBy) return await sumDraws(rpc, at, query, use.approval, use.replacedBy);
  // Also if the logs are missing or attribute the nonce to another permit: an allowance that exists can be drawn.
  if (allowanceAtomic > 0n) {
    const hasDrawn = use?.isQueriedPermit === true && allowanceAtomic < query.valueAtomic;
    const isRevocable = hasDrawn || at.timestamp > query.deadline;
    return { state: "granted", collectableAtomic: allowanceAtomic, isRevocable, nextNonce };
  }
  if (!use) return USED_IN_UNKNOWN_TRANSACTION;
  // Another permit used the nonce, so this one can never be submitted. This holds only past the deadline: an RPC whose logs lag
  // behind its state may show an older permit in its place.
  if (!use.isQueriedPermit) return unusedState(at, query.deadline);
  const txHash = await findDraw(rpc, at, query, use.approval);
  return { state: "used", txHash, chargedAtomic: query.valueAtomic };
}

/** The approval that used the nonce of a permit. */
interface Use {
  readonly isQueriedPermit: boolean;
  readonly approval: RpcLog;
  /** The next approval for the same spender, which replaced the allowance. Null if there is none. */
  readonly replacedBy: RpcLog | null;
}

/**
 * Finds the approval that used the nonce of the permit. Each used permit logs one Approval and uses one nonce, in order: the
 * newest belongs to `nextNonce − 1`, and so on. Approvals in transactions that the owner sent use no nonce.
 */
async function findUse(
  rpc: EvmRpc,
  at: MulticallResult,
  query: PermitQuery,
  nextNonce: bigint,
): Promise<Use | undefined> {
  let nonce = nextNonce;
  let replacedBy: RpcLog | null = null;
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Approval", args: { owner: query.owner } }) as Hex[];
  const isLatest = nextNonce === query.nonce + 1n;
  const period = { since: query.deadline - LIFETIME_SECONDS, ...(isLatest ? { until: query.deadline } : {}) };
  return searchLogs(rpc, at, { address: query.asset, topics, ...period }, async (log) => {
    const { args } = decodeEventLog({
      abi: tokenAbi,
      eventName: "Approval",
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data,
    });
    const isForSpender = isAddressEqual(args.spender, query.spender);
    if (!(await isSentBy(rpc, log, query.owner))) nonce -= 1n;
    if (nonce === query.nonce)
      return { isQueriedPermit: isForSpender && args.value === query.valueAtomic, approval: log, replacedBy };
    if (isForSpender) replacedBy = log;
    return undefined;
  });
}

async function isSentBy(rpc: EvmRpc, { transactionHash }: RpcLog, owner: Hex): Promise<boolean> {
  if (!transactionHash) return false;
  const { from } = await rpc.request((client) => client.getTransaction({ hash: transactionHash }));
  return isAddressEqual(from, owner);
}
