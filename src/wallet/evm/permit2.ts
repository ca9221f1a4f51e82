/**
 * How a Permit2 signature transfer stands on an EVM chain, and what it moved. Permit2 logs nothing itself, and calldata and
 * transfers of nothing are anybody's to make up (`transferFrom(owner, payee, 0)` needs no allowance). What counts is the call that
 * succeeded with our nonce: Permit2 takes each nonce of an owner once (github.com/Uniswap/permit2, `SignatureTransfer`).
 */
import { encodeEventTopics, type Hex, hexToBigInt, isAddressEqual, parseAbi, parseAbiItem } from "viem";
import { type AuthorizationState, ChainUnavailableError, type Permit2Query } from "../chain.ts";
import { claimedUse, LIFETIME_SECONDS, transfersIn, USED_SOMEWHERE, unusedState } from "./authorizations.ts";
import { searchLogs } from "./log-search.ts";
import { PERMIT2, type Permit2Call, readSpenderCall, traceCalls } from "./permit2-calls.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

const permit2Abi = parseAbi(["function nonceBitmap(address owner, uint256 word) view returns (uint256)"]);

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** `permit2State` of `EvmChain`. */
export async function permit2State(rpc: EvmRpc, q: Permit2Query): Promise<AuthorizationState> {
  const args = [q.owner, q.nonce >> 8n] as const;
  const bitmapOf = { address: PERMIT2, abi: permit2Abi, functionName: "nonceBitmap", args } as const;
  const isUsed = (bitmap: bigint) => ((bitmap >> (q.nonce & 0xffn)) & 1n) === 1n;
  const at = await rpc.readAtOneBlock([bitmapOf]);
  if (!isUsed(at.values[0] as bigint)) return unusedState(at, q.deadline);

  const isUsedAt = async (blockNumber: bigint) =>
    isUsed(await rpc.ask((client) => client.readContract({ ...bitmapOf, blockNumber })));
  const judged = new Set<bigint>();
  // Where the transaction itself does not tell, the block does: in it the nonce went from unused to used.
  const useAt = async (blockNumber: bigint): Promise<AuthorizationState | undefined> => {
    if (judged.has(blockNumber)) return undefined;
    judged.add(blockNumber);
    const [before, after] = await Promise.all([isUsedAt(blockNumber - 1n), isUsedAt(blockNumber)]);
    return before || !after ? undefined : await useInBlock(rpc, q, blockNumber);
  };
  const useIn = async (txHash: Hex, blockNumber: bigint): Promise<AuthorizationState | undefined> => {
    const shown = await shownBy(rpc, q, txHash);
    if (shown === "another's") return undefined;
    // A node that keeps no states of old blocks can still tell of other transactions.
    return shown === "unclear" ? await useAt(blockNumber).catch(noneIfUnavailable) : shown;
  };

  const claimed = await claimedUse(q.claimedTxHash, async (hash) => {
    const receipt = await rpc.ask((client) => client.getTransactionReceipt({ hash }));
    const moved = transfersIn(receipt, q.asset, q.owner, q.payTo);
    return moved.length > 0 ? await useIn(hash, receipt.blockNumber) : undefined;
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
    async ({ transactionHash, blockNumber }) =>
      transactionHash && blockNumber ? useIn(transactionHash, hexToBigInt(blockNumber)) : undefined,
  );
  return found ?? USED_SOMEWHERE;
}

/** Whose transfer a transaction is that moved the token from owner to payee, by its own call. */
async function shownBy(
  rpc: EvmRpc,
  q: Permit2Query,
  txHash: Hex,
): Promise<AuthorizationState | "another's" | "unclear"> {
  const { to, input } = await rpc.ask((client) => client.getTransaction({ hash: txHash }));
  // The token calls nobody, so not Permit2 either.
  if (to && isAddressEqual(to, q.asset)) return "another's";
  const call = to && isAddressEqual(to, q.spender) ? readSpenderCall(input) : undefined;
  if (!call) return "unclear";
  return isOurs(q, call) ? { state: "used", txHash, chargedAtomic: call.amountAtomic } : "another's";
}

/**
 * The use in the block in which the nonce was used. A contract in between, as one that settles many at once, is looked into by
 * traces; where the RPC serves none, ours is at most the largest transfer to the payee that is not shown to be another's.
 */
async function useInBlock(rpc: EvmRpc, q: Permit2Query, blockNumber: bigint): Promise<AuthorizationState | undefined> {
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
  const unclear = new Set<Hex>();
  for (const txHash of new Set(transfers.map(({ transactionHash }) => transactionHash))) {
    const shown = await shownBy(rpc, q, txHash);
    if (shown === "another's") continue;
    if (shown !== "unclear") return shown;
    const calls = await traceCalls(rpc, txHash).catch(noneIfUnavailable);
    const ours = calls?.find((call) => isOurs(q, call));
    if (ours) return { state: "used", txHash, chargedAtomic: ours.amountAtomic };
    if (!calls) unclear.add(txHash);
  }
  const [largest] = transfers
    .filter(({ transactionHash, args: { value } }) => unclear.has(transactionHash) && value <= q.valueAtomic)
    .toSorted((one, other) => (one.args.value > other.args.value ? -1 : 1));
  return largest && { state: "used", txHash: largest.transactionHash, chargedAtomic: largest.args.value };
}

function isOurs(q: Permit2Query, { owner, nonce }: Permit2Call): boolean {
  return nonce === q.nonce && isAddressEqual(owner, q.owner);
}

function noneIfUnavailable(error: unknown): undefined {
  if (error instanceof ChainUnavailableError) return undefined;
  throw error;
}
