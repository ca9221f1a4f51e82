/** Recurring sweep: ends orders whose worker was lost or whose time limit has passed. No order is driven again. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { waitedFor } from "../questions/question-period.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { endOrder } from "./end-order.ts";
import { publishOrder } from "./order-events.ts";
import type { Cause } from "./states.ts";

/** Time limit after the card is submitted: up to five minutes for 3-D Secure, plus the merchant's response. */
const SUBMITTED_TIMEOUT_MS = 600_000;
const BATCH_SIZE = 200;

const OVERDUE: Statement = {
  name: "overdue-checkout-orders",
  text: `SELECT id, cause, worker_job_id AS "workerJobId", leased_until AS "leasedUntil" FROM (
      SELECT *, CASE
        WHEN status = 'pending' THEN CASE WHEN updated_at < now() - $1 * interval '1 millisecond' THEN 'never_taken' END
        WHEN worker_job_id IS NULL THEN CASE WHEN updated_at < now() - $1 * interval '1 millisecond' THEN 'time_spent' END
        WHEN submitted_at IS NOT NULL THEN
          CASE WHEN leased_until < now() OR submitted_at < now() - $2 * interval '1 millisecond' THEN 'outcome_unknown' END
        WHEN leased_until < now() THEN 'worker_crashed'
        WHEN started_at < now() - $1 * interval '1 millisecond' - ${waitedFor("checkout_orders")} THEN 'time_spent'
      END AS cause FROM checkout_orders WHERE status IN ('pending', 'dispatched')
    ) live WHERE cause IS NOT NULL ORDER BY created_at LIMIT ${BATCH_SIZE}`,
};

type Overdue = Pick<CheckoutOrder, "id" | "workerJobId" | "leasedUntil"> & { readonly cause: Cause };

/**
 * Ends overdue orders. Safe to run concurrently with other sweeps and with workers' reports; the first transition wins.
 * @returns the number of ended orders
 */
export async function sweepOrders(deps: OrderDeps): Promise<number> {
  const { db, pubsub, checkoutTimeoutMs } = deps;
  let ended = 0;
  for (;;) {
    const overdue = await db.query<Overdue>(OVERDUE, [checkoutTimeoutMs, SUBMITTED_TIMEOUT_MS]);
    for (const { id, cause, workerJobId, leasedUntil } of overdue) {
      // Only if unchanged: a lease acquired or renewed since the query is not lost.
      const unchanged = { workerJobId, leasedUntil };
      const changed = await db.prisma.$transaction(
        (tx) => endOrder(tx, id, cause, { where: unchanged }),
        LONG_TRANSACTION,
      );
      if (!changed) continue;
      ended += 1;
      publishOrder(pubsub, changed);
    }
    if (overdue.length < BATCH_SIZE) return ended;
  }
}
