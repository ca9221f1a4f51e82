/** Ends dry runs whose merchant may no longer see name, address and email. */
import { findFreeze } from "../../accounts/freeze/freeze-state.ts";
import { LONG_TRANSACTION, type OrderDeps } from "../orders/deps.ts";
import { endOrder } from "../orders/end-order.ts";
import { publishOrder } from "../orders/order-events.ts";

/**
 * Ends the dry run of a lease if its account was frozen, or has no standing policy any more. Returns whether it ended. A worker
 * renews its lease every few seconds, and stops when it is lost.
 */
export async function endUndisclosableDryRun(
  { db, pubsub }: OrderDeps,
  { id, accountId, lease }: { readonly id: string; readonly accountId: string; readonly lease: string },
): Promise<boolean> {
  const [freeze, policy] = await Promise.all([
    findFreeze(db, accountId),
    db.prisma.checkoutPolicy.findUnique({ where: { activeSlot: accountId }, select: { id: true } }),
  ]);
  if (freeze === null && policy !== null) return false;
  const ended = await db.prisma.$transaction(
    (tx) => endOrder(tx, id, freeze === null ? "policy_ended" : "account_frozen", { lease }),
    LONG_TRANSACTION,
  );
  if (ended) publishOrder(pubsub, ended);
  return ended !== null;
}
