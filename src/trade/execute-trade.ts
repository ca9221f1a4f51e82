/** Swaps of tokens in the account's wallet (`POST /api/trade`, mutation `trade`). */
import type { Trade } from "../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, type Viewer } from "../accounts/viewer.ts";
import {
  type ClaimFence,
  IdempotencyInFlightError,
  IdempotencyKeyReusedError,
  runIdempotent,
} from "../platform/idempotency/claim.ts";
import { newId } from "../platform/ids.ts";
import { DuplicateReservationError } from "../wallet/reservation.ts";
import { driveTrade } from "./advance-trade.ts";
import type { CheckedQuote, SwapRequest } from "./check-quote.ts";
import { commitTrade } from "./commit-trade.ts";
import type { TradeDeps } from "./deps.ts";
import { currentFees } from "./fees.ts";
import { type QuoteLimits, requestFirmQuote } from "./firm-quote.ts";
import { createTrade, releaseSale, reserveSale } from "./reserve-sale.ts";
import { assertSellBalance } from "./sell-balance.ts";
import { readSwap, type SwapInput } from "./swap-request.ts";
import { assetOf, TRADE_NETWORK } from "./tokens.ts";
import { TradeFailedError } from "./trade-failure.ts";
import { admitTrade } from "./trade-rate-limits.ts";
import { usdValueOf } from "./usd-value.ts";

export interface TradeInput extends SwapInput, QuoteLimits {
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
  const reservedAtomic = await findReservedAmount(deps, account, idempotencyKey);
  const { dex, request } = await readSwap(deps, account, input, input.sellAll ? reservedAtomic : null);
  // The price of an earlier trade is not compared with that of now, which the trade itself may have moved.
  if (reservedAtomic !== null && idempotencyKey !== null) {
    return { tradeId: await resumeTrade(deps, account, request, idempotencyKey) };
  }
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  if (request.amount.side === "sell") await assertSellBalance(deps, { ...request, sellAtomic: request.amount.atomic });
  const [{ order, quote }, fees] = await Promise.all([
    requestFirmQuote(deps, dex, request, input),
    currentFees(rpc),
    rpc.checkChain(),
  ]);
  if (request.amount.side === "buy") await assertSellBalance(deps, order);
  const amountMicroUsd = await usdValueOf(dex, { ...order, buyAtomic: valueBought(quote) });
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
    return { tradeId: await resumeTrade(deps, account, request, idempotencyKey) };
  }
  try {
    const sale = { order, quote, fees, tradeId, transactionId };
    await createTrade(deps, account, sale);
    await commitTrade(deps, account, dex, sale);
  } catch (error) {
    await releaseSale(deps, account, tradeId, transactionId, (error as Error).message);
    throw error;
  }
  return assertNotFailed(await driveTrade(deps, tradeId), await findSwapHash(deps, tradeId));
}

/** Returns what the most that the quote sells would buy at its price, rounded up so that rounding never exceeds a limit. */
function valueBought({ buyAtomic, quotedSellAtomic, sellAtomic }: CheckedQuote): bigint {
  return (buyAtomic * sellAtomic + quotedSellAtomic - 1n) / quotedSellAtomic;
}

/**
 * Resumes the trade of an earlier request with the same key, whose process ended before it responded. Returns the trade's id.
 *
 * @throws {IdempotencyKeyReusedError | IdempotencyInFlightError | TradeFailedError}
 */
async function resumeTrade(
  deps: TradeDeps,
  { accountId }: AccountViewer,
  { sell, buy, amount }: SwapRequest,
  idempotencyKey: string,
): Promise<string> {
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const existing = await deps.db.prisma.transaction.findUniqueOrThrow({ where });
  if (existing.type !== "trade") throw new IdempotencyKeyReusedError();
  const row = await deps.db.prisma.trade.findUnique({ where: { transactionId: existing.id } });
  // The trade is reserved but unsigned. The recurring job releases the reservation, and the key can then be reused.
  if (!row || row.status === "pending") throw new IdempotencyInFlightError();
  const statedAtomic = amount.side === "sell" ? row.sellAmountAtomic : row.minBuyAtomic;
  const isSame =
    row.sellToken === assetOf(sell) &&
    row.buyToken === assetOf(buy) &&
    statedAtomic.toFixed(0) === String(amount.atomic);
  if (!isSame) throw new IdempotencyKeyReusedError();
  return assertNotFailed(await driveTrade(deps, row.id), await findSwapHash(deps, row.id)).tradeId;
}

/** Returns the amount that the trade of an earlier request with the key reserved; null if there is none. */
async function findReservedAmount(
  { db }: TradeDeps,
  { accountId }: AccountViewer,
  idempotencyKey: string | null,
): Promise<bigint | null> {
  if (idempotencyKey === null) return null;
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const existing = await db.prisma.transaction.findUnique({ where, select: { id: true } });
  const trade = existing && (await db.prisma.trade.findUnique({ where: { transactionId: existing.id } }));
  return trade ? BigInt(trade.sellAmountAtomic.toFixed(0)) : null;
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
