import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

// Outstanding rows are those with a next look: few, and indexed.
const OUTSTANDING: Statement = {
  name: "outstanding-payments",
  text: `SELECT status, count(*) AS payments, coalesce(sum(amount_micro_usd), 0)::bigint AS micro_usd,
      extract(epoch FROM now() - min(created_at))::float8 AS oldest_seconds
    FROM transactions WHERE next_check_at IS NOT NULL GROUP BY status`,
};

interface OutstandingRow {
  status: string;
  payments: bigint;
  micro_usd: bigint;
  oldest_seconds: number;
}

/** What an operator watches: money promised and not yet settled or released, read from the ledger at every scrape. */
export function registerPaymentMetrics(metrics: Metrics, db: Database): void {
  const read = async (status: string, pick: (row: OutstandingRow) => number) => {
    const rows = await db.query<OutstandingRow>(OUTSTANDING, []);
    const row = rows.find((it) => it.status === status);
    return row ? pick(row) : 0;
  };
  for (const status of ["reserved", "signed"]) {
    metrics.gauge(`satchel_payments_${status}`, `Payments that are ${status} and not settled or released.`, [], () =>
      read(status, (row) => Number(row.payments)),
    );
    metrics.gauge(`satchel_payments_${status}_micro_usd`, `What those ${status} amount to, in micro-USD.`, [], () =>
      read(status, (row) => Number(row.micro_usd)),
    );
    metrics.gauge(`satchel_payments_${status}_oldest_seconds`, `Age of the oldest ${status} payment.`, [], () =>
      read(status, (row) => row.oldest_seconds),
    );
  }
}
