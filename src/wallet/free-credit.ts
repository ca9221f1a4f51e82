/**
 * Free credit: money of the operator that the treasury pays with. An account receives it once, when its first email address is
 * verified, within a total per day and a number of accounts per network.
 */
import type { Database, Statement } from "../platform/database/connection.ts";
import { wideNetworkOf } from "../platform/http/client-address.ts";
import { newId } from "../platform/ids.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { RateLimiter } from "../platform/rate-limit.ts";
import { utcDay } from "../platform/utc.ts";

import { hasFreeCreditClaim, hashCreditAddress, recordFreeCreditClaim } from "./free-credit-claims.ts";

/** Limits of the free credit that all accounts receive together. Null: no limit. */
export interface FreeCreditLimits {
  readonly perDayMicroUsd: bigint | null;
  /** Accounts of one network (IPv4 /24, IPv6 /48) in 24 hours. */
  readonly accountsPerNetwork: number | null;
}

/** Counts free credit against the limits. Returns false if a limit refuses it, which is logged. */
export type AdmitFreeCredit = (amountMicroUsd: bigint, ip: string | null) => Promise<boolean>;

export interface FreeCreditDeps {
  /** Free credit of one account. */
  readonly freeCreditMicroUsd: bigint;
  readonly admitFreeCredit: AdmitFreeCredit;
}

const BUCKET = "free_credit";
const DAY_SECONDS = 86_400;

// One statement compares and sets, so concurrent accounts never exceed the total.
const COUNT: Statement = {
  name: "count-free-credit",
  text: `INSERT INTO free_credit_days AS d (day, granted_micro_usd)
    SELECT (now() AT TIME ZONE 'UTC')::date, $1::bigint WHERE $1::bigint <= $2::bigint
    ON CONFLICT (day) DO UPDATE SET granted_micro_usd = d.granted_micro_usd + excluded.granted_micro_usd
      WHERE d.granted_micro_usd + excluded.granted_micro_usd <= $2::bigint
    RETURNING granted_micro_usd`,
};

/** The credit of an account whose creation then fails remains counted. */
export function createFreeCreditAdmission(
  { db, rateLimiter, logger }: { readonly db: Database; readonly rateLimiter: RateLimiter; readonly logger: Logger },
  { perDayMicroUsd, accountsPerNetwork }: FreeCreditLimits,
): AdmitFreeCredit {
  return async (amountMicroUsd, ip) => {
    if (accountsPerNetwork !== null && ip !== null) {
      const network = wideNetworkOf(ip);
      const isWithin = await rateLimiter.consume(BUCKET, network, accountsPerNetwork, DAY_SECONDS).then(
        () => true,
        () => false,
      );
      if (!isWithin) {
        logger.warn({ network }, "Free credit refused: the network's accounts per day are exhausted");
        return false;
      }
    }
    const counted = await db.query(COUNT, [amountMicroUsd, perDayMicroUsd ?? MAX_BIGINT]);
    if (counted.length > 0) return true;
    logger.error({ perDayMicroUsd }, "Free credit refused: the daily total is exhausted (FREE_CREDIT_DAILY_USD)");
    return false;
  };
}

const MAX_BIGINT = 2n ** 63n - 1n;

const GRANTED_TODAY: Statement = {
  name: "free-credit-today",
  text: "SELECT granted_micro_usd FROM free_credit_days WHERE day = (now() AT TIME ZONE 'UTC')::date",
};

/** Registers gauges of the day's free credit and of its limit, for an alert before the total is exhausted. */
export function registerFreeCreditMetrics(
  metrics: Metrics,
  db: Database,
  { perDayMicroUsd }: Pick<FreeCreditLimits, "perDayMicroUsd">,
): void {
  metrics.gauge("satchel_free_credit_day_micro_usd", "Free credit granted today (UTC) in micro-USD.", [], async () => {
    const [row] = await db.query<{ granted_micro_usd: bigint }>(GRANTED_TODAY, []);
    return Number(row?.granted_micro_usd ?? 0n);
  });
  if (perDayMicroUsd === null) return;
  metrics
    .gauge("satchel_free_credit_day_limit_micro_usd", "Maximum free credit of a day in micro-USD.")
    .set(Number(perDayMicroUsd));
}

/** Returns the ledger row of a grant, which is settled from its creation. */
export function freeCreditRow(accountId: string, amountMicroUsd: bigint, at: Date) {
  return {
    id: newId("tx"),
    accountId,
    type: "credit",
    status: "settled",
    direction: "in",
    description: "Free credit",
    amountAtomic: amountMicroUsd.toString(),
    settledAtomic: amountMicroUsd.toString(),
    amountMicroUsd,
    settledMicroUsd: amountMicroUsd,
    budgetIds: [],
    budgetDay: new Date(utcDay(at)),
    paidFromCredit: true,
    createdAt: at,
    settledAt: at,
  };
}

/**
 * Grants free credit to an account whose email address was verified after its creation. Without effect if it received credit
 * before, another account did with its address, or a limit refuses it.
 */
export async function grantFreeCredit(
  deps: FreeCreditDeps & { readonly db: Database },
  accountId: string,
  ip: string | null,
): Promise<void> {
  const { freeCreditMicroUsd, db } = deps;
  const where = { accountId, grantedAt: null, account: { email: { not: null } } };
  if (freeCreditMicroUsd === 0n) return;
  const credit = await db.prisma.credit.findFirst({ where, select: { account: { select: { email: true } } } });
  const email = credit?.account.email ?? null;
  if (email === null) return;
  const addressHash = await hashCreditAddress(email);
  if (await hasFreeCreditClaim(db, addressHash)) return;
  if (!(await deps.admitFreeCredit(freeCreditMicroUsd, ip))) return;
  const at = new Date();
  await db.prisma.$transaction(async (tx) => {
    // Reservations lock the account before its counters.
    await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
    const { count } = await tx.credit.updateMany({
      where: { accountId, grantedAt: null },
      data: { availableMicroUsd: { increment: freeCreditMicroUsd }, grantedAt: at },
    });
    if (count === 0) return;
    await tx.transaction.create({ data: freeCreditRow(accountId, freeCreditMicroUsd, at) });
    await recordFreeCreditClaim(tx, addressHash);
  });
}
