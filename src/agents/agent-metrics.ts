import type { Database, Statement } from "../platform/database/connection.ts";
import type { Metrics } from "../platform/observability/metrics.ts";

// Agents with a scheduled check are few, and an index covers them.
const WAITING: Statement = {
  name: "waiting-agents",
  text: `SELECT count(*) FILTER (WHERE agent_id IS NULL)::int AS unregistered,
      count(*) FILTER (WHERE agent_id IS NOT NULL)::int AS unlinked,
      count(*) FILTER (WHERE failure_reason IS NOT NULL)::int AS failing,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM agents WHERE next_check_at IS NOT NULL`,
};

interface WaitingAgents {
  readonly unregistered: number;
  readonly unlinked: number;
  readonly failing: number;
  readonly oldestSeconds: number;
}

/** Registers gauges of agents that are not yet registered or linked. They are queried at every scrape. */
export function registerAgentMetrics(metrics: Metrics, db: Database): void {
  const gauge = (name: string, help: string, pick: (waiting: WaitingAgents) => number) =>
    metrics.gauge(name, help, [], async () => {
      const [waiting] = await db.query<WaitingAgents>(WAITING, []);
      return waiting ? pick(waiting) : 0;
    });
  gauge("satchel_agents_unregistered", "Agents not yet registered.", ({ unregistered }) => unregistered);
  gauge("satchel_agents_unlinked", "Registered agents whose wallet is not yet linked.", ({ unlinked }) => unlinked);
  gauge("satchel_agents_failing", "Agents whose last registration step failed.", ({ failing }) => failing);
  gauge(
    "satchel_agents_waiting_oldest_seconds",
    "Age of the oldest agent that is not yet registered or linked.",
    ({ oldestSeconds }) => oldestSeconds,
  );
}
