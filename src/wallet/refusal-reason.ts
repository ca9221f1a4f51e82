/** Determines why a reservation was refused, with the amounts that a caller needs for a valid one. */

import { assertNotFrozen } from "../accounts/freeze/freeze-state.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { ServiceError, UnauthorizedError } from "../platform/errors.ts";
import { IdempotencyInFlightError, isClaimHeld } from "../platform/idempotency/claim.ts";
import { formatDecimal, formatUsd } from "../platform/money.ts";
import { utcDay, utcMonth } from "../platform/utc.ts";
import { findResumable } from "./attempts.ts";
import { USDC_DECIMALS } from "./networks.ts";
import type { Reservation } from "./reservation-terms.ts";

export type LimitPeriod = "transaction" | "day" | "month";

/** The payment exceeds a spending limit of the credential or the account. */
export class SpendingLimitExceededError extends ServiceError {
  readonly code = "spending_limit_exceeded";
  readonly period: LimitPeriod;
  /** Whose limit it is. */
  readonly owner: "account" | "token";
  readonly limitMicroUsd: bigint;
  readonly remainingMicroUsd: bigint;
  readonly requiredMicroUsd: bigint;
  constructor(
    period: LimitPeriod,
    owner: "account" | "token",
    limitMicroUsd: bigint,
    remainingMicroUsd: bigint,
    requiredMicroUsd: bigint,
  ) {
    super(
      `The payment exceeds the ${owner}'s limit per ${period}: ${formatUsd(requiredMicroUsd)} USD requested, ${formatUsd(remainingMicroUsd)} of ${formatUsd(limitMicroUsd)} USD remaining. No payment was made.`,
    );
    this.period = period;
    this.owner = owner;
    this.limitMicroUsd = limitMicroUsd;
    this.remainingMicroUsd = remainingMicroUsd;
    this.requiredMicroUsd = requiredMicroUsd;
  }
}

/** Neither the credit nor the wallet's balance, less outstanding payments, covers the payment. */
export class InsufficientBalanceError extends ServiceError {
  readonly code = "insufficient_balance";
  readonly network: string;
  readonly asset: string;
  readonly remainingAtomic: bigint;
  readonly requiredAtomic: bigint;
  readonly symbol: string;
  readonly decimals: number;
  /** @param unit token of the amounts, and their purpose (empty, or a phrase with a leading space); default: USDC */
  constructor(
    network: string,
    asset: string,
    remainingAtomic: bigint,
    requiredAtomic: bigint,
    unit?: { readonly symbol: string; readonly decimals: number; readonly purpose: string },
  ) {
    const { symbol, decimals, purpose } = unit ?? { symbol: "USDC", decimals: USDC_DECIMALS, purpose: "" };
    const [remaining, required] = [remainingAtomic, requiredAtomic].map(
      (atomic) => formatDecimal(atomic, decimals, 2) + (unit ? ` ${symbol}` : ""),
    );
    super(
      `Insufficient balance on ${network}: ${remaining} available, ${required} required${purpose}. No payment was made.`,
    );
    this.symbol = symbol;
    this.decimals = decimals;
    this.network = network;
    this.asset = asset;
    this.remainingAtomic = remainingAtomic;
    this.requiredAtomic = requiredAtomic;
  }
}

/**
 * The wallet was charged at `settledAt`, possibly after the balance was read. The caller must read the balance again and
 * pass `settledAt` as `readAfter`.
 */
export class StaleBalanceError extends Error {
  readonly settledAt: Date;
  constructor(settledAt: Date) {
    super("The balance was read before the wallet's last charge. Nothing was reserved. Read the balance again.");
    this.settledAt = settledAt;
  }
}

/** X402 is disabled for the account. The calling use case reports where to enable it. */
export class X402TurnedOffError extends Error {
  constructor() {
    super("X402 is disabled for the account. Nothing was reserved.");
  }
}

/** An earlier payment for an equal request has no response and can continue. The calling use case continues it. */
export class ResumablePaymentError extends Error {
  readonly transactionId: string;
  constructor(transactionId: string) {
    super("An earlier payment for this request can continue. Nothing was reserved.");
    this.transactionId = transactionId;
  }
}

// The database's clock decided the reservation. The node's clock can show another day around midnight.
const NOW: Statement = { name: "database-time", text: "SELECT now()" };

/** Throws the reason for a refused reservation. Returns if the obstacle was released meanwhile, so a retry can succeed. */
export async function throwRefusalReason(db: Database, reservation: Reservation): Promise<void> {
  const { amountMicroUsd: required, source, accountId } = reservation;
  await assertNotFrozen(db, accountId);
  if (reservation.type === "x402" || reservation.type === "gateway") {
    const account = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    if (account.x402EnabledAt === null) throw new X402TurnedOffError();
  }
  if (reservation.claim && !(await isClaimHeld(db, accountId, reservation.claim))) throw new IdempotencyInFlightError();
  // Before the limits, because that payment may be what exhausts them.
  if (reservation.requestSha256) {
    const resumableId = await findResumable(db, reservation.requestSha256);
    if (resumableId !== null) throw new ResumablePaymentError(resumableId);
  }
  const budgets = await db.prisma.budget.findMany({ where: { id: { in: [...reservation.budgetIds] } } });
  if (budgets.length < reservation.budgetIds.length) throw new UnauthorizedError();
  const [{ now }] = (await db.query<{ now: Date }>(NOW, [])) as [{ now: Date }];
  for (const budget of budgets) {
    if (budget.closedAt && budget.closedAt <= now) throw new UnauthorizedError();
    const owner = budget.id === budget.accountId ? "account" : "token";
    const usedToday = utcDay(budget.day) === utcDay(now) ? budget.dayUsedMicroUsd : 0n;
    const usedThisMonth = utcDay(budget.month) === utcMonth(now) ? budget.monthUsedMicroUsd : 0n;
    const limits = [
      ["transaction", budget.perTransactionLimitMicroUsd, 0n],
      ["day", budget.dailyLimitMicroUsd, usedToday],
      ["month", budget.monthlyLimitMicroUsd, usedThisMonth],
    ] as const;
    for (const [period, limit, used] of limits) {
      if (limit === null || used + required <= limit) continue;
      const remaining = limit > used ? limit - used : 0n;
      throw new SpendingLimitExceededError(period, owner, limit, remaining, required);
    }
  }
  const { network, asset, amountAtomic } = reservation;
  if (source.kind === "credit") {
    const credit = await db.prisma.credit.findUnique({ where: { accountId } });
    const available = credit?.availableMicroUsd ?? 0n;
    if (available < required) throw new InsufficientBalanceError(network, asset, available, amountAtomic);
    return;
  }
  const hold = await db.prisma.walletHold.findUnique({
    where: { walletId_network_asset: { walletId: source.walletId, network, asset } },
  });
  // A stale balance can be too high or, after a deposit, too low.
  if (hold?.settledAt && (source.readAfter === null || hold.settledAt > source.readAfter)) {
    throw new StaleBalanceError(hold.settledAt);
  }
  const free = source.balanceAtomic - BigInt(hold?.outstandingAtomic.toFixed(0) ?? 0);
  if (free < amountAtomic) throw new InsufficientBalanceError(network, asset, free > 0n ? free : 0n, amountAtomic);
}
