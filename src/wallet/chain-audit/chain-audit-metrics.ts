import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { NetworkName } from "../networks.ts";

const NETWORKS: Statement = {
  name: "chain-audit-metrics",
  text: `SELECT network, greatest(head_number - block_number, 0)::float8 AS "lagBlocks",
      extract(epoch FROM now() - updated_at)::float8 AS "ageSeconds",
      (SELECT count(*) FROM chain_differences d WHERE d.network = n.network AND d.resolved_at IS NULL)::float8 AS differences
    FROM chain_audit_networks n`,
};

interface NetworkState {
  readonly network: string;
  readonly lagBlocks: number;
  readonly ageSeconds: number;
  readonly differences: number;
}

/** Registers the metrics of the chain audit. Returns a function that counts transfers read by this node. */
export function registerChainAuditMetrics(
  metrics: Metrics,
  db: Database,
): (network: NetworkName, count: number) => void {
  const gauge = (name: string, help: string, pick: (state: NetworkState) => number) =>
    metrics.gauge(name, help, ["network"], async () =>
      (await db.query<NetworkState>(NETWORKS, [])).map((state) => ({
        labels: { network: state.network },
        value: pick(state),
      })),
    );
  gauge("satchel_chain_differences", "Open differences between chain and ledger.", ({ differences }) => differences);
  gauge(
    "satchel_chain_audit_lag_blocks",
    "Blocks between the latest and the last audited.",
    ({ lagBlocks }) => lagBlocks,
  );
  gauge(
    "satchel_chain_audit_age_seconds",
    "Time since the last run of the chain audit.",
    ({ ageSeconds }) => ageSeconds,
  );
  const transfers = metrics.counter("satchel_chain_transfers_read_total", "Transfers read by the chain audit.", [
    "network",
  ]);
  return (network, count) => transfers.inc({ network }, count);
}
