/**
 * Leases of orders to workers. An order is leased only once and a lost lease ends it (`sweepOrders`), so no order is ever
 * driven twice. Uses the database clock, because the clocks of nodes differ.
 */
import { randomUUID } from "node:crypto";
import type { CheckoutRecipe, Prisma } from "../../../generated/prisma/client.ts";
import { isHeldOpen } from "../../accounts/freeze/freeze-state.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { endUndisclosableDryRun } from "../dry-run/end-undisclosable.ts";
import { findRecipe } from "../merchants/recipes.ts";
import { waitedFor } from "../questions/question-period.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { slotLimitsOf } from "../worker-protocol/slots.ts";
import { openDeliveryAddress } from "./delivery-address.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { endFrozenOrder } from "./end-frozen-order.ts";
import { NEXT_ORDER } from "./next-order.ts";
import { publishOrder } from "./order-events.ts";
import { transitionOrder } from "./states.ts";

export const LEASE_MS = 30_000;
/** Class of the advisory locks on workers' claims. */
const CLAIM_LOCKS = 0x63_6c_61_69;

/** The lease does not belong to a dispatched order, or no longer does. The worker must stop immediately. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

export interface LeasedOrder {
  readonly lease: string;
  readonly order: Prisma.CheckoutOrderGetPayload<{ include: typeof RELATIONS }>;
  readonly recipe: CheckoutRecipe | null;
  /** Null: the order is collected, or nothing is delivered. */
  readonly shipTo: ShipTo | null;
}

/** Relations of an order that its worker needs. */
const RELATIONS = {
  merchant: true,
  card: true,
  account: { select: { email: true, mailbox: { select: { address: true } } } },
} as const satisfies Prisma.CheckoutOrderInclude;

/**
 * Returns the id of the order's only lease, which is therefore known before a worker claims the order. The id alone grants
 * no access.
 */
export function toWorkerJobId(orderId: string): string {
  return orderId.replace(/^[a-z]+_/, "wjb_");
}

export interface ClaimingWorker {
  readonly workerUrl: string;
  /** Number of orders that the worker drives concurrently. */
  readonly slots: number;
}

/**
 * Leases the next waiting order to a worker; returns null if none is waiting. Safe for concurrent workers. Purchases precede
 * explorations. Within each kind, orders rank by their position in their account's queue plus its recently leased orders.
 * An account with many orders therefore cannot occupy all workers. The longest wait breaks ties.
 *
 * Skips orders of frozen accounts. Also skips orders of accounts and merchants that have as many open orders at this worker as
 * `slotLimitsOf` permits. Merchants are compared by domain, because accounts have separate records of a merchant. A purchase may
 * therefore wait for one exploration of the merchant, which ends within two minutes. It then precedes further explorations.
 *
 * Of many waiting orders, a claim reads those of 500 accounts, from a random one on, and the first 50 of each account and kind.
 */
export async function claimOrder(deps: OrderDeps, { workerUrl, slots }: ClaimingWorker): Promise<LeasedOrder | null> {
  const { db, keks, pubsub, checkoutTimeoutMs } = deps;
  const { account, merchant, explorations } = slotLimitsOf(slots);
  const claimed = await db.prisma.$transaction(async (tx) => {
    // Serialises the worker's claims. Concurrent claims would not count each other's orders and exceed the limits.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${CLAIM_LOCKS}::int, hashtext(${workerUrl}))`;
    const [next] = await tx.$queryRawUnsafe<{ id: string; merchantId: string | null; now: Date }[]>(
      NEXT_ORDER.text,
      ...[workerUrl, checkoutTimeoutMs, account.driven, account.open, merchant.driven, merchant.open],
      ...[explorations, randomUUID()],
    );
    if (!next) return null;
    const { merchantId, now: startedAt } = next;
    const orderedFrom = merchantId === null ? null : await tx.merchant.findUnique({ where: { id: merchantId } });
    const recipe = orderedFrom && (await findRecipe(tx, orderedFrom));
    const lease = toWorkerJobId(next.id);
    const leasedUntil = new Date(startedAt.getTime() + LEASE_MS);
    const recipeColumns = { recipeId: recipe?.id ?? null, recipeVersion: recipe?.version ?? null };
    const leaseColumns = { workerJobId: lease, workerUrl, leasedUntil, startedAt, ...recipeColumns };
    const leased = await transitionOrder(tx, next.id, "leased", {
      columns: leaseColumns,
      where: { workerJobId: null },
    });
    if (!leased) return null;
    return {
      order: await tx.checkoutOrder.findUniqueOrThrow({ where: { id: leased.id }, include: RELATIONS }),
      lease,
      recipe,
    };
  }, LONG_TRANSACTION);
  if (!claimed) return null;
  const { order, lease, recipe } = claimed;
  publishOrder(pubsub, order);
  return { lease, recipe, order, shipTo: await openDeliveryAddress(keks, order) };
}

const RENEW: Statement = {
  name: "renew-checkout-lease",
  text: `UPDATE checkout_orders SET leased_until = now() + interval '${LEASE_MS} milliseconds'
    WHERE worker_job_id = $1 AND status = 'dispatched' AND leased_until > now()
    RETURNING id, account_id AS "accountId", kind = 'explored' AND request ? 'dryRun' AS "isDryRun"`,
};

/** Extends a lease by `LEASE_MS`. @throws {LeaseLostError} also for a dry run that the owner no longer permits, which ends it */
export async function renewLease(deps: OrderDeps, lease: string): Promise<void> {
  type Renewed = { readonly id: string; readonly accountId: string; readonly isDryRun: boolean };
  const [renewed] = await deps.db.query<Renewed>(RENEW, [lease]);
  if (!renewed) throw new LeaseLostError();
  if (renewed.isDryRun && (await endUndisclosableDryRun(deps, { ...renewed, lease }))) throw new LeaseLostError();
}

// A worker without a response, or that repeats the call, must not click pay. The timestamp is set once, by the call that
// permits the payment.
const SUBMIT: Statement = {
  name: "submit-checkout-order",
  text: `UPDATE checkout_orders SET submitted_at = now(), updated_at = now()
    WHERE worker_job_id = $1 AND status = 'dispatched' AND kind = 'purchase'
      AND card_released_at IS NOT NULL AND submitted_at IS NULL
      AND leased_until > now() AND started_at > now() - $2 * interval '1 millisecond' - ${waitedFor("checkout_orders")}
      AND NOT EXISTS (SELECT 1 FROM payment_cards WHERE id = card_id AND (removed_at IS NOT NULL OR status <> 'active'))
      AND ${isHeldOpen("account_id")}
    RETURNING id, account_id AS "accountId"`,
};

/**
 * Records that the card is about to be submitted. The caller may click pay once, and only if this resolves.
 * @throws {LeaseLostError} the lease is lost, the checkout has timed out, or the card was already submitted or never
 *   released. Also if the card has since been removed or disabled, or if the account is frozen, which ends the order.
 */
export async function submitOrder(deps: OrderDeps, lease: string): Promise<void> {
  const { db, pubsub, checkoutTimeoutMs } = deps;
  const [submitted] = await db.query<{ id: string; accountId: string }>(SUBMIT, [lease, checkoutTimeoutMs]);
  if (!submitted) {
    await endFrozenOrder(deps, lease);
    throw new LeaseLostError();
  }
  publishOrder(pubsub, submitted);
}
