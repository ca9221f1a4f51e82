import { SubscriptionInterruptedError } from "../../platform/pubsub/subscribers.ts";
import type { OrderDeps } from "../orders/deps.ts";
import { orderChannel } from "../orders/order-events.ts";
import { isTerminal } from "../orders/states.ts";

/** The worker that drives an order. */
export type WorkerLocation =
  | { readonly kind: "waiting" }
  | { readonly kind: "driven"; readonly workerUrl: string; readonly lease: string }
  | { readonly kind: "ended" };

/** Yields the order's current worker location and each change of it, until the order ends or the signal aborts. */
export async function* watchWorkerLocation(
  { db, pubsub }: Pick<OrderDeps, "db" | "pubsub">,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  signal: AbortSignal,
): AsyncGenerator<WorkerLocation> {
  let last = "";
  const readChange = async (): Promise<WorkerLocation | null> => {
    const at = await findWorkerLocation(db, id);
    const serialized = JSON.stringify(at);
    if (serialized === last) return null;
    last = serialized;
    return at;
  };
  while (!signal.aborted) {
    // Subscribes before the first read, so no change in between is missed.
    const announcements = pubsub.subscribe(orderChannel(accountId));
    const unsubscribe = () => void announcements.return?.();
    signal.addEventListener("abort", unsubscribe, { once: true });
    try {
      let at = await readChange();
      for (;;) {
        if (at) yield at;
        if (at?.kind === "ended") return;
        const { done, value } = await announcements.next();
        if (done) return;
        at = value === id ? await readChange() : null;
      }
    } catch (error) {
      // Notifications may have been lost, so the loop subscribes and reads again.
      if (!(error instanceof SubscriptionInterruptedError)) throw error;
    } finally {
      signal.removeEventListener("abort", unsubscribe);
      unsubscribe();
    }
  }
}

async function findWorkerLocation(db: OrderDeps["db"], id: string): Promise<WorkerLocation> {
  const order = await db.prisma.checkoutOrder.findUnique({
    where: { id },
    select: { status: true, workerUrl: true, workerJobId: true },
  });
  if (!order || isTerminal(order.status)) return { kind: "ended" };
  const { status, workerUrl, workerJobId: lease } = order;
  if (status !== "dispatched" || workerUrl === null || lease === null) return { kind: "waiting" };
  return { kind: "driven", workerUrl, lease };
}
