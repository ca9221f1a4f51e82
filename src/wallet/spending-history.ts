/** Spending history of an account, by UTC day or month. */
import { type AccountViewer, requireAccount, type Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { checkHistoryLength, type HistoryLength } from "./history-length.ts";

/** The spending of one UTC day or month. */
export interface SpendingBucket {
  readonly startsAt: Date;
  /** The amount that counts against the limits: settled, and reserved or signed. */
  readonly spentMicroUsd: bigint;
  /** Number of outgoing transactions, without those that were released or failed. */
  readonly paymentCount: number;
}

// A row belongs to the day of its reservation, as for the limits, not to the day of its settlement.
const HISTORY: Statement = {
  name: "spending-history",
  text: `WITH buckets AS (
      SELECT starts_at::timestamp FROM generate_series(
        date_trunc($2, now() AT TIME ZONE 'UTC') - ($3::int - 1) * ('1 ' || $2)::interval,
        date_trunc($2, now() AT TIME ZONE 'UTC'), ('1 ' || $2)::interval) AS starts_at
    ), spent AS (
      SELECT date_trunc($2, budget_day::timestamp) AS starts_at, count(*)::int AS payments,
        sum(coalesce(settled_micro_usd, amount_micro_usd))::bigint AS micro_usd
      FROM transactions
      WHERE account_id = $1::uuid AND direction = 'out' AND status IN ('reserved', 'signed', 'settled')
        AND created_at >= (SELECT min(starts_at) FROM buckets) AT TIME ZONE 'UTC'
      GROUP BY 1
    )
    SELECT starts_at AT TIME ZONE 'UTC' AS starts_at, coalesce(micro_usd, 0)::bigint AS micro_usd, coalesce(payments, 0) AS payments
    FROM buckets LEFT JOIN spent USING (starts_at) ORDER BY starts_at`,
};

/**
 * Returns the last `count` UTC days or months, oldest first and ending with the current one, including those without
 * spending.
 *
 * @throws {InvalidRequestError} when `count` is out of range.
 */
export async function spendingHistory(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  length: HistoryLength,
): Promise<SpendingBucket[]> {
  const { accountId }: AccountViewer = requireAccount(viewer);
  checkHistoryLength(length);
  const rows = await db.query<{ starts_at: Date; micro_usd: bigint; payments: number }>(HISTORY, [
    accountId,
    length.period,
    length.count,
  ]);
  return rows.map((row) => ({
    startsAt: row.starts_at,
    spentMicroUsd: row.micro_usd,
    paymentCount: row.payments,
  }));
}
