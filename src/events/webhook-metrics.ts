import type { Counter } from "prom-client";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

// Deliveries with a scheduled attempt are few, and an index covers them.
const WAITING: Statement = {
  name: "waiting-webhook-deliveries",
  text: `SELECT count(*)::int AS deliveries, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float8 AS overdue_seconds
    FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL`,
};

/** Registers metrics of delivery attempts and pending deliveries. Returns the counter of attempts. */
export function registerWebhookMetrics(metrics: Metrics, db: Database): Counter<"outcome"> {
  const readWaiting = async () => {
    const [row] = await db.query<{ deliveries: number; overdue_seconds: number }>(WAITING, []);
    return row ?? { deliveries: 0, overdue_seconds: 0 };
  };
  metrics.gauge(
    "satchel_webhook_deliveries_waiting",
    "Pending webhook deliveries.",
    [],
    async () => (await readWaiting()).deliveries,
  );
  metrics.gauge(
    "satchel_webhook_deliveries_overdue_seconds",
    "Time since the oldest pending webhook delivery became due.",
    [],
    async () => Math.max(0, (await readWaiting()).overdue_seconds),
  );
  return metrics.counter("satchel_webhook_attempts_total", "Webhook delivery attempts.", ["outcome"]);
}
