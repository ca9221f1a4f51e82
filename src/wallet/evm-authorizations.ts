/** How one-shot authorizations stand on an EVM chain: EIP-3009 transfers and Permit2 signature transfers. */
import {
  encodeEventTopics,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  isHash,
  parseAbi,
  parseAbiItem,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import type { AuthorizationState, Permit2Query, TransferAuthorizationQuery } from "./chain.ts";
import { searchLogs } from "./evm-log-search.ts";
import type { AtOneBlock } from "./evm-readings.ts";
import { type EvmRpc, tokenAbi } from "./evm-rpc.ts";

/** Deployed at the same address on every network (github.com/Uniswap/permit2). */
export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** No authorization lives longer than an hour; another hour for clocks that disagree. Nothing of it can be older. */
export const LIFETIME_SECONDS = 7_200n;

/** A block that shows an expiry may yet be replaced by others that end a little earlier. */
const REORGANISATION_SECONDS = 30n;

const permit2Abi = parseAbi(["function nonceBitmap(address owner, uint256 word) view returns (uint256)"]);

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

const USED_SOMEWHERE = { state: "used", txHash: null, chargedAtomic: null } as const satisfies AuthorizationState;

/** Unused at a block after `lastSecond` (the last one at which it could be used): never used, in no later block either. */
export function unusedState(at: AtOneBlock, lastSecond: bigint): AuthorizationState {
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

/**
 * `permit2State` of `EvmChain`. Permit2 logs nothing itself, and calldata and transfers of nothing are anybody's to make
 * up (`transferFrom(owner, payee, 0)` needs no allowance). So only the block in which the nonce went from unused to used
 * counts: ours is at most the largest transfer to the payee in it.
 */
export async function permit2State(rpc: EvmRpc, q: Permit2Query): Promise<AuthorizationState> {
  const args = [q.owner, q.nonce >> 8n] as const;
  const bitmapOf = { address: PERMIT2, abi: permit2Abi, functionName: "nonceBitmap", args } as const;
  const isUsed = (bitmap: bigint) => ((bitmap >> (q.nonce & 0xffn)) & 1n) === 1n;
  const at = await rpc.readAtOneBlock([bitmapOf]);
  if (!isUsed(at.values[0] as bigint)) return unusedState(at, q.deadline);

  const isUsedAt = async (blockNumber: bigint) =>
    isUsed(await rpc.ask((client) => client.readContract({ ...bitmapOf, blockNumber })));
  const judged = new Set<bigint>();
  const useAt = async (blockNumber: bigint): Promise<AuthorizationState | undefined> => {
    if (judged.has(blockNumber)) return undefined;
    judged.add(blockNumber);
    const [before, after] = await Promise.all([isUsedAt(blockNumber - 1n), isUsedAt(blockNumber)]);
    if (before || !after) return undefined;
    const transfers = await rpc.ask((client) =>
      client.getLogs({
        address: q.asset,
        event: transferEvent,
        args: { from: q.owner, to: q.payTo },
        fromBlock: blockNumber,
        toBlock: blockNumber,
        strict: true,
      }),
    );
    const [largest] = transfers
      .filter(({ args: { value } }) => value <= q.valueAtomic)
      .toSorted((one, other) => (one.args.value > other.args.value ? -1 : 1));
    return largest && { state: "used", txHash: largest.transactionHash, chargedAtomic: largest.args.value };
  };

  const claimed = await claimedUse(q.claimedTxHash, async (hash) => {
    const { blockNumber } = await rpc.ask((client) => client.getTransactionReceipt({ hash }));
    return useAt(blockNumber);
  });
  if (claimed) return claimed;
  const topics = encodeEventTopics({
    abi: tokenAbi,
    eventName: "Transfer",
    args: { from: q.owner, to: q.payTo },
  }) as Hex[];
  const found = await searchLogs(
    rpc,
    at,
    { address: q.asset, topics, since: q.deadline - LIFETIME_SECONDS, until: q.deadline },
    async ({ blockNumber }) => (blockNumber ? useAt(hexToBigInt(blockNumber)) : undefined),
  );
  return found ?? USED_SOMEWHERE;
}

/** What `asset` moved from `from` to `to` in a transaction, log by log. */
function transfersIn(receipt: TransactionReceipt, asset: Hex, from: Hex, to: Hex): bigint[] {
  return parseEventLogs({ abi: tokenAbi, eventName: "Transfer", args: { from, to }, logs: receipt.logs })
    .filter((log) => isAddressEqual(log.address, asset))
    .map((log) => log.args.value);
}

/** A claim that names no such transaction, or one that proves nothing, is as good as none. */
async function claimedUse<T>(
  claim: string | null | undefined,
  useIn: (txHash: Hex) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!claim || !isHash(claim)) return undefined;
  return useIn(claim).catch(() => undefined);
}
