import { findFreeze } from "../../accounts/freeze/freeze-state.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { endOrder } from "./end-order.ts";
import { publishOrder } from "./order-events.ts";

/** Ends the order of a lease whose account was frozen before the card was submitted. Otherwise the order remains unchanged. */
export async function endFrozenOrder({ db, pubsub }: OrderDeps, lease: string): Promise<void> {
  const where = { workerJobId: lease, status: "dispatched", submittedAt: null };
  const order = await db.prisma.checkoutOrder.findFirst({ where, select: { id: true, accountId: true } });
  if (!order || (await findFreeze(db, order.accountId)) === null) return;
  const ended = await db.prisma.$transaction(
    (tx) => endOrder(tx, order.id, "account_frozen", { lease }),
    LONG_TRANSACTION,
  );
  if (ended) publishOrder(pubsub, ended);
}
