/** Transactions of Satchel's wallets: preparation, signing, broadcast and state. The caller manages nonces and reservations. */
import {
  BaseError,
  type Hex,
  InsufficientFundsError,
  keccak256,
  parseSignature,
  serializeTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  UnknownNodeError,
} from "viem";
import { getNodeError } from "viem/utils";
import { type EvmCall, NetworkFeeError, TransferFailedError, type UnsignedEvmTransaction } from "../chain.ts";
import type { SealedWallet, Vault } from "../vault.ts";
import { type EvmRpc, toUnavailableError } from "./rpc.ts";

/** An authorized USDC transfer uses about 85,000 gas. Tokens that need far more are not supported. */
const MAX_GAS = 250_000n;
const ALREADY_KNOWN = /already known|already imported|already exists|known transaction/i;

/** Implements `prepareCall` of `EvmChain`. */
export async function prepareCall(
  rpc: EvmRpc,
  { from, to, data, value = 0n, maxGas = MAX_GAS, gas: givenGas, minNonce = 0 }: EvmCall,
): Promise<UnsignedEvmTransaction> {
  const call = { to, data, value };
  // A concurrent call can change storage and thereby raise the gas above the estimate.
  const estimateGas = async () => ((await rpc.client.estimateGas({ account: from, ...call })) * 5n) / 4n;
  const [pendingNonce, balanceWei, gas, fees] = await Promise.all([
    rpc.request((client) => client.getTransactionCount({ address: from, blockTag: "pending" })),
    rpc.request((client) => client.getBalance({ address: from })),
    givenGas ??
      estimateGas().catch((error: unknown) => {
        throw toTransferFailedError(error) ?? toUnavailableError(rpc.network, error);
      }),
    rpc.request((client) => client.estimateFeesPerGas()),
  ]);
  if (gas > maxGas || fees.maxFeePerGas > rpc.network.maxFeePerGasWei) {
    throw new NetworkFeeError("The network fee exceeds the maximum for a transfer. The transaction was not broadcast.");
  }
  // Some nodes do not check the balance in the gas estimate.
  if (balanceWei < value + gas * fees.maxFeePerGas) {
    throw new NetworkFeeError(
      `The balance of ${rpc.network.nativeSymbol} does not cover the transfer and its network fee. The transaction was not broadcast.`,
    );
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const { chainId } = rpc.network;
  const nonce = Math.max(pendingNonce, minNonce);
  return { type: "eip1559", chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas };
}

export interface SignedEvmTransaction {
  /** The serialised transaction for broadcast (EIP-2718 type 2). */
  readonly rawTransaction: Hex;
  readonly txHash: Hex;
}

/** Signs a transaction. The signature is deterministic: the same transaction always gives the same bytes. */
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

/** Implements `broadcast` of `EvmChain`. */
export async function broadcast(rpc: EvmRpc, signed: Hex): Promise<Hex> {
  const txHash = keccak256(signed);
  try {
    await rpc.client.sendRawTransaction({ serializedTransaction: signed });
    return txHash;
  } catch (error) {
    if (error instanceof BaseError && ALREADY_KNOWN.test(error.details ?? "")) return txHash;
    const rejection = toTransferFailedError(error);
    // A node also reports "nonce too low" for a transaction that is already mined.
    if (rejection && (await transactionState(rpc, txHash)) !== "unknown") return txHash;
    throw rejection ?? toUnavailableError(rpc.network, error);
  }
}

/** Returns the receipt, or null if there is none yet. @throws {ChainUnavailableError} */
export async function getReceipt(rpc: EvmRpc, hash: Hex): Promise<TransactionReceipt | null> {
  return await rpc.request((client) =>
    client.getTransactionReceipt({ hash }).catch(nullIf(TransactionReceiptNotFoundError)),
  );
}

/**
 * Returns the receipt of the successful transaction, else of the first one that reverted, or null. Transactions of several nonces can be
 * mined, of which at most one succeeds.
 * @throws {ChainUnavailableError}
 */
export async function findReceipt(rpc: EvmRpc, txHashes: readonly string[]): Promise<TransactionReceipt | null> {
  let reverted: TransactionReceipt | null = null;
  for (const txHash of txHashes) {
    const receipt = await getReceipt(rpc, txHash as Hex);
    if (receipt?.status === "success") return receipt;
    reverted ??= receipt;
  }
  return reverted;
}

/** Returns the network fee in wei. Rollups such as Base add the fee of their layer 1 as `l1Fee`. */
export function feeOf(receipt: TransactionReceipt): bigint {
  const { l1Fee } = receipt as { readonly l1Fee?: string | bigint | null };
  return receipt.gasUsed * receipt.effectiveGasPrice + BigInt(l1Fee ?? 0n);
}

/** Returns the transaction count of an address at the newest final block; 0 if there is none. @throws {ChainUnavailableError} */
export async function readFinalNonce(rpc: EvmRpc, address: Hex): Promise<number> {
  const head = await rpc.request((client) => client.getBlockNumber({ cacheTime: 0 }));
  const blockNumber = head - BigInt(rpc.network.confirmations);
  return blockNumber < 0n ? 0 : await rpc.request((client) => client.getTransactionCount({ address, blockNumber }));
}

/** Implements `transactionState` of `EvmChain`. */
export async function transactionState(
  rpc: EvmRpc,
  hash: Hex,
): Promise<"pending" | "succeeded" | "reverted" | "unknown"> {
  const receipt = await getReceipt(rpc, hash);
  if (receipt) return receipt.status === "success" ? "succeeded" : "reverted";
  const transaction = await rpc.request((client) =>
    client.getTransaction({ hash }).catch(nullIf(TransactionNotFoundError)),
  );
  return transaction ? "pending" : "unknown";
}

function nullIf(kind: new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof kind) return null;
    throw error;
  };
}

/** Converts a node's rejection of a transaction. Returns undefined for other errors, after which the outcome is unknown. */
function toTransferFailedError(error: unknown): TransferFailedError | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const nodeError =
    error.walk((each) => each instanceof BaseError && REJECTION_REASONS.has(each.name)) ?? getNodeError(error, {});
  if (nodeError instanceof UnknownNodeError) return undefined;
  const reason = REJECTION_REASONS.get((nodeError as Error).name);
  if (reason === undefined) return undefined;
  const Failure = nodeError instanceof InsufficientFundsError ? NetworkFeeError : TransferFailedError;
  return new Failure(`The network rejected the transfer: ${reason}.`);
}

const REJECTION_REASONS: ReadonlyMap<string, string> = new Map([
  ["ExecutionRevertedError", "the token contract reverted it"],
  ["InsufficientFundsError", "the balance does not cover amount and network fee"],
  ["NonceTooLowError", "its nonce is already used"],
  ["FeeCapTooLowError", "its fee is below the network's base fee"],
  ["FeeCapTooHighError", "its fee is too high"],
  ["IntrinsicGasTooLowError", "its gas is too low"],
  ["IntrinsicGasTooHighError", "its gas is above the block's limit"],
  ["TransactionTypeNotSupportedError", "the network does not support its type"],
]);
