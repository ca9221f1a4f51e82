/** Why a reservation was refused, with the figures a caller needs to do better. */

import type { Database, Statement } from "../platform/database/connection.ts";
import { ServiceError, UnauthorizedError } from "../platform/errors.ts";
import { formatDecimal, formatUsd } from "../platform/money.ts";
import { utcDay, utcMonth } from "../platform/utc.ts";
import { USDC_DECIMALS } from "./networks.ts";
import type { Reservation } from "./reservation-terms.ts";

export type LimitPeriod = "transaction" | "day" | "month";

/** A limit of the credential or the account stands in the way. */
export class SpendingLimitExceededError extends ServiceError {
  readonly code = "spending_limit_exceeded";
  readonly period: LimitPeriod;
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
      `This costs ${formatUsd(requiredMicroUsd)} USD; the ${owner}'s limit per ${period} is ${formatUsd(limitMicroUsd)} USD, of which ${formatUsd(remainingMicroUsd)} USD is left. No money moved.`,
    );
    this.period = period;
    this.limitMicroUsd = limitMicroUsd;
    this.remainingMicroUsd = remainingMicroUsd;
    this.requiredMicroUsd = requiredMicroUsd;
  }
}

/** Credit does not cover it and the wallet does not hold it, counting what is promised already. */
export class InsufficientBalanceError extends ServiceError {
  readonly code = "insufficient_balance";
  readonly network: string;
  readonly asset: string;
  readonly remainingAtomic: bigint;
  readonly requiredAtomic: bigint;
  readonly symbol: string;
  readonly decimals: number;
  /** @param unit what the amounts are in, and what they are needed for where that is not plain; default USDC */
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
    super(`The wallet has ${remaining} available on ${network} and ${required} is needed${purpose}. No money moved.`);
    this.symbol = symbol;
    this.decimals = decimals;
    this.network = network;
    this.asset = asset;
    this.remainingAtomic = remainingAtomic;
    this.requiredAtomic = requiredAtomic;
  }
}

/** The wallet was charged at `settledAt`, perhaps after its balance was read: read it again and say so in `readAfter`. */
export class StaleBalanceError extends Error {
  readonly settledAt: Date;
  constructor(settledAt: Date) {
    super("The balance was read before the wallet was last charged.");
    this.settledAt = settledAt;
  }
}

/** X402 is off for the account. The use case that asked says where to turn it on. */
export class X402TurnedOffError extends Error {
  constructor() {
    super("X402 is off for the account. Nothing was reserved.");
  }
}

// As the reservation was judged: a node's own clock may be past midnight already, or not yet.
const NOW: Statement = { name: "database-time", text: "SELECT now()" };

/** Throws the reason; returns when none stands any more (what stood in the way was given back meanwhile). */
export async function throwRefusalReason(db: Database, reservation: Reservation): Promise<void> {
  const { amountMicroUsd: required, source, accountId } = reservation;
  if (reservation.type === "x402" || reservation.type === "gateway") {
    const account = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    if (account.x402EnabledAt === null) throw new X402TurnedOffError();
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
  // A reading that is too old may show too much or, when a deposit came since, too little.
  if (hold?.settledAt && (source.readAfter === null || hold.settledAt > source.readAfter)) {
    throw new StaleBalanceError(hold.settledAt);
  }
  const free = source.balanceAtomic - BigInt(hold?.outstandingAtomic.toFixed(0) ?? 0);
  if (free < amountAtomic) throw new InsufficientBalanceError(network, asset, free > 0n ? free : 0n, amountAtomic);
}
