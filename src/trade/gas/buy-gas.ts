/**
 * Purchase of native coin for the gas of a trade, by a wallet that has none. The wallet authorizes a transfer of USDC to the treasury,
 * which counts against all limits. One transaction of the treasury collects it and pays the native coin. What the trade does not use
 * remains in the wallet. After a crash, `follow-gas-purchases.ts` ends the purchase, and the reservation of the sale is released.
 */
import type { Hex } from "viem";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import { reserveFromWallet } from "../../payments/reserve-from-wallet.ts";
import { publishTransaction } from "../../payments/transaction-events.ts";
import { createTransferRequirement } from "../../payments/transfer-requirement.ts";
import { authorizationExpiry, type StoredAuthorization } from "../../payments/x402/authorization.ts";
import { buildAuthorization } from "../../payments/x402/build-authorization.ts";
import { signAuthorization } from "../../payments/x402/sign.ts";
import { newId } from "../../platform/ids.ts";
import { TransferFailedError, type UnsignedEvmTransaction } from "../../wallet/chain.ts";
import type { Fees } from "../../wallet/evm/fees.ts";
import { type SignedEvmTransaction, signTransaction } from "../../wallet/evm/transactions.ts";
import { release } from "../../wallet/ledger.ts";
import { NETWORKS, USDC_DECIMALS } from "../../wallet/networks.ts";
import { InsufficientBalanceError } from "../../wallet/refusal-reason.ts";
import { runInTreasuryQueue } from "../../wallet/treasury-queue.ts";
import type { TradeDeps } from "../deps.ts";
import type { Dex } from "../dex.ts";
import { TRADE_NETWORK } from "../tokens.ts";
import { TradeFailedError } from "../trade-failure.ts";
import { followPurchase } from "./follow-gas-purchases.ts";
import { GAS_CALL_LIMIT, gasCall } from "./gas-call.ts";
import { GAS_VALIDITY_SECONDS, lockGasTotals } from "./gas-limits.ts";
import { priceGas } from "./gas-price.ts";

const POLL_MS = 100;
const RESERVATION_ENDED = "Preparing the trade timed out. Nothing was signed. Retry the trade.";

interface GasNeed {
  readonly tradeId: string;
  readonly amountWei: bigint;
  readonly fees: Fees;
  readonly dex: Dex;
}

/**
 * Buys native coin for a wallet and waits until it has it. What an ended trade bought and the network has not mined yet is awaited
 * instead, so that a repeated trade does not pay twice. Returns false if the treasury does not sell it: its daily limits are reached,
 * or its funds do not cover the amount. Nothing was charged then.
 *
 * @throws {SpendingLimitExceededError | InsufficientBalanceError} when the limits or the USDC of the wallet do not cover the price
 * @throws {TradeFailedError} when the price exceeds the limit, or the purchase is not mined in time
 */
export async function buyGas(deps: TradeDeps, account: AccountViewer, need: GasNeed): Promise<boolean> {
  const { limits } = deps.trading.gas;
  if (limits.totalWei === 0n) return false;
  const unused = await findUnusedPurchase(deps, account, need.tradeId);
  if (unused) {
    await waitUntilMined(deps, unused.id);
    return true;
  }
  const priceAtomic = await priceGas(deps, need.dex, need.amountWei, need.fees);
  // USDC has six decimals like micro-USD.
  if ((await sumPrices(deps, need.tradeId)) + priceAtomic > limits.perTradeMicroUsd) {
    throw new TradeFailedError("The network fee of the trade exceeds the maximum of the service. Nothing was signed.");
  }
  const { transactionId, stored } = await reservePrice(deps, account, need.tradeId, priceAtomic);
  let purchaseId: string | null;
  try {
    purchaseId = await submit(deps, account.accountId, { ...need, transactionId, stored, priceAtomic });
  } catch (error) {
    await releasePrice(deps, account, transactionId, "The network fee could not be paid.");
    if (!(error instanceof TransferFailedError)) throw error;
    deps.logger.warn(
      { err: error, tradeId: need.tradeId },
      "Gas purchase was refused by the network; nothing was sent",
    );
    return false;
  }
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  if (purchaseId === null) {
    await releasePrice(deps, account, transactionId, "The daily limits of network fees are reached.");
    return false;
  }
  await waitUntilMined(deps, purchaseId);
  return true;
}

/** Returns a purchase that may still be mined, and whose own trade has ended. */
async function findUnusedPurchase({ db }: TradeDeps, { accountId }: AccountViewer, tradeId: string) {
  const mayBeMined = {
    OR: [{ isPaid: true }, { createdAt: { gt: new Date(Date.now() - GAS_VALIDITY_SECONDS * 1_000) } }],
  };
  return await db.prisma.gasPurchase.findFirst({
    where: {
      accountId,
      status: "signed",
      tradeId: { not: tradeId },
      trade: { status: { not: "pending" } },
      ...mayBeMined,
    },
    orderBy: { createdAt: "asc" },
  });
}

/** Returns the prices of the purchases for the trade, in micro-USD. */
async function sumPrices({ db }: TradeDeps, tradeId: string): Promise<bigint> {
  const where = { tradeId, status: { in: ["signed", "mined"] } };
  const { _sum: sum } = await db.prisma.gasPurchase.aggregate({ where, _sum: { priceAtomic: true } });
  return BigInt(sum.priceAtomic?.toFixed(0) ?? 0);
}

async function reservePrice(deps: TradeDeps, account: AccountViewer, tradeId: string, amountAtomic: bigint) {
  const network = NETWORKS[TRADE_NETWORK];
  const [own, treasury] = await Promise.all([deps.wallets.ofAccount(account.accountId), deps.wallets.treasury()]);
  const transfer = { payTo: treasury.evmAddress, amountAtomic, validitySeconds: GAS_VALIDITY_SECONDS };
  const requirement = createTransferRequirement(network, treasury, transfer);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, own);
  const { authorization } = stored;
  try {
    const transactionId = await reserveFromWallet(
      deps,
      { id: own.id, address: own.evmAddress },
      {
        ...{ accountId: account.accountId, type: "trade", network: TRADE_NETWORK, asset: network.usdc.address },
        ...{ amountAtomic, amountMicroUsd: amountAtomic, budgetIds: account.budgetIds },
        ...{
          scheme: null,
          resource: null,
          payTo: treasury.evmAddress,
          description: `Network fee of the trade ${tradeId}`,
        },
        ...{ authorization: stored, nonce: "nonce" in authorization ? authorization.nonce : null },
        ...{ permitSlot: null, purchaseTokenId: null, validBefore: authorizationExpiry(authorization) },
        idempotencyKey: null,
      },
    );
    return { transactionId, stored };
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const unit = { symbol: "USDC", decimals: USDC_DECIMALS, purpose: " for the network fee" };
    const { remainingAtomic, requiredAtomic, asset } = error;
    throw new InsufficientBalanceError(TRADE_NETWORK, asset, remainingAtomic, requiredAtomic, unit);
  }
}

async function releasePrice(deps: TradeDeps, { accountId }: AccountViewer, transactionId: string, reason: string) {
  if (!(await release(deps.db, transactionId, reason, ["reserved"]))) return;
  publishTransaction(deps.pubsub, accountId, transactionId);
}

interface Purchase extends GasNeed {
  readonly transactionId: string;
  readonly stored: StoredAuthorization;
  readonly priceAtomic: bigint;
}

/**
 * Signs, stores and sends the treasury's transaction. Returns the purchase's id, or null if the daily limits refuse it. Nothing signed
 * leaves the service before it is stored, so a refusal can release the price.
 */
async function submit(deps: TradeDeps, accountId: string, purchase: Purchase): Promise<string | null> {
  const { authorization } = purchase.stored;
  if (authorization.kind !== "eip3009") throw new Error("A transfer on an EVM network is an EIP-3009 authorization.");
  const chain = deps.chains.evm(TRADE_NETWORK);
  const [own, treasury] = await Promise.all([deps.wallets.ofAccount(accountId), deps.wallets.treasury()]);
  const signature = (await signAuthorization(authorization, own, deps.vault)) as Hex;
  return await runInTreasuryQueue(TRADE_NETWORK, "person", async () => {
    const call = gasCall(authorization, signature, purchase.amountWei);
    const unsigned = await chain.prepareCall({ from: treasury.evmAddress, ...call, gas: GAS_CALL_LIMIT });
    const signed = await signTransaction(deps.vault, treasury, unsigned);
    const id = await store(deps, accountId, purchase, signature, { unsigned, signed });
    if (id === null) return null;
    // A failure is only logged: the stored bytes are sent again until they are mined.
    await chain.broadcast(signed.rawTransaction).catch((error: unknown) => {
      deps.logger.warn({ err: error, gasPurchaseId: id }, "Gas purchase could not be sent; retry scheduled");
    });
    return id;
  });
}

/**
 * Marks the payment as signed and stores the transaction, before it is sent.
 * @throws {AccountFrozenError | ServiceFrozenError} @throws {TradeFailedError} when the reservation or the trade has ended meanwhile
 */
async function store(
  deps: TradeDeps,
  accountId: string,
  { transactionId, tradeId, amountWei, priceAtomic }: Purchase,
  signature: Hex,
  { unsigned, signed }: { readonly unsigned: UnsignedEvmTransaction; readonly signed: SignedEvmTransaction },
): Promise<string | null> {
  const { nonce, gas, maxFeePerGas } = unsigned;
  const maxFeeWei = gas * maxFeePerGas;
  return await deps.db.prisma.$transaction(async (tx) => {
    await holdOpen(tx, accountId);
    const subject = { accountId, network: TRADE_NETWORK };
    if (!(await lockGasTotals(tx, deps.trading.gas.limits, subject, amountWei + maxFeeWei))) return null;
    const { count } = await tx.transaction.updateMany({
      where: { id: transactionId, status: "reserved" },
      data: { status: "signed", signature, signedAt: new Date(), updatedAt: new Date() },
    });
    if (count === 0) throw new TradeFailedError(RESERVATION_ENDED);
    if ((await tx.trade.count({ where: { id: tradeId, status: "pending" } })) === 0) {
      throw new TradeFailedError(RESERVATION_ENDED);
    }
    const { id } = await tx.gasPurchase.create({
      data: {
        ...{ id: newId("gas"), transactionId, tradeId, accountId, network: TRADE_NETWORK, status: "signed" },
        ...{ amountWei: amountWei.toString(), priceAtomic: priceAtomic.toString(), maxFeeWei: maxFeeWei.toString() },
        ...{ nonce, rawTransaction: signed.rawTransaction, txHashes: [signed.txHash], nextCheckAt: new Date() },
      },
    });
    return id;
  });
}

/** @throws {TradeFailedError} when the purchase failed, or is not mined in time */
async function waitUntilMined(deps: TradeDeps, purchaseId: string): Promise<void> {
  for (const untilMs = Date.now() + deps.trading.gas.waitMs; Date.now() < untilMs; ) {
    const { status } = await followPurchase(deps, purchaseId, false);
    if (status === "mined") return;
    if (status !== "signed") break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new TradeFailedError(
    "The network fee was not paid in time, so the trade was not signed. If it is paid later, the native coin remains in the wallet.",
  );
}
