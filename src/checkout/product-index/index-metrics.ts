import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";

const BY_STATUS: Statement = {
  name: "catalogue-indexes-by-status",
  text: "SELECT status, count(*)::int AS count FROM catalogue_indexes GROUP BY status",
};
const TOTALS: Statement = {
  name: "catalogue-index-totals",
  text: `SELECT coalesce(sum(product_count), 0)::float8 AS products,
      coalesce(extract(epoch FROM now() - min(read_at)), 0)::float8 AS "oldestSeconds"
    FROM catalogue_indexes`,
};

/** Registers gauges of the search index. They are queried at every scrape. */
export function registerIndexMetrics(metrics: Metrics, db: Database): void {
  metrics.gauge("satchel_catalogues", "Merchants in the search index, by status.", ["status"], async () => {
    const rows = await db.query<{ status: string; count: number }>(BY_STATUS, []);
    return rows.map(({ status, count }) => ({ labels: { status }, value: count }));
  });
  const total = (name: string, help: string, pick: (totals: { products: number; oldestSeconds: number }) => number) =>
    metrics.gauge(name, help, [], async () => {
      const [totals] = await db.query<{ products: number; oldestSeconds: number }>(TOTALS, []);
      return totals ? pick(totals) : 0;
    });
  total("satchel_catalogue_products", "Products in the search index.", ({ products }) => products);
  total("satchel_catalogue_oldest_seconds", "Age of the oldest complete catalogue.", (it) => it.oldestSeconds);
}
