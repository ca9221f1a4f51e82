/**
 * State of Permit2 signature transfers on an EVM chain, and the amounts that they moved. Permit2 emits no events. Any address
 * can send matching calldata or a transfer of zero, as `transferFrom(owner, payee, 0)` needs no allowance. The proof is a
 * successful call with the nonce: Permit2 accepts each nonce of an owner once (github.com/Uniswap/permit2, `SignatureTransfer`).
 */
import { encodeEventTopics, type Hex, hexToBigInt, isAddressEqual, parseAbi, parseAbiItem } from "viem";
import { type AuthorizationState, ChainUnavailableError, type Permit2Query } from "../chain.ts";
import {
  LIFETIME_SECONDS,
  readClaimedUse,
  transferAmounts,
  USED_IN_UNKNOWN_TRANSACTION,
  unusedState,
} from "./authorizations.ts";
import { withFinalCharge } from "./finality.ts";
import { searchLogs } from "./log-search.ts";
import { decodeSpenderCall, PERMIT2, type Permit2Call, traceCalls } from "./permit2-calls.ts";
import { type EvmRpc, tokenAbi } from "./rpc.ts";

const permit2Abi = parseAbi(["function nonceBitmap(address owner, uint256 word) view returns (uint256)"]);

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Implements `permit2State` of `EvmChain`. */
export async function permit2State(rpc: EvmRpc, query: Permit2Query): Promise<AuthorizationState> {
  const args = [query.owner, query.nonce >> 8n] as const;
  const bitmapRead = { address: PERMIT2, abi: permit2Abi, functionName: "nonceBitmap", args } as const;
  const isUsed = (bitmap: bigint) => ((bitmap >> (query.nonce & 0xffn)) & 1n) === 1n;
  const at = await rpc.readContractsAtOneBlock([bitmapRead]);
  if (!isUsed(at.values[0] as bigint)) return unusedState(at, query.deadline);

  const isUsedAt = async (blockNumber: bigint) =>
    isUsed(await rpc.request((client) => client.readContract({ ...bitmapRead, blockNumber })));
  const checkedBlocks = new Set<bigint>();
  // If the transaction does not show whether it used the nonce, the block does: in it the nonce changed from unused to used.
  const readUseAtBlock = async (blockNumber: bigint): Promise<AuthorizationState | undefined> => {
    if (checkedBlocks.has(blockNumber)) return undefined;
    checkedBlocks.add(blockNumber);
    const [before, after] = await Promise.all([isUsedAt(blockNumber - 1n), isUsedAt(blockNumber)]);
    return before || !after ? undefined : await findUseInBlock(rpc, query, blockNumber);
  };
  const readUse = async (txHash: Hex, blockNumber: bigint): Promise<AuthorizationState | undefined> => {
    const attribution = await attributeTransaction(rpc, query, txHash);
    if (attribution === "other") return undefined;
    // A node without the states of old blocks can still serve other transactions, so the search continues.
    return attribution === "unclear" ? await readUseAtBlock(blockNumber).catch(undefinedIfUnavailable) : attribution;
  };

  const claimed = await readClaimedUse(query.claimedTxHash, async (hash) => {
    const receipt = await rpc.request((client) => client.getTransactionReceipt({ hash }));
    const moved = transferAmounts(receipt, query.asset, query.owner, query.payTo);
    return moved.length > 0 ? await readUse(hash, receipt.blockNumber) : undefined;
  });
  if (claimed) return await withFinalCharge(rpc, at, query.valueAtomic, claimed);
  const topics = encodeEventTopics({
    abi: tokenAbi,
    eventName: "Transfer",
    args: { from: query.owner, to: query.payTo },
  }) as Hex[];
  const found = await searchLogs(
    rpc,
    at,
    { address: query.asset, topics, since: query.deadline - LIFETIME_SECONDS, until: query.deadline },
    async ({ transactionHash, blockNumber }) =>
      transactionHash && blockNumber ? readUse(transactionHash, hexToBigInt(blockNumber)) : undefined,
  );
  return await withFinalCharge(rpc, at, query.valueAtomic, found ?? USED_IN_UNKNOWN_TRANSACTION);
}

/**
 * Determines from its top-level call whether a transaction executed the queried transfer. The transaction is known to move
 * the token from owner to payee. `other`: it executed a different transfer.
 */
async function attributeTransaction(
  rpc: EvmRpc,
  query: Permit2Query,
  txHash: Hex,
): Promise<AuthorizationState | "other" | "unclear"> {
  const { to, input } = await rpc.request((client) => client.getTransaction({ hash: txHash }));
  // The token contract calls no other contract, so it did not call Permit2.
  if (to && isAddressEqual(to, query.asset)) return "other";
  const call = to && isAddressEqual(to, query.spender) ? decodeSpenderCall(input) : undefined;
  if (!call) return "unclear";
  return matchesQuery(query, call) ? { state: "used", txHash, chargedAtomic: call.amountAtomic } : "other";
}

/**
 * Returns the use in the block in which the nonce was used. Calls through another contract, such as a batch settlement, are read
 * from traces. Without traces, the charge is assumed to be the largest transfer to the payee that could be the queried one.
 */
async function findUseInBlock(
  rpc: EvmRpc,
  query: Permit2Query,
  blockNumber: bigint,
): Promise<AuthorizationState | undefined> {
  const transfers = await rpc.request((client) =>
    client.getLogs({
      address: query.asset,
      event: transferEvent,
      args: { from: query.owner, to: query.payTo },
      fromBlock: blockNumber,
      toBlock: blockNumber,
      strict: true,
    }),
  );
  const unclear = new Set<Hex>();
  for (const txHash of new Set(transfers.map(({ transactionHash }) => transactionHash))) {
    const attribution = await attributeTransaction(rpc, query, txHash);
    if (attribution === "other") continue;
    if (attribution !== "unclear") return attribution;
    const calls = await traceCalls(rpc, txHash).catch(undefinedIfUnavailable);
    const match = calls?.find((call) => matchesQuery(query, call));
    if (match) return { state: "used", txHash, chargedAtomic: match.amountAtomic };
    if (!calls) unclear.add(txHash);
  }
  const [largest] = transfers
    .filter(({ transactionHash, args: { value } }) => unclear.has(transactionHash) && value <= query.valueAtomic)
    .toSorted((one, other) => (one.args.value > other.args.value ? -1 : 1));
  return largest && { state: "used", txHash: largest.transactionHash, chargedAtomic: largest.args.value };
}

function matchesQuery(query: Permit2Query, { owner, nonce }: Permit2Call): boolean {
  return nonce === query.nonce && isAddressEqual(owner, query.owner);
}

function undefinedIfUnavailable(error: unknown): undefined {
  if (error instanceof ChainUnavailableError) return undefined;
  throw error;
}
