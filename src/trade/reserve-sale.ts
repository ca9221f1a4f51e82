/** The reservation of a sale, and its trade until the trade is committed or released. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { reserveFromWallet } from "../payments/reserve-from-wallet.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import type { Fees } from "../wallet/evm/fees.ts";
import { release } from "../wallet/ledger.ts";
import { InsufficientBalanceError, throwRefusalReason } from "../wallet/refusal-reason.ts";
import type { Reservation } from "../wallet/reservation-terms.ts";
import type { CheckedQuote, SwapOrder } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { maxCostWei, swapGasLimit } from "./fees.ts";
import { createInsufficientSellError, readSellBalance } from "./sell-balance.ts";
import { assetOf, TRADE_NETWORK } from "./tokens.ts";
import { publishTrade } from "./trade-events.ts";
import { isWithinLedger } from "./usd-value.ts";

/** A checked swap, before its reservation. */
export interface Sale {
  readonly order: SwapOrder;
  readonly quote: CheckedQuote;
  readonly fees: Fees;
  readonly tradeId: string;
}

/**
 * Reserves the sold amount against all limits. If the native coin is sold, also reserves the gas cost. Returns the ledger row's id.
 *
 * @throws {SpendingLimitExceededError | InsufficientBalanceError}
 * @throws {InvalidRequestError} if limits and balance allow a value beyond the range of the ledger
 */
export async function reserveSale(
  deps: TradeDeps,
  account: AccountViewer,
  { order, quote, fees, tradeId, amountMicroUsd }: Sale & { readonly amountMicroUsd: bigint },
  idempotency: Pick<Reservation, "idempotencyKey" | "claim">,
): Promise<string> {
  const { sell, buy, sellAtomic } = order;
  const gasWei = sell.isNative ? maxCostWei(swapGasLimit(quote.gas), fees) : 0n;
  const { id, evmAddress: address } = await deps.wallets.ofAccount(account.accountId);
  const terms = {
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
  } as const;
  try {
    if (isWithinLedger(amountMicroUsd)) return await reserveFromWallet(deps, { id, address }, terms);
    // A limit or the balance is the more useful reason.
    const balanceAtomic = await readSellBalance(deps, order);
    const source = { kind: "wallet", walletId: id, balanceAtomic, readAfter: new Date() } as const;
    await throwRefusalReason(deps.db, { ...terms, source });
    throw new InvalidRequestError("sellAmount must be worth at most 1,000,000,000 US dollars.", "sellAmount");
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    throw createInsufficientSellError(sell, error.remainingAtomic, error.requiredAtomic);
  }
}

/** A sale with its ledger row. */
export interface ReservedSale extends Sale {
  readonly transactionId: string;
}

/** Creates the trade of a reserved sale. */
export async function createTrade(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale): Promise<void> {
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

/**
 * Marks the trade as failed, then releases its reservation, unless the trade is committed. If the process crashes between these steps,
 * the recurring job releases the reservation.
 */
export async function releaseSale(
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
