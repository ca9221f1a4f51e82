/** How an EIP-3009 transfer stands on an EVM chain, and what other one-shot authorizations have in common with it. */
import { encodeEventTopics, type Hex, isAddressEqual, isHash, parseEventLogs, type TransactionReceipt } from "viem";
import type { AuthorizationState, TransferAuthorizationQuery } from "../chain.ts";
import { searchLogs } from "./log-search.ts";
import type { MulticallResult } from "./readings.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

/** No authorization lives longer than an hour; another hour for clocks that disagree. Nothing of it can be older. */
export const LIFETIME_SECONDS = 7_200n;

/** A block that shows an expiry may yet be replaced by others that end a little earlier. */
const REORGANISATION_SECONDS = 30n;

export const USED_SOMEWHERE = {
  state: "used",
  txHash: null,
  chargedAtomic: null,
} as const satisfies AuthorizationState;

/** Unused at a block after `lastSecond` (the last one at which it could be used): never used, in no later block either. */
export function unusedState(at: MulticallResult, lastSecond: bigint): AuthorizationState {
  return { state: at.timestamp > lastSecond + REORGANISATION_SECONDS ? "dead" : "open" };
}

/** `transferAuthorizationState` of `EvmChain`. A transaction counts when it used the nonce and moved the value. */
export async function transferAuthorizationState(
  rpc: EvmRpc,
  q: TransferAuthorizationQuery,
): Promise<AuthorizationState> {
  const nonceOf = { address: q.asset, abi: tokenAbi, functionName: "authorizationState", args: [q.from, q.nonce] };
  const at = await rpc.readAtOneBlock([nonceOf]);
  // The token demands a block before `validBefore` (EIP-3009).
  if (at.values[0] !== true) return unusedState(at, q.validBefore - 1n);

  const useIn = async (txHash: Hex): Promise<AuthorizationState | undefined> => {
    const receipt = await rpc.ask((client) => client.getTransactionReceipt({ hash: txHash }));
    const ends = parseEventLogs({
      abi: tokenAbi,
      eventName: ["AuthorizationUsed", "AuthorizationCanceled"],
      args: { authorizer: q.from, nonce: q.nonce },
      logs: receipt.logs.filter((log) => isAddressEqual(log.address, q.asset)),
    });
    if (!ends[0]) return undefined;
    if (ends[0].eventName === "AuthorizationCanceled") return { state: "used", txHash, chargedAtomic: 0n };
    const paid = transfersIn(receipt, q.asset, q.from, q.to).includes(q.valueAtomic);
    return { state: "used", txHash, chargedAtomic: paid ? q.valueAtomic : null };
  };

  const claimed = await claimedUse(q.claimedTxHash, useIn);
  if (claimed) return claimed;
  const [used, canceled] = (["AuthorizationUsed", "AuthorizationCanceled"] as const).map(
    (eventName) => encodeEventTopics({ abi: tokenAbi, eventName })[0],
  );
  const [, authorizer, nonce] = encodeEventTopics({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    args: { authorizer: q.from, nonce: q.nonce },
  }) as [Hex, Hex, Hex];
  const found = await searchLogs(
    rpc,
    at,
    {
      address: q.asset,
      topics: [[used, canceled] as Hex[], authorizer, nonce],
      since: q.validBefore - LIFETIME_SECONDS,
      until: q.validBefore,
    },
    async ({ transactionHash }) => (transactionHash ? useIn(transactionHash) : undefined),
  );
  return found ?? USED_SOMEWHERE;
}

/** What `asset` moved from `from` to `to` in a transaction, log by log. */
export function transfersIn(receipt: TransactionReceipt, asset: Hex, from: Hex, to: Hex): bigint[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", args: { from, to }, logs: receipt.logs })
    .filter((log) => isAddressEqual(log.address, asset))
    .map((log) => log.args.value);
}

/** A claim that names no such transaction, or one that proves nothing, is as good as none. */
export async function claimedUse<T>(
  claim: string | null | undefined,
  useIn: (txHash: Hex) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!claim || !isHash(claim)) return undefined;
  return useIn(claim).catch(() => undefined);
}
