import type { Counter } from "prom-client";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

// Deliveries with a next attempt: few, and indexed.
const WAITING: Statement = {
  name: "waiting-webhook-deliveries",
  text: `SELECT count(*)::int AS deliveries, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float8 AS overdue_seconds
    FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL`,
};

/** What an operator watches: attempts, and what is not delivered yet. Answers the counter of attempts. */
export function registerWebhookMetrics(metrics: Metrics, db: Database): Counter<"outcome"> {
  const read = async () => {
    const [row] = await db.query<{ deliveries: number; overdue_seconds: number }>(WAITING, []);
    return row ?? { deliveries: 0, overdue_seconds: 0 };
  };
  metrics.gauge(
    "satchel_webhook_deliveries_waiting",
    "Deliveries of events that are not made yet.",
    [],
    async () => (await read()).deliveries,
  );
  metrics.gauge("satchel_webhook_deliveries_overdue_seconds", "For how long the oldest of them is due.", [], async () =>
    Math.max(0, (await read()).overdue_seconds),
  );
  return metrics.counter("satchel_webhook_attempts_total", "Attempts to tell an endpoint of an event.", ["outcome"]);
}
