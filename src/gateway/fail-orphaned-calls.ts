/** The repeated job of calls: those whose process was lost while they ran are ended. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { publishCall } from "./call-events.ts";

// A call of credit holds its reservation until it is settled or released, and then ends at once: what has no outstanding
// payment for minutes has nobody. Providers behind X402 are paid while they still answer, so their calls are given an hour;
// one that does last longer says itself how it ended. What it cost is what the ledger says.
const END_LOST: Statement = {
  name: "end-lost-gateway-calls",
  text: `WITH lost AS (
      SELECT g.id, sum(t.settled_micro_usd) AS cost FROM gateway_calls g
      LEFT JOIN gateway_transactions l ON l.call_id = g.id
      LEFT JOIN transactions t ON t.id = l.transaction_id
      WHERE g.status = 'pending' AND g.created_at < now() - interval '2 minutes'
      GROUP BY g.id
      HAVING g.created_at < now() - interval '1 hour'
        OR (bool_and(t.scheme IS NULL AND t.status IN ('settled', 'released', 'failed'))
          AND max(t.updated_at) < now() - interval '2 minutes')
    )
    UPDATE gateway_calls g SET status = 'failed', error_code = 'interrupted', cost_micro_usd = lost.cost,
      completed_at = now(), updated_at = now()
    FROM lost WHERE g.id = lost.id AND g.status = 'pending'
    RETURNING g.id, g.account_id AS "accountId"`,
};

/** Ends calls whose node was lost while they ran. What they had reserved is given back by the ledger itself. */
export async function failOrphanedCalls({
  db,
  pubsub,
}: {
  readonly db: Database;
  readonly pubsub: PubSub;
}): Promise<void> {
  const ended = await db.query<{ id: string; accountId: string }>(END_LOST, []);
  for (const { id, accountId } of ended) publishCall(pubsub, accountId, id);
}
