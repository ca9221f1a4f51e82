/** The repeated job of orders: those that nobody drives any more, and those whose time is over, are ended. None is run again. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { type OrderDeps, PATIENTLY } from "./deps.ts";
import { endOrder } from "./end-order.ts";
import { publishOrder } from "./order-events.ts";
import type { Cause } from "./states.ts";

/** After the card was submitted: the bank's check may take five minutes of a person, the shop's answer some more. */
const ANSWER_MS = 600_000;
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
        WHEN started_at < now() - $1 * interval '1 millisecond' THEN 'time_spent'
      END AS cause FROM checkout_orders WHERE status IN ('pending', 'dispatched')
    ) live WHERE cause IS NOT NULL ORDER BY created_at LIMIT ${BATCH_SIZE}`,
};

type Overdue = Pick<CheckoutOrder, "id" | "workerJobId" | "leasedUntil"> & { readonly cause: Cause };

/** Answers how many it ended. Any number may sweep at once, beside workers that still say something: one of them is first. */
export async function sweepOrders(deps: OrderDeps): Promise<number> {
  const { db, pubsub, checkoutTimeoutMs } = deps;
  let ended = 0;
  for (;;) {
    const overdue = await db.query<Overdue>(OVERDUE, [checkoutTimeoutMs, ANSWER_MS]);
    for (const { id, cause, workerJobId, leasedUntil } of overdue) {
      // As it was seen: a lease that was renewed or taken since is not lost.
      const seen = { workerJobId, leasedUntil };
      const moved = await db.prisma.$transaction((tx) => endOrder(tx, id, cause, { where: seen }), PATIENTLY);
      if (!moved) continue;
      ended += 1;
      publishOrder(pubsub, moved);
    }
    if (overdue.length < BATCH_SIZE) return ended;
  }
}
