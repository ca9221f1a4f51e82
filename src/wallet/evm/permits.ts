/**
 * How an EIP-2612 permit stands on chain. A permit only grants an allowance; the money moves when the spender takes it,
 * at any time later. So three questions: who used the nonce, how much of the allowance is gone, and in which transaction.
 */
import { decodeEventLog, encodeEventTopics, type Hex, isAddressEqual, type RpcLog } from "viem";
import type { AuthorizationState, PermitQuery } from "../chain.ts";
import { LIFETIME_SECONDS, USED_SOMEWHERE, unusedState } from "./authorizations.ts";
import { searchLogs } from "./log-search.ts";
import { drawnBetween, findDraw } from "./permit-draws.ts";
import type { MulticallResult } from "./readings.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

/** `permitState` of `EvmChain`. */
export async function permitState(rpc: EvmRpc, q: PermitQuery): Promise<AuthorizationState> {
  const token = { address: q.asset, abi: tokenAbi };
  const at = await rpc.readAtOneBlock([
    { ...token, functionName: "nonces", args: [q.owner] },
    { ...token, functionName: "allowance", args: [q.owner, q.spender] },
  ]);
  const [nextNonce, allowanceAtomic] = at.values as [bigint, bigint];
  // The token takes a permit until the second of its deadline.
  if (nextNonce <= q.nonce) return unusedState(at, q.deadline);

  const use = await findUse(rpc, at, q, nextNonce);
  if (!use) return USED_SOMEWHERE;
  // Another permit took our nonce, so ours can never be submitted. Past the deadline only: until then an RPC whose logs lag
  // behind its state may be showing an older permit in place of ours.
  if (!use.ours) return unusedState(at, q.deadline);
  if (use.replacedBy !== null) return await drawnBetween(rpc, at, q, use.approval, use.replacedBy);
  const takenAtomic = q.valueAtomic - allowanceAtomic;
  if (takenAtomic === 0n) return { state: "open" };
  const txHash = await findDraw(rpc, at, q, use.approval, takenAtomic);
  return { state: "used", txHash, chargedAtomic: takenAtomic };
}

interface Use {
  readonly ours: boolean;
  readonly approval: RpcLog;
  /** The next approval of the same spender, which set the allowance anew. */
  readonly replacedBy: RpcLog | null;
}

/**
 * Every permit used logs one Approval and takes one nonce, in order: the newest belongs to `nextNonce − 1`, and so on back
 * to ours. Approvals that the owner sent itself take no nonce.
 */
async function findUse(rpc: EvmRpc, at: MulticallResult, q: PermitQuery, nextNonce: bigint): Promise<Use | undefined> {
  let nonce = nextNonce;
  let replacedBy: RpcLog | null = null;
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Approval", args: { owner: q.owner } }) as Hex[];
  const isLatest = nextNonce === q.nonce + 1n;
  const time = { since: q.deadline - LIFETIME_SECONDS, ...(isLatest ? { until: q.deadline } : {}) };
  return searchLogs(rpc, at, { address: q.asset, topics, ...time }, async (log) => {
    const { args } = decodeEventLog({
      abi: tokenAbi,
      eventName: "Approval",
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data,
    });
    const forSpender = isAddressEqual(args.spender, q.spender);
    if (!(await isSentBy(rpc, log, q.owner))) nonce -= 1n;
    if (nonce === q.nonce) return { ours: forSpender && args.value === q.valueAtomic, approval: log, replacedBy };
    if (forSpender) replacedBy = log;
    return undefined;
  });
}

async function isSentBy(rpc: EvmRpc, { transactionHash }: RpcLog, owner: Hex): Promise<boolean> {
  if (!transactionHash) return false;
  const { from } = await rpc.ask((client) => client.getTransaction({ hash: transactionHash }));
  return isAddressEqual(from, owner);
}
