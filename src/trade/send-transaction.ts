/**
 * Signing and sending of one row of `evm_transactions`. Its fields are committed before it is signed, and its bytes before they are
 * sent. Signatures are deterministic, so signing a row again gives the same bytes. Only raising the fees gives others; the former
 * hashes are then stored, because any of those transactions may still be mined.
 */
import type { EvmTransaction, Prisma } from "../../generated/prisma/client.ts";
import { findFreeze, holdOpen } from "../accounts/freeze/freeze-state.ts";
import { AccountFrozenError, ServiceFrozenError } from "../platform/errors.ts";
import { TransferFailedError } from "../wallet/chain.ts";
import { type Fees, raiseFees } from "../wallet/evm/fees.ts";
import { getReceipt, signTransaction } from "../wallet/evm/transactions.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { TradeDeps } from "./deps.ts";
import { currentFees } from "./fees.ts";
import { TRADE_NETWORK } from "./tokens.ts";

/** Cancellation: a transfer of zero to the wallet itself. */
const CANCEL = { data: "0x", valueAtomic: 0, gasLimit: 30_000n } as const;

const isOpen = ({ status }: EvmTransaction) => status === "reserved" || status === "signed";

/**
 * Performs the next step of a transaction: reads the receipt, signs and sends, or raises the fees. Returns the updated row.
 * @param isThorough also resends a dropped transaction and replaces a stuck one
 */
export async function advanceTransaction(
  deps: TradeDeps,
  wallet: SealedWallet,
  given: EvmTransaction,
  isThorough: boolean,
): Promise<EvmTransaction> {
  if (!isOpen(given)) return given;
  const mined = await findReceipt(deps, wallet, given);
  if (mined) return mined;
  if (given.rawTransaction === null) return await signAndSend(deps, wallet, await dropIfStale(deps, wallet, given));
  if (!isThorough) return given;
  const state = await deps.chains.evm(TRADE_NETWORK).transactionState(given.txHash as `0x${string}`);
  const maySend =
    isHarmless(wallet, given) || wallet.accountId === null || !(await findFreeze(deps.db, wallet.accountId));
  if (state === "unknown" && maySend) await send(deps, given);
  return isStuck(deps, given) && (maySend || isStale(deps, given)) ? await replace(deps, wallet, given) : given;
}

/** Returns whether a transaction is sent during a freeze too: a cancellation, or the end of an allowance. */
function isHarmless(wallet: SealedWallet, { purpose, to, data }: EvmTransaction): boolean {
  return purpose === "revoke" || (to === wallet.evmAddress && data === CANCEL.data);
}

/** Locks the wallet's account against a freeze until the transaction ends. Returns false if it is frozen. */
async function isHeldOpen(tx: Prisma.TransactionClient, { accountId }: SealedWallet): Promise<boolean> {
  if (accountId === null) return true;
  try {
    await holdOpen(tx, accountId);
    return true;
  } catch (error) {
    if (error instanceof AccountFrozenError || error instanceof ServiceFrozenError) return false;
    throw error;
  }
}

async function signAndSend(deps: TradeDeps, wallet: SealedWallet, row: EvmTransaction): Promise<EvmTransaction> {
  const unsigned = {
    type: "eip1559",
    chainId: NETWORKS[TRADE_NETWORK].chainId,
    nonce: Number(row.nonce),
    to: row.to as `0x${string}`,
    data: row.data as `0x${string}`,
    value: BigInt(row.valueAtomic.toFixed(0)),
    gas: row.gasLimit,
    ...feesOf(row),
  } as const;
  const { rawTransaction, txHash } = await signTransaction(deps.vault, wallet, unsigned);
  // Updates only the fields that were signed: another process may have raised the fees concurrently.
  const asSigned = { maxFeePerGas: row.maxFeePerGas, maxPriorityFee: row.maxPriorityFee, data: row.data, to: row.to };
  const isRecorded = await deps.db.prisma.$transaction(async (tx) => {
    if (!isHarmless(wallet, row) && !(await isHeldOpen(tx, wallet))) return false;
    await tx.evmTransaction.updateMany({
      where: { id: row.id, status: "reserved", rawTransaction: null, ...asSigned },
      data: { status: "signed", rawTransaction, txHash, signedAt: new Date() },
    });
    return true;
  });
  // During a freeze the signature is discarded. The row waits, and is replaced by a cancellation once stale.
  if (!isRecorded) return row;
  const signed = await deps.db.prisma.evmTransaction.findUniqueOrThrow({ where: { id: row.id } });
  await send(deps, signed);
  return signed;
}

async function send(deps: TradeDeps, row: EvmTransaction): Promise<void> {
  if (row.status !== "signed" || row.rawTransaction === null) return;
  try {
    await deps.chains.evm(TRADE_NETWORK).broadcast(row.rawTransaction as `0x${string}`);
  } catch (error) {
    // Whether the signed transaction reached the network is unknown. It is resent until any transaction with its nonce is mined.
    const isRefused = error instanceof TransferFailedError;
    deps.logger.warn(
      { err: error, evmTransactionId: row.id, isRefused },
      "Transaction broadcast failed; retry scheduled",
    );
  }
}

/** Closes the row if any transaction signed for its nonce is on chain; otherwise returns null. */
async function findReceipt(deps: TradeDeps, wallet: SealedWallet, row: EvmTransaction): Promise<EvmTransaction | null> {
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  for (const hash of [row.txHash, ...row.replacedHashes]) {
    const receipt = hash === null ? null : await getReceipt(rpc, hash as `0x${string}`);
    if (!receipt) continue;
    const isCancelled = receipt.to?.toLowerCase() === wallet.evmAddress.toLowerCase();
    const status = isCancelled ? "cancelled" : receipt.status === "success" ? "mined" : "reverted";
    const others = [row.txHash, ...row.replacedHashes].filter((each): each is string => each !== null && each !== hash);
    await deps.db.prisma.evmTransaction.updateMany({
      where: { id: row.id, status: { in: ["reserved", "signed"] } },
      data: { status, txHash: hash, replacedHashes: others, minedAt: new Date() },
    });
    return await deps.db.prisma.evmTransaction.findUniqueOrThrow({ where: { id: row.id } });
  }
  return null;
}

function feesOf({ maxFeePerGas, maxPriorityFee }: EvmTransaction): Fees {
  return { maxFeePerGas: BigInt(maxFeePerGas.toFixed(0)), maxPriorityFeePerGas: BigInt(maxPriorityFee.toFixed(0)) };
}

function isStuck({ trading }: TradeDeps, { signedAt }: EvmTransaction): boolean {
  return signedAt !== null && signedAt.getTime() + trading.stuckAfterMs < Date.now();
}

function isStale({ trading }: TradeDeps, { purpose, createdAt }: EvmTransaction): boolean {
  return purpose !== "revoke" && createdAt.getTime() + trading.staleAfterMs < Date.now();
}

/** Replaces a stale unsigned transaction by a cancellation, because later transactions of the wallet wait for its nonce. */
async function dropIfStale(deps: TradeDeps, wallet: SealedWallet, row: EvmTransaction): Promise<EvmTransaction> {
  if (!isStale(deps, row)) return row;
  await deps.db.prisma.evmTransaction.updateMany({
    where: { id: row.id, status: "reserved", rawTransaction: null },
    data: { ...CANCEL, to: wallet.evmAddress },
  });
  return await deps.db.prisma.evmTransaction.findUniqueOrThrow({ where: { id: row.id } });
}

/** Replaces a stuck transaction by one with higher fees, or by a cancellation if stale. Only the wallet's next nonce can be stuck. */
async function replace(deps: TradeDeps, wallet: SealedWallet, row: EvmTransaction): Promise<EvmTransaction> {
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const next = await rpc.request((client) => client.getTransactionCount({ address: wallet.evmAddress }));
  if (BigInt(next) !== row.nonce || row.txHash === null) return row;
  const fees = raiseFees(feesOf(row), await currentFees(rpc), rpc.network.maxFeePerGasWei);
  if (!fees) {
    deps.logger.warn(
      { tradeId: row.tradeId, evmTransactionId: row.id, nonce: String(row.nonce) },
      "Stuck transaction not replaced: higher fees exceed MAX_FEE_PER_GAS_GWEI",
    );
    return row;
  }
  await deps.db.prisma.evmTransaction.updateMany({
    where: { id: row.id, status: "signed", txHash: row.txHash },
    data: {
      status: "reserved",
      rawTransaction: null,
      txHash: null,
      replacedHashes: [row.txHash, ...row.replacedHashes],
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFee: fees.maxPriorityFeePerGas.toString(),
      ...(isStale(deps, row) ? { ...CANCEL, to: wallet.evmAddress } : {}),
    },
  });
  const replaced = await deps.db.prisma.evmTransaction.findUniqueOrThrow({ where: { id: row.id } });
  deps.logger.info({ evmTransactionId: row.id, nonce: String(row.nonce) }, "Transaction replaced with higher fees");
  return replaced.rawTransaction === null ? await signAndSend(deps, wallet, replaced) : replaced;
}
