/** Swaps of tokens in the account's wallet (`POST /api/trade`, mutation `trade`). */
import type { Trade } from "../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, type Viewer } from "../accounts/viewer.ts";
import { reserveFromWallet } from "../payments/reserve-from-wallet.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import {
  type ClaimFence,
  IdempotencyInFlightError,
  IdempotencyKeyReusedError,
  runIdempotent,
} from "../platform/idempotency/claim.ts";
import { newId } from "../platform/ids.ts";
import type { Fees } from "../wallet/evm/fees.ts";
import { release } from "../wallet/ledger.ts";
import { InsufficientBalanceError } from "../wallet/refusal-reason.ts";
import { DuplicateReservationError } from "../wallet/reservation.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import { driveTrade } from "./advance-trade.ts";
import { approveCall } from "./approval.ts";
import { type CheckedQuote, checkQuote, type SwapOrder } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { approveGasLimit, currentFees, maxCostWei, swapGasLimit } from "./fees.ts";
import { commitSwap, type NewTransaction } from "./nonces.ts";
import { type Simulated, simulateSwap } from "./simulate.ts";
import { readSwap, type SwapInput, termsOf, translateMarketErrors } from "./swap-request.ts";
import { assetOf, ETH, TRADE_NETWORK } from "./tokens.ts";
import { publishTrade } from "./trade-events.ts";
import { TradeFailedError } from "./trade-failure.ts";
import { admitTrade } from "./trade-rate-limits.ts";
import { usdValueOf } from "./usd-value.ts";

export interface TradeInput extends SwapInput {
  readonly idempotencyKey: string | null;
}

/**
 * Reserves the sold amount at its value in US dollars, then approves, swaps and waits for the receipt. A trade that is not mined
 * before the timeout is returned with its current status. The recurring job completes the trade.
 *
 * @throws {InvalidRequestError | UnsupportedTokenError | UnsupportedNetworkError | ForbiddenError | RateLimitedError |
 *   SpendingLimitExceededError | InsufficientBalanceError | TradeFailedError | TradingNotConfiguredError | DexUnavailableError |
 *   ChainUnavailableError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function executeTrade(deps: TradeDeps, viewer: Viewer | null, input: TradeInput): Promise<Trade> {
  const account = requireAccount(viewer);
  await admitTrade(deps.rateLimiter, account);
  const { idempotencyKey: key, ...request } = input;
  const { tradeId } =
    key === null
      ? await startTrade(deps, account, input, null)
      : await runIdempotent(deps.db, account.accountId, key, ["trade", account.budgetId, request], (claim) =>
          startTrade(deps, account, input, claim),
        );
  return await deps.db.prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
}

async function startTrade(
  deps: TradeDeps,
  account: AccountViewer,
  { idempotencyKey, ...input }: TradeInput,
  claim: ClaimFence | null,
): Promise<{ tradeId: string }> {
  const { dex, order } = await readSwap(deps, account, input);
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const [offer, fees] = await Promise.all([
    translateMarketErrors(order, dex.quote(termsOf(order))),
    currentFees(rpc),
    rpc.checkChain(),
  ]);
  const quote = checkQuote(offer, order, deps.trading.spenders);
  const amountMicroUsd = await usdValueOf(dex, { ...order, buyAtomic: quote.buyAtomic });
  const tradeId = newId("trd");
  let transactionId: string;
  try {
    transactionId = await reserveSale(
      deps,
      account,
      { order, quote, fees, tradeId, amountMicroUsd },
      { idempotencyKey, claim },
    );
  } catch (error) {
    if (!(error instanceof DuplicateReservationError) || idempotencyKey === null) throw error;
    return { tradeId: await resumeTrade(deps, account, order, idempotencyKey) };
  }
  try {
    const sale = { order, quote, fees, tradeId, transactionId };
    await createTrade(deps, account, sale);
    await commitTrade(deps, account, sale);
  } catch (error) {
    await releaseSale(deps, account, tradeId, transactionId, (error as Error).message);
    throw error;
  }
  return assertNotFailed(await driveTrade(deps, tradeId), await findSwapHash(deps, tradeId));
}

interface Sale {
  readonly order: SwapOrder;
  readonly quote: CheckedQuote;
  readonly fees: Fees;
  readonly tradeId: string;
}

/** Reserves the sold amount against all limits. If the native coin is sold, also reserves the gas cost. */
async function reserveSale(
  deps: TradeDeps,
  account: AccountViewer,
  { order, quote, fees, tradeId, amountMicroUsd }: Sale & { readonly amountMicroUsd: bigint },
  idempotency: Pick<Reservation, "idempotencyKey" | "claim">,
): Promise<string> {
  const { sell, buy, sellAtomic } = order;
  const gasWei = sell.isNative ? maxCostWei(swapGasLimit(quote.gas), fees) : 0n;
  const own = await deps.wallets.ofAccount(account.accountId);
  const wallet = { id: own.id, address: own.evmAddress };
  try {
    return await reserveFromWallet(deps, wallet, {
      accountId: account.accountId,
      type: "trade",
      network: TRADE_NETWORK,
      asset: assetOf(sell),
      amountAtomic: sellAtomic + gasWei,
      amountMicroUsd,
      budgetIds: account.budgetIds,
      scheme: null,
      resource: null,
      payTo: quote.to,
      description: `${sell.symbol} for ${buy.symbol}`,
      authorization: { kind: "trade", tradeId },
      nonce: null,
      permitSlot: null,
      purchaseTokenId: null,
      validBefore: null,
      ...idempotency,
    });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    throw new InsufficientBalanceError(TRADE_NETWORK, assetOf(sell), error.remainingAtomic, error.requiredAtomic, {
      symbol: sell.symbol,
      decimals: sell.decimals,
      purpose: sell.isNative ? " including the network fee" : "",
    });
  }
}

/** A sale with its ledger row. */
interface ReservedSale extends Sale {
  readonly transactionId: string;
}

async function createTrade(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale): Promise<void> {
  const { order, quote, tradeId, transactionId } = sale;
  const { sell, buy, sellAtomic, slippageBps } = order;
  const { id: walletId } = await deps.wallets.ofAccount(accountId);
  await deps.db.prisma.trade.create({
    data: {
      id: tradeId,
      accountId,
      transactionId,
      walletId,
      network: TRADE_NETWORK,
      status: "pending",
      sellToken: assetOf(sell),
      sellSymbol: sell.symbol,
      sellDecimals: sell.decimals,
      sellAmountAtomic: sellAtomic.toString(),
      buyToken: assetOf(buy),
      buySymbol: buy.symbol,
      buyDecimals: buy.decimals,
      buyAmountAtomic: quote.buyAtomic.toString(),
      minBuyAtomic: quote.minBuyAtomic.toString(),
      slippageBps,
    },
  });
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/** Simulates the swap and stores the trade's transactions. After that, the recurring job completes the trade even after a crash. */
async function commitTrade(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale): Promise<void> {
  const { order, quote, fees, tradeId, transactionId } = sale;
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const transactions = transactionsOf(quote, order, await simulateSwap(rpc, quote, order));
  const { id: walletId } = await deps.wallets.ofAccount(accountId);
  const sender = { walletId, address: order.taker, network: TRADE_NETWORK };
  const swap = { transactionId, transactions, fees, isGasReserved: order.sell.isNative };
  const commitment = await commitSwap(deps.db, rpc, sender, swap);
  if (commitment.kind === "notReserved") {
    throw new TradeFailedError("Preparing the trade timed out. Nothing was signed. Retry the trade.");
  }
  if (commitment.kind === "insufficientGas") {
    const required = transactions.reduce((sum, { gasLimit }) => sum + maxCostWei(gasLimit, fees), 0n);
    const free = commitment.freeWei > 0n ? commitment.freeWei : 0n;
    const unit = { symbol: ETH.symbol, decimals: ETH.decimals, purpose: " for the network fee" };
    throw new InsufficientBalanceError(TRADE_NETWORK, "native", free, required, unit);
  }
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/**
 * Returns the transactions of the trade: the approval, if one is needed, and the swap.
 *
 * @throws {TradeFailedError} if the swap uses more gas than quoted, or neither the simulation nor the call enforces the minimum
 */
function transactionsOf(quote: CheckedQuote, { sell, sellAtomic }: SwapOrder, simulated: Simulated): NewTransaction[] {
  if (!simulated && !quote.enforcesMinimum) {
    throw new TradeFailedError(
      "The quoted swap enforces no minimum and cannot be simulated. Nothing was signed. Retry later for another quote.",
    );
  }
  const gasLimit = swapGasLimit(quote.gas);
  if (simulated && simulated.swapGas > gasLimit) {
    throw new TradeFailedError("The swap uses more gas than quoted. Nothing was signed. Retry for another quote.");
  }
  const swap = { purpose: "swap" as const, to: quote.to, data: quote.data, valueWei: quote.valueWei, gasLimit };
  if (!quote.spender) return [swap];
  const approval = approveCall(sell.address, quote.spender, sellAtomic);
  const approveGas = approveGasLimit(simulated?.approveGas ?? 0n);
  return [{ purpose: "approve", ...approval, valueWei: 0n, gasLimit: approveGas }, swap];
}

/**
 * Marks the trade as failed, then releases its reservation, unless the trade is committed. If the process crashes between these steps,
 * the recurring job releases the reservation.
 */
async function releaseSale(
  deps: TradeDeps,
  { accountId }: AccountViewer,
  tradeId: string,
  transactionId: string,
  reason: string,
): Promise<void> {
  await deps.db.prisma.trade.updateMany({
    where: { id: tradeId, status: "pending" },
    data: { status: "failed", failureReason: reason, updatedAt: new Date() },
  });
  if (!(await release(deps.db, transactionId, reason, ["reserved"]))) return;
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/**
 * Resumes the trade of an earlier request with the same key, whose process ended before it responded. Returns the trade's id.
 *
 * @throws {IdempotencyKeyReusedError | IdempotencyInFlightError | TradeFailedError}
 */
async function resumeTrade(
  deps: TradeDeps,
  { accountId }: AccountViewer,
  order: SwapOrder,
  idempotencyKey: string,
): Promise<string> {
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const existing = await deps.db.prisma.transaction.findUniqueOrThrow({ where });
  if (existing.type !== "trade") throw new IdempotencyKeyReusedError();
  const row = await deps.db.prisma.trade.findUnique({ where: { transactionId: existing.id } });
  // The trade is reserved but unsigned. The recurring job releases the reservation, and the key can then be reused.
  if (!row || row.status === "pending") throw new IdempotencyInFlightError();
  const isSame =
    row.sellToken === assetOf(order.sell) &&
    row.buyToken === assetOf(order.buy) &&
    row.sellAmountAtomic.toFixed(0) === String(order.sellAtomic);
  if (!isSame) throw new IdempotencyKeyReusedError();
  return assertNotFailed(await driveTrade(deps, row.id), await findSwapHash(deps, row.id)).tradeId;
}

/** Returns the trade's id. @throws {TradeFailedError} when the trade failed */
function assertNotFailed({ id, status, failureReason }: Trade, txHash: string | null): { tradeId: string } {
  if (status === "failed")
    throw new TradeFailedError(
      failureReason ?? "The swap failed on chain. Check its transaction before you retry.",
      txHash,
      id,
    );
  return { tradeId: id };
}

/** Returns the hash of the trade's swap, or null before it is signed. */
async function findSwapHash({ db }: TradeDeps, tradeId: string): Promise<string | null> {
  const swap = await db.prisma.evmTransaction.findFirst({ where: { tradeId, purpose: "swap" } });
  return swap?.txHash ?? null;
}
