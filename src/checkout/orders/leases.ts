/**
 * Who drives an order. It is leased once in its life: a lease that is lost ends it (`sweepOrders`), so that nothing is ever
 * driven twice. Times are the database's, for nodes' clocks differ.
 */
import { type CheckoutRecipe, Prisma } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
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
  readonly order: Prisma.CheckoutOrderGetPayload<{ include: typeof WITH }>;
  readonly recipe: CheckoutRecipe | null;
  /** Null: it is collected, or nothing is sent. */
  readonly shipTo: ShipTo | null;
}

/** What driving it takes beside its row. */
const WITH = {
  merchant: true,
  card: true,
  account: { select: { email: true, mailbox: { select: { address: true } } } },
} as const satisfies Prisma.CheckoutOrderInclude;

/** An order has one lease in its life, so that its number is known before any worker has it. It opens nothing by itself. */
export function workerJobIdOf(orderId: string): string {
  return orderId.replace(/^[a-z]+_/, "wjb_");
}

/**
 * Gives an order that waits to a worker; null while none does. Any number may ask at once. Purchases come first; then every
 * account's next before anybody's one after that, those given lately counted, or one that orders much would have all the workers;
 * then whichever waits longest.
 */
export async function claimOrder(deps: OrderDeps, workerUrl: string): Promise<LeasedOrder | null> {
  const { db, keks, pubsub, checkoutTimeoutMs } = deps;
  const since = Prisma.sql`now() - ${checkoutTimeoutMs} * interval '1 millisecond'`;
  const claimed = await db.prisma.$transaction(async (tx) => {
    const [next] = await tx.$queryRaw<{ id: string; merchantId: string | null; now: Date }[]>`
      WITH waiting AS MATERIALIZED (
        SELECT id, account_id, row_number() OVER (PARTITION BY account_id, kind ORDER BY created_at, id) AS place
        FROM checkout_orders
        WHERE status IN ('pending', 'dispatched') AND worker_job_id IS NULL AND updated_at > ${since}
      ), given AS MATERIALIZED (
        SELECT account_id, (
          SELECT count(*) FROM checkout_orders
          WHERE account_id = account.account_id AND updated_at > ${since} AND started_at > ${since}
        ) AS orders FROM (SELECT DISTINCT account_id FROM waiting) AS account
      )
      SELECT o.id, o.merchant_id AS "merchantId", clock_timestamp() AS now
      FROM checkout_orders o JOIN waiting USING (id) JOIN given ON given.account_id = o.account_id
      WHERE o.worker_job_id IS NULL
      ORDER BY o.kind = 'explored', waiting.place + given.orders, o.created_at, o.id
      LIMIT 1 FOR UPDATE OF o SKIP LOCKED`;
    if (!next) return null;
    const { merchantId, now: startedAt } = next;
    const newest = { where: { merchantId: merchantId ?? "" }, orderBy: { version: "desc" } } as const;
    const recipe = merchantId === null ? null : await tx.checkoutRecipe.findFirst(newest);
    const lease = workerJobIdOf(next.id);
    const leasedUntil = new Date(startedAt.getTime() + LEASE_MS);
    const driven = { recipeId: recipe?.id ?? null, recipeVersion: recipe?.version ?? null };
    const told = { workerJobId: lease, workerUrl, leasedUntil, startedAt, ...driven };
    const moved = await moveOrder(tx, next.id, "leased", { told, where: { workerJobId: null } });
    if (!moved) return null;
    return {
      order: await tx.checkoutOrder.findUniqueOrThrow({ where: { id: moved.id }, include: WITH }),
      lease,
      recipe,
    };
  }, PATIENTLY);
  if (!claimed) return null;
  const { order, lease, recipe } = claimed;
  publishOrder(pubsub, order);
  return { lease, recipe, order, shipTo: await openDeliveryAddress(keks, order) };
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
    WHERE worker_job_id = $1 AND status = 'dispatched' AND kind = 'purchase'
      AND card_released_at IS NOT NULL AND submitted_at IS NULL
      AND leased_until > now() AND started_at > now() - $2 * interval '1 millisecond'
      AND NOT EXISTS (SELECT 1 FROM payment_cards WHERE id = card_id AND (removed_at IS NOT NULL OR status <> 'active'))
    RETURNING id, account_id AS "accountId"`,
};

/**
 * Commits that the card is about to be submitted. Only whoever this resolves for may click, once.
 * @throws {LeaseLostError} the lease is lost, its time is over, or the card was submitted before, was never released,
 *   or was removed or turned off since
 */
export async function submitOrder({ db, pubsub, checkoutTimeoutMs }: OrderDeps, lease: string): Promise<void> {
  const [submitted] = await db.query<{ id: string; accountId: string }>(SUBMIT, [lease, checkoutTimeoutMs]);
  if (!submitted) throw new LeaseLostError();
  publishOrder(pubsub, submitted);
}
