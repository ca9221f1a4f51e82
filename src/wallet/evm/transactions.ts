/** Transactions of our own wallets: prepare, sign, broadcast, watch. When one may be signed, and under which nonce, is the caller's. */
import {
  BaseError,
  type Hex,
  keccak256,
  parseSignature,
  serializeTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  UnknownNodeError,
} from "viem";
import { getNodeError } from "viem/utils";
import { type EvmCall, TransferFailedError, type UnsignedEvmTransaction } from "../chain.ts";
import type { SealedWallet, Vault } from "../vault.ts";
import { MAX_FEE_PER_GAS_WEI } from "./fees.ts";
import { type EvmRpc, unavailable } from "./rpc.ts";

/** An authorized USDC transfer takes about 85,000; a token that burns far more is not one we send. */
const MAX_GAS = 250_000n;
const ALREADY_KNOWN = /already known|already imported|already exists|known transaction/i;

/** `prepareCall` of `EvmChain`. */
export async function prepareCall(
  rpc: EvmRpc,
  { from, to, data, maxGas = MAX_GAS, minNonce = 0 }: EvmCall,
): Promise<UnsignedEvmTransaction> {
  const call = { to, data };
  const [pendingNonce, balanceWei, estimate, fees] = await Promise.all([
    rpc.ask((client) => client.getTransactionCount({ address: from, blockTag: "pending" })),
    rpc.ask((client) => client.getBalance({ address: from })),
    rpc.client.estimateGas({ account: from, ...call }).catch((error: unknown) => {
      throw refusal(error) ?? unavailable(rpc.network, error);
    }),
    rpc.ask((client) => client.estimateFeesPerGas()),
  ]);
  // Storage that a parallel call touches first may cost a little more than was estimated.
  const gas = (estimate * 5n) / 4n;
  if (gas > maxGas || fees.maxFeePerGas > MAX_FEE_PER_GAS_WEI) {
    throw new TransferFailedError("The network asks for more fees than a transfer may cost.");
  }
  // Not every node looks at the balance when it estimates.
  if (balanceWei < gas * fees.maxFeePerGas) {
    throw new TransferFailedError(
      `The balance of ${rpc.network.nativeSymbol} does not cover the transfer and its network fee.`,
    );
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const { chainId } = rpc.network;
  const nonce = Math.max(pendingNonce, minNonce);
  return { type: "eip1559", chainId, nonce, ...call, value: 0n, gas, maxFeePerGas, maxPriorityFeePerGas };
}

export interface SignedEvmTransaction {
  /** Serialised (EIP-2718 type 2): what is broadcast. */
  readonly rawTransaction: Hex;
  readonly txHash: Hex;
}

/** Deterministic: the same transaction gives the same bytes, however often it is signed. */
export async function signTransaction(
  vault: Vault,
  wallet: SealedWallet,
  unsigned: UnsignedEvmTransaction,
): Promise<SignedEvmTransaction> {
  const digest = keccak256(serializeTransaction(unsigned), "bytes");
  const signature = parseSignature(await vault.signDigest(wallet, digest));
  const rawTransaction = serializeTransaction(unsigned, signature);
  return { rawTransaction, txHash: keccak256(rawTransaction) };
}

/** `broadcast` of `EvmChain`. */
export async function broadcast(rpc: EvmRpc, signed: Hex): Promise<Hex> {
  const txHash = keccak256(signed);
  try {
    await rpc.client.sendRawTransaction({ serializedTransaction: signed });
    return txHash;
  } catch (error) {
    if (error instanceof BaseError && ALREADY_KNOWN.test(error.details ?? "")) return txHash;
    const refused = refusal(error);
    // "Nonce too low" is also what a node says of a transaction that it has mined already.
    if (refused && (await transactionState(rpc, txHash)) !== "unknown") return txHash;
    throw refused ?? unavailable(rpc.network, error);
  }
}

/** The receipt, or null while there is none. @throws {ChainUnavailableError} */
export async function receiptOf(rpc: EvmRpc, hash: Hex): Promise<TransactionReceipt | null> {
  return await rpc.ask((client) =>
    client.getTransactionReceipt({ hash }).catch(absent(TransactionReceiptNotFoundError)),
  );
}

/** `transactionState` of `EvmChain`. */
export async function transactionState(
  rpc: EvmRpc,
  hash: Hex,
): Promise<"pending" | "succeeded" | "reverted" | "unknown"> {
  const receipt = await receiptOf(rpc, hash);
  if (receipt) return receipt.status === "success" ? "succeeded" : "reverted";
  const transaction = await rpc.ask((client) =>
    client.getTransaction({ hash }).catch(absent(TransactionNotFoundError)),
  );
  return transaction ? "pending" : "unknown";
}

function absent(kind: new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof kind) return null;
    throw error;
  };
}

/** The node's own refusal in our words, or undefined when it did not get as far as judging the transaction. */
function refusal(error: unknown): TransferFailedError | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const verdict = error.walk((each) => each instanceof BaseError && REFUSALS.has(each.name)) ?? getNodeError(error, {});
  if (verdict instanceof UnknownNodeError) return undefined;
  const why = REFUSALS.get((verdict as Error).name);
  return why ? new TransferFailedError(`The network refused the transfer: ${why}.`) : undefined;
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["ExecutionRevertedError", "the token contract reverts it"],
  ["InsufficientFundsError", "the balance does not cover amount and network fee"],
  ["NonceTooLowError", "its nonce is used already"],
  ["FeeCapTooLowError", "its fee is below the network's base fee"],
  ["FeeCapTooHighError", "its fee is too high"],
  ["IntrinsicGasTooLowError", "its gas is too low"],
  ["IntrinsicGasTooHighError", "its gas is above the block's limit"],
  ["TransactionTypeNotSupportedError", "the network does not know its type"],
]);
