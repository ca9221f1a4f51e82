import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import { isOpenPermit } from "../wallet/carry-over.ts";

// Outstanding rows are those with next_check_at: few, and indexed.
const OUTSTANDING: Statement = {
  name: "outstanding-payments",
  text: `SELECT status, count(*) AS payments, coalesce(sum(amount_micro_usd), 0)::bigint AS micro_usd,
      extract(epoch FROM now() - min(created_at))::float8 AS oldest_seconds
    FROM transactions WHERE next_check_at IS NOT NULL GROUP BY status`,
};

// The condition matches the index `transactions_open_upto_idx`.
const OPEN_PERMITS: Statement = {
  name: "open-permits",
  text: `SELECT coalesce(sum(amount_micro_usd), 0)::float8 AS micro_usd,
      (SELECT count(*) FROM permit_revocations WHERE status = 'signed')::int AS pending_revocations
    FROM transactions p WHERE ${isOpenPermit("p")}`,
};

interface OpenPermitsRow {
  micro_usd: number;
  pending_revocations: number;
}

interface OutstandingRow {
  status: string;
  payments: bigint;
  micro_usd: bigint;
  oldest_seconds: number;
}

/** Registers gauges of the payments that are neither settled nor released. Each scrape reads them from the ledger. */
export function registerPaymentMetrics(metrics: Metrics, db: Database): void {
  const read = async (status: string, pick: (row: OutstandingRow) => number) => {
    const rows = await db.query<OutstandingRow>(OUTSTANDING, []);
    const row = rows.find((it) => it.status === status);
    return row ? pick(row) : 0;
  };
  for (const status of ["reserved", "signed"]) {
    metrics.gauge(`satchel_payments_${status}`, `Number of ${status} payments not yet settled or released.`, [], () =>
      read(status, (row) => Number(row.payments)),
    );
    metrics.gauge(`satchel_payments_${status}_micro_usd`, `Total of ${status} payments in micro-USD.`, [], () =>
      read(status, (row) => Number(row.micro_usd)),
    );
    metrics.gauge(
      `satchel_payments_${status}_oldest_seconds`,
      `Age of the oldest ${status} payment in seconds.`,
      [],
      () => read(status, (row) => row.oldest_seconds),
    );
  }
  const readPermits = async () => (await db.query<OpenPermitsRow>(OPEN_PERMITS, []))[0];
  metrics.gauge(
    "satchel_open_permits_micro_usd",
    "Total cap of upto permits that can still be drawn, in micro-USD.",
    [],
    async () => (await readPermits())?.micro_usd ?? 0,
  );
  metrics.gauge(
    "satchel_permit_revocations_pending",
    "Number of revocations of permits that are not mined yet.",
    [],
    async () => (await readPermits())?.pending_revocations ?? 0,
  );
}
