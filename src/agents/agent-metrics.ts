import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

// Those with a next look: few, and indexed.
const WAITING: Statement = {
  name: "waiting-agents",
  text: `SELECT count(*) FILTER (WHERE agent_id IS NULL)::int AS unregistered,
      count(*) FILTER (WHERE agent_id IS NOT NULL)::int AS unlinked,
      count(*) FILTER (WHERE failure_reason IS NOT NULL)::int AS failing,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM agents WHERE next_check_at IS NOT NULL`,
};

interface Waiting {
  readonly unregistered: number;
  readonly unlinked: number;
  readonly failing: number;
  readonly oldestSeconds: number;
}

/** What an operator watches: agents on their way to the registry, read at every scrape. */
export function registerAgentMetrics(metrics: Metrics, db: Database): void {
  const gauge = (name: string, help: string, pick: (waiting: Waiting) => number) =>
    metrics.gauge(name, help, [], async () => {
      const [waiting] = await db.query<Waiting>(WAITING, []);
      return waiting ? pick(waiting) : 0;
    });
  gauge("satchel_agents_unregistered", "Agents not yet registered.", ({ unregistered }) => unregistered);
  gauge("satchel_agents_unlinked", "Registered agents whose wallet is not yet named.", ({ unlinked }) => unlinked);
  gauge("satchel_agents_failing", "Agents whose last step towards the registry failed.", ({ failing }) => failing);
  gauge("satchel_agents_waiting_oldest_seconds", "Age of the oldest of them.", ({ oldestSeconds }) => oldestSeconds);
}
