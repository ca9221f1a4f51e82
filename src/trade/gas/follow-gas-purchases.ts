/**
 * Follows purchases of gas until they end. The receipt of the treasury's transaction shows whether the wallet has the native coin.
 * The state of the wallet's authorization on chain shows whether it paid. A transaction that failed leaves the authorization
 * usable until it expires, so the payment remains outstanding until then.
 */
import { randomUUID } from "node:crypto";
import { type Hex, parseTransaction } from "viem";
import type { GasPurchase } from "../../../generated/prisma/client.ts";
import { findFreeze } from "../../accounts/freeze/freeze-state.ts";
import { readAuthorizationState } from "../../payments/authorization-state.ts";
import { publishTransaction } from "../../payments/transaction-events.ts";
import { readStoredAuthorization } from "../../payments/x402/authorization.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { selectDueFairly } from "../../platform/database/due-owners.ts";
import { warnOfFailure } from "../../platform/observability/failure-log.ts";
import { type EvmCall, type EvmChain, TransferFailedError, type UnsignedEvmTransaction } from "../../wallet/chain.ts";
import { raiseFees } from "../../wallet/evm/fees.ts";
import { feeOf, findReceipt, readFinalNonce, signTransaction } from "../../wallet/evm/transactions.ts";
import { fail, settle } from "../../wallet/ledger.ts";
import { runInTreasuryQueue } from "../../wallet/treasury-queue.ts";
import type { TradeDeps } from "../deps.ts";
import { TRADE_NETWORK } from "../tokens.ts";
import { GAS_VALIDITY_SECONDS } from "./gas-limits.ts";

const BATCH_SIZE = 50;
const MAX_ACCOUNTS = 200;
/** Time in which a network usually mines a transaction. Until then, the nonce is not compared with the chain's. */
const USUALLY_MINED_MS = 2_000;
/** Transactions of one purchase. The limit bounds the fees of transactions that revert because a former one was mined after all. */
const MAX_TRANSACTIONS = 8;

// Leasing a row advances next_check_at, so no other node leases it and after a crash it becomes due again.
const LEASE_DUE: Statement = {
  name: "lease-gas-purchases",
  text: `UPDATE gas_purchases SET next_check_at = now() + interval '5 seconds'
    WHERE id = ANY(ARRAY(${selectDueFairly(
      { table: "gas_purchases", owner: "account_id", dueAt: "next_check_at" },
      { start: "$1::uuid", maxOwners: MAX_ACCOUNTS, maxPerOwner: BATCH_SIZE, maxRows: BATCH_SIZE },
    )}))
    RETURNING id`,
};

/** Advances the due purchases by one step. A failure of one is logged and retried later. */
export async function followGasPurchases(deps: TradeDeps): Promise<void> {
  const due = await deps.db.query<{ id: string }>(LEASE_DUE, [randomUUID()]);
  await Promise.all(
    due.map(({ id }) =>
      followPurchase(deps, id, true).catch((error: unknown) => {
        warnOfFailure(deps.logger, error, { gasPurchaseId: id }, "Gas purchase not advanced; retry scheduled");
      }),
    ),
  );
}

/**
 * Advances a purchase by one step and returns it. Safe to run concurrently, since each step is conditional.
 * @param isThorough also resends a dropped transaction, replaces a stuck one, and settles one that failed
 */
export async function followPurchase(deps: TradeDeps, id: string, isThorough: boolean): Promise<GasPurchase> {
  const { gasPurchase } = deps.db.prisma;
  const row = await gasPurchase.findUniqueOrThrow({ where: { id } });
  if (row.nextCheckAt === null) return row;
  const chain = deps.chains.evm(TRADE_NETWORK);
  await chain.rpc.checkChain();
  if (row.status === "signed") await followSigned(deps, chain, row, isThorough);
  else if (isThorough) await concludeFailed(deps, chain, row);
  return await gasPurchase.findUniqueOrThrow({ where: { id } });
}

async function followSigned(deps: TradeDeps, chain: EvmChain, row: GasPurchase, isThorough: boolean): Promise<void> {
  const { evmAddress: address } = await deps.wallets.treasury();
  // Read before the receipts: a nonce used only later does not prove that the receipts are missing.
  const finalNonce = isThorough ? await readFinalNonce(chain.rpc, address) : 0;
  const nextNonce = isLate(row)
    ? await chain.rpc.request((client) => client.getTransactionCount({ address, blockTag: "latest" }))
    : 0;
  const receipt = await findReceipt(chain.rpc, row.txHashes);
  if (receipt?.status === "success") return await concludeMined(deps, row, receipt.transactionHash, feeOf(receipt));
  if (receipt) return await markFailed(deps, row, "reverted", feeOf(receipt));
  if (BigInt(nextNonce) > row.nonce && (await sendAgain(deps, chain, row))) return;
  if (BigInt(finalNonce) > row.nonce) return await markFailed(deps, row, "dropped", 0n);
  if (!isThorough) return;
  const isKnown = (await chain.transactionState(row.txHashes.at(-1) as Hex)) !== "unknown";
  // It would revert, and nothing waits for its nonce.
  if (!isKnown && isExpired(row)) return await markFailed(deps, row, "dropped", 0n);
  if (!isKnown && !row.isPaid && (await findFreeze(deps.db, row.accountId))) return;
  if (row.sentAt.getTime() + deps.trading.stuckAfterMs < Date.now()) return await replace(deps, chain, row);
  if (!isKnown) await chain.broadcast(row.rawTransaction as Hex);
}

function isLate({ sentAt }: GasPurchase): boolean {
  return sentAt.getTime() + USUALLY_MINED_MS < Date.now();
}

/**
 * Signs the call of an unpaid purchase under a new nonce, because another transaction has used its own: nodes share the treasury.
 * The former transaction need not be final. The call collects the authorization of the wallet, which only one transaction can do.
 *
 * @returns whether the purchase still has a transaction that can be mined
 */
async function sendAgain(deps: TradeDeps, chain: EvmChain, row: GasPurchase): Promise<boolean> {
  if (row.isPaid || isExpired(row) || row.txHashes.length >= MAX_TRANSACTIONS) return false;
  if (await findFreeze(deps.db, row.accountId)) return false;
  const { to, data = "0x", value = 0n } = parseTransaction(row.rawTransaction as `0x02${string}`);
  if (!to) throw new Error("A gas purchase has a recipient.");
  const treasury = await deps.wallets.treasury();
  return await runInTreasuryQueue(TRADE_NETWORK, "person", async () => {
    const unsigned = await prepareAgain(chain, { from: treasury.evmAddress, to, data, value });
    if (!unsigned) return false;
    const { rawTransaction, txHash } = await signTransaction(deps.vault, treasury, unsigned);
    const { count } = await deps.db.prisma.gasPurchase.updateMany({
      where: { id: row.id, status: "signed", rawTransaction: row.rawTransaction },
      data: {
        ...{ nonce: unsigned.nonce, rawTransaction, txHashes: { push: txHash }, sentAt: new Date() },
        maxFeeWei: (unsigned.gas * unsigned.maxFeePerGas).toString(),
      },
    });
    if (count > 0) await chain.broadcast(rawTransaction).catch((error: unknown) => warnOfUnsent(deps, row, error));
    return true;
  });
}

/** The stored bytes are sent again until they are mined. */
function warnOfUnsent({ logger }: TradeDeps, { id: gasPurchaseId }: GasPurchase, error: unknown): void {
  warnOfFailure(logger, error, { gasPurchaseId }, "Gas purchase could not be sent; retry scheduled");
}

/** Returns null if the network would revert the call, as when a former transaction was mined after all. */
async function prepareAgain(chain: EvmChain, call: EvmCall): Promise<UnsignedEvmTransaction | null> {
  try {
    return await chain.prepareCall(call);
  } catch (error) {
    if (error instanceof TransferFailedError) return null;
    throw error;
  }
}

/** Returns whether the wallet's authorization has expired. */
function isExpired({ isPaid, createdAt }: GasPurchase): boolean {
  return !isPaid && createdAt.getTime() + GAS_VALIDITY_SECONDS * 1_000 < Date.now();
}

/** Settles the payment, then ends the purchase, so that a crash between them repeats both. */
async function concludeMined(deps: TradeDeps, row: GasPurchase, txHash: Hex, feeWei: bigint): Promise<void> {
  if (!row.isPaid) await settlePrice(deps, row, txHash);
  await deps.db.prisma.gasPurchase.updateMany({
    where: { id: row.id, status: row.status },
    data: { status: "mined", feeWei: feeWei.toString(), nextCheckAt: null, endedAt: new Date() },
  });
  deps.logger.info({ tradeId: row.tradeId, gasPurchaseId: row.id, feeWei: String(feeWei) }, "Gas purchase mined");
}

async function settlePrice(deps: TradeDeps, row: GasPurchase, txHash: string | null): Promise<void> {
  const chargedAtomic = BigInt(row.priceAtomic.toFixed(0));
  const charge = { txHash, chargedAtomic, chargedMicroUsd: chargedAtomic };
  if (!(await settle(deps.db, row.transactionId, charge))) return;
  publishTransaction(deps.pubsub, row.accountId, row.transactionId);
  const { evmAddress } = await deps.wallets.ofAccount(row.accountId);
  deps.chains.evm(TRADE_NETWORK).invalidateBalances(evmAddress);
}

async function markFailed(deps: TradeDeps, row: GasPurchase, status: "reverted" | "dropped", feeWei: bigint) {
  await deps.db.prisma.gasPurchase.updateMany({
    where: { id: row.id, status: "signed" },
    data: { status, feeWei: feeWei.toString() },
  });
  deps.logger.warn({ tradeId: row.tradeId, gasPurchaseId: row.id, status }, "Gas purchase failed");
}

/** Ends a failed purchase once the chain shows whether the wallet paid. A payment that another transaction collected is owed. */
async function concludeFailed(deps: TradeDeps, chain: EvmChain, row: GasPurchase): Promise<void> {
  // The state of the authorization is read after the receipts, so that a late receipt is not missed.
  const receipt = await findReceipt(chain.rpc, row.txHashes);
  if (receipt?.status === "success") return await concludeMined(deps, row, receipt.transactionHash, feeOf(receipt));
  if (row.isPaid) return await payOwed(deps, chain, row);
  const ledger = await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: row.transactionId } });
  const evidence = { signature: ledger.signature ?? "", claimedTxHash: null };
  const stored = readStoredAuthorization(ledger.authorization);
  const state = await readAuthorizationState(deps.chains, stored, evidence);
  if (state.state === "used") {
    // Without the hash, the own transaction may be the one.
    if (state.txHash === null || row.txHashes.includes(state.txHash)) return;
    await settlePrice(deps, row, state.txHash);
    return await payOwed(deps, chain, row);
  }
  if (state.state !== "dead") return;
  if (await fail(deps.db, row.transactionId, "The network fee was not paid.", row.txHashes.at(-1) ?? null)) {
    publishTransaction(deps.pubsub, row.accountId, row.transactionId);
  }
  await deps.db.prisma.gasPurchase.updateMany({
    where: { id: row.id },
    data: { nextCheckAt: null, endedAt: new Date() },
  });
}

/** Sends the native coin alone, under a new nonce. Called only after the former transaction can no longer be mined. */
async function payOwed(deps: TradeDeps, chain: EvmChain, row: GasPurchase): Promise<void> {
  deps.logger.error({ gasPurchaseId: row.id }, "Another transaction collected a gas purchase; its native coin is sent");
  const [treasury, wallet] = await Promise.all([deps.wallets.treasury(), deps.wallets.ofAccount(row.accountId)]);
  const value = BigInt(row.amountWei.toFixed(0));
  await runInTreasuryQueue(TRADE_NETWORK, "service", async () => {
    const call = { from: treasury.evmAddress, to: wallet.evmAddress, data: "0x", value } as const;
    const unsigned = await chain.prepareCall(call);
    const { rawTransaction, txHash } = await signTransaction(deps.vault, treasury, unsigned);
    const { count } = await deps.db.prisma.gasPurchase.updateMany({
      where: { id: row.id, status: row.status, rawTransaction: row.rawTransaction },
      data: {
        ...{ status: "signed", isPaid: true, nonce: unsigned.nonce, rawTransaction, txHashes: [txHash] },
        ...{ maxFeeWei: (unsigned.gas * unsigned.maxFeePerGas).toString(), feeWei: null, sentAt: new Date() },
      },
    });
    if (count > 0) await chain.broadcast(rawTransaction);
  });
}

/**
 * Replaces a stuck transaction under its nonce. Also after the expiry, during a freeze and at the daily limits, because it blocks the
 * treasury's later transactions. The network's maximum fee bounds its cost, which counts against the limits of later purchases.
 */
async function replace(deps: TradeDeps, chain: EvmChain, row: GasPurchase): Promise<void> {
  await runInTreasuryQueue(TRADE_NETWORK, "service", async () => {
    const previous = parseTransaction(row.rawTransaction as `0x02${string}`);
    const {
      to,
      data = "0x",
      gas,
      chainId,
      nonce = 0,
      value = 0n,
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = previous;
    if (!to || !gas) throw new Error("A gas purchase has a recipient and a gas limit.");
    const current = await chain.rpc.request((client) => client.estimateFeesPerGas());
    const fees = raiseFees({ maxFeePerGas, maxPriorityFeePerGas }, current, chain.rpc.network.maxFeePerGasWei);
    if (!fees) return;
    const unsigned = { type: "eip1559", chainId, nonce, to, data, value, gas, ...fees } as const;
    const { rawTransaction, txHash } = await signTransaction(deps.vault, await deps.wallets.treasury(), unsigned);
    const maxFeeWei = gas * fees.maxFeePerGas;
    const { count } = await deps.db.prisma.gasPurchase.updateMany({
      where: { id: row.id, status: "signed", rawTransaction: row.rawTransaction },
      data: { rawTransaction, txHashes: { push: txHash }, maxFeeWei: maxFeeWei.toString(), sentAt: new Date() },
    });
    if (count > 0) await chain.broadcast(rawTransaction);
  });
}
