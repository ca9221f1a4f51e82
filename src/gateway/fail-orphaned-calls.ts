/** Recurring job that fails calls whose process has crashed. */
import type { Database, Statement } from "../platform/database/connection.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { publishCall } from "./call-events.ts";

// A call paid by reservation ends as soon as its reservation is settled or released. A pending call without an outstanding
// payment for two minutes is therefore orphaned. Providers behind X402 are paid before they respond, so their calls get one
// hour; a call that lasts longer still records its own end. The cost comes from the ledger.
const FAIL_ORPHANED: Statement = {
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
    UPDATE gateway_calls g SET status = 'failed', error_code = 'internal_error', cost_micro_usd = lost.cost,
      completed_at = now(), updated_at = now()
    FROM lost WHERE g.id = lost.id AND g.status = 'pending'
    RETURNING g.id, g.account_id AS "accountId"`,
};

/** Fails calls whose node crashed during the call. The ledger releases their reservations. */
export async function failOrphanedCalls({
  db,
  pubsub,
}: {
  readonly db: Database;
  readonly pubsub: PubSub;
}): Promise<void> {
  const ended = await db.query<{ id: string; accountId: string }>(FAIL_ORPHANED, []);
  for (const { id, accountId } of ended) publishCall(pubsub, accountId, id);
}
