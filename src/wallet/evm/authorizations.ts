/** State of EIP-3009 transfers on an EVM chain, and functions shared by all one-time authorizations. */
import { encodeEventTopics, type Hex, isAddressEqual, isHash, parseEventLogs, type TransactionReceipt } from "viem";
import type { AuthorizationState, TransferAuthorizationQuery } from "../chain.ts";
import { withFinalCharge } from "./finality.ts";
import { searchLogs } from "./log-search.ts";
import type { MulticallResult } from "./multicall.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

/** Maximum age of an authorization's transaction: one hour of validity, and one hour of clock difference. */
export const LIFETIME_SECONDS = 7_200n;

/** Margin after the expiry: a reorganisation can replace the latest block by one with an earlier timestamp. */
const REORGANISATION_SECONDS = 30n;

export const USED_IN_UNKNOWN_TRANSACTION = {
  state: "used",
  txHash: null,
  chargedAtomic: null,
} as const satisfies AuthorizationState;

/**
 * Returns the state of an authorization that is unused at the block of `at`. It is dead once that block is more than
 * `REORGANISATION_SECONDS` after `lastSecond`, the last second at which the authorization is valid.
 */
export function unusedState(at: MulticallResult, lastSecond: bigint): AuthorizationState {
  return { state: at.timestamp > lastSecond + REORGANISATION_SECONDS ? "dead" : "open" };
}

/**
 * Implements `transferAuthorizationState` of `EvmChain`. A transaction proves the charge if it used the nonce and transferred
 * the value.
 */
export async function transferAuthorizationState(
  rpc: EvmRpc,
  query: TransferAuthorizationQuery,
): Promise<AuthorizationState> {
  const nonceRead = {
    address: query.asset,
    abi: tokenAbi,
    functionName: "authorizationState",
    args: [query.from, query.nonce],
  };
  const at = await rpc.readContractsAtOneBlock([nonceRead]);
  // The token requires a block timestamp before `validBefore` (EIP-3009).
  if (at.values[0] !== true) return unusedState(at, query.validBefore - 1n);

  const readUse = async (txHash: Hex): Promise<AuthorizationState | undefined> => {
    const receipt = await rpc.request((client) => client.getTransactionReceipt({ hash: txHash }));
    const events = parseEventLogs({
      abi: tokenAbi,
      eventName: ["AuthorizationUsed", "AuthorizationCanceled"],
      args: { authorizer: query.from, nonce: query.nonce },
      logs: receipt.logs.filter((log) => isAddressEqual(log.address, query.asset)),
    });
    if (!events[0]) return undefined;
    if (events[0].eventName === "AuthorizationCanceled") return { state: "used", txHash, chargedAtomic: 0n };
    const hasPaid = transferAmounts(receipt, query.asset, query.from, query.to).includes(query.valueAtomic);
    return { state: "used", txHash, chargedAtomic: hasPaid ? query.valueAtomic : null };
  };

  const claimed = await readClaimedUse(query.claimedTxHash, readUse);
  if (claimed) return await withFinalCharge(rpc, at, query.valueAtomic, claimed);
  const [used, canceled] = (["AuthorizationUsed", "AuthorizationCanceled"] as const).map(
    (eventName) => encodeEventTopics({ abi: tokenAbi, eventName })[0],
  );
  const [, authorizer, nonce] = encodeEventTopics({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    args: { authorizer: query.from, nonce: query.nonce },
  }) as [Hex, Hex, Hex];
  const found = await searchLogs(
    rpc,
    at,
    {
      address: query.asset,
      topics: [[used, canceled] as Hex[], authorizer, nonce],
      since: query.validBefore - LIFETIME_SECONDS,
      until: query.validBefore,
    },
    async ({ transactionHash }) => (transactionHash ? readUse(transactionHash) : undefined),
  );
  return await withFinalCharge(rpc, at, query.valueAtomic, found ?? USED_IN_UNKNOWN_TRANSACTION);
}

/** Returns the amounts of `asset` that a transaction transferred from `from` to `to`, one for each log. */
export function transferAmounts(receipt: TransactionReceipt, asset: Hex, from: Hex, to: Hex): bigint[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", args: { from, to }, logs: receipt.logs })
    .filter((log) => isAddressEqual(log.address, asset))
    .map((log) => log.args.value);
}

/** Reads the use from a reported transaction. Returns undefined if it does not exist or does not prove the use. */
export async function readClaimedUse<T>(
  claim: string | null | undefined,
  readUse: (txHash: Hex) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!claim || !isHash(claim)) return undefined;
  return readUse(claim).catch(() => undefined);
}
