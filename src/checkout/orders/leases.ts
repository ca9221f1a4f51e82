/**
 * Who drives an order. It is leased once in its life: a lease that is lost ends it (`sweepOrders`), so that nothing is ever
 * driven twice. Times are the database's, for nodes' clocks differ.
 */
import type { CheckoutOrder, CheckoutRecipe, Merchant } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database.ts";
import { newId } from "../../platform/ids.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { openDeliveryAddress } from "./delivery-address.ts";
import { type OrderDeps, PATIENTLY } from "./deps.ts";
import { publishOrder } from "./order-events.ts";
import { moveOrder } from "./states.ts";

export const LEASE_MS = 30_000;

/** The lease is not, or no more, that of an order on its way: its worker stops at once. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

export interface LeasedOrder {
  readonly lease: string;
  readonly order: CheckoutOrder & { readonly merchant: Merchant | null };
  readonly recipe: CheckoutRecipe | null;
  /** Null: it goes to the cardholder, or is collected. */
  readonly shipTo: ShipTo | null;
}

/** Gives the order that waits longest to a worker; null while none waits. Any number may ask at once. */
export async function claimOrder(deps: OrderDeps, workerUrl: string): Promise<LeasedOrder | null> {
  const { db, keks, pubsub, checkoutTimeoutMs } = deps;
  const lease = newId("wjb");
  const claimed = await db.prisma.$transaction(async (tx) => {
    const [next] = await tx.$queryRaw<{ id: string; merchantId: string | null; now: Date }[]>`
      SELECT id, merchant_id AS "merchantId", clock_timestamp() AS now FROM checkout_orders
      WHERE status IN ('pending', 'dispatched') AND worker_job_id IS NULL
        AND updated_at > now() - ${checkoutTimeoutMs} * interval '1 millisecond'
      ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return null;
    const { merchantId, now: startedAt } = next;
    const newest = { where: { merchantId: merchantId ?? "" }, orderBy: { version: "desc" } } as const;
    const recipe = merchantId === null ? null : await tx.checkoutRecipe.findFirst(newest);
    const leasedUntil = new Date(startedAt.getTime() + LEASE_MS);
    const driven = { recipeId: recipe?.id ?? null, recipeVersion: recipe?.version ?? null };
    const told = { workerJobId: lease, workerUrl, leasedUntil, startedAt, ...driven };
    const order = await moveOrder(tx, next.id, "leased", { told, where: { workerJobId: null } });
    return order && { order, recipe };
  }, PATIENTLY);
  if (!claimed) return null;
  const { order, recipe } = claimed;
  publishOrder(pubsub, order);
  const merchant = order.merchantId && (await db.prisma.merchant.findUnique({ where: { id: order.merchantId } }));
  return {
    lease,
    recipe,
    order: { ...order, merchant: merchant || null },
    shipTo: await openDeliveryAddress(keks, order),
  };
}

const RENEW: Statement = {
  name: "renew-checkout-lease",
  text: `UPDATE checkout_orders SET leased_until = now() + interval '${LEASE_MS} milliseconds'
    WHERE worker_job_id = $1 AND status = 'dispatched' AND leased_until > now() RETURNING id`,
};

/** @throws {LeaseLostError} */
export async function renewLease({ db }: OrderDeps, lease: string): Promise<void> {
  const [renewed] = await db.query(RENEW, [lease]);
  if (!renewed) throw new LeaseLostError();
}

// Whoever is not answered, and whoever asks again, must not click: the stamp is set once, by whoever goes on to pay.
const SUBMIT: Statement = {
  name: "submit-checkout-order",
  text: `UPDATE checkout_orders SET submitted_at = now(), updated_at = now()
    WHERE worker_job_id = $1 AND status = 'dispatched' AND kind = 'purchase' AND submitted_at IS NULL
      AND leased_until > now() AND started_at > now() - $2 * interval '1 millisecond'
    RETURNING id, account_id AS "accountId"`,
};

/**
 * Commits that the card is about to be submitted. Only whoever this resolves for may click, once.
 * @throws {LeaseLostError} the lease is lost, its time is over, or the card was submitted before
 */
export async function submitOrder({ db, pubsub, checkoutTimeoutMs }: OrderDeps, lease: string): Promise<void> {
  const [submitted] = await db.query<{ id: string; accountId: string }>(SUBMIT, [lease, checkoutTimeoutMs]);
  if (!submitted) throw new LeaseLostError();
  publishOrder(pubsub, submitted);
}
