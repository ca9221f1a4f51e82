/** What a worker is given with a lease: all that driving an order takes but the card, which it asks for when it needs it. */
import type { Merchant, PaymentCard } from "../../../generated/prisma/client.ts";
import { billingAddressOf } from "../cards/billing-address.ts";
import { LEASE_MS, type LeasedOrder } from "../orders/leases.ts";
import { cartOf, type ExplorationRequest, explorationOf, type PurchaseRequest, purchaseOf } from "../orders/request.ts";
import type { FulfillmentType, PickupLocation } from "../quote/fulfillment.ts";
import type { Quote } from "../quote/quote.ts";
import type { ShipTo } from "../quote/ship-to.ts";

export type WorkerJob = PurchaseJob | ExplorationJob;

/** What every job has. Times are milliseconds. */
interface Job {
  /** Names the lease in every later call. */
  readonly lease: string;
  readonly leasedForMs: number;
  /** How long it may take before the card is submitted. */
  readonly timeoutMs: number;
  readonly orderId: string;
  /** The merchant's recipe of the highest version; null where there is none yet. */
  readonly recipe: { readonly id: string; readonly version: number; readonly definition: unknown } | null;
}

export interface PurchaseJob extends Job {
  readonly kind: "purchase";
  readonly request: PurchaseRequest;
  /** The most that may be charged, in minor units of `currency`. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly merchant: JobMerchant;
  /** Where it is delivered: the address approved; null where it is collected, or nothing is sent. */
  readonly deliverTo: ShipTo | null;
  /** Null only when the card's or the account's details are gone since. */
  readonly contact: JobContact | null;
  /** The way of delivery that was approved; null where the shop names them at its checkout only. */
  readonly fulfillment: JobFulfillment | null;
  readonly basketUrl: string | null;
  /** As the cart was checked at dispatch. */
  readonly items: readonly JobItem[];
  /** No code is kept with the card: its person is asked for it. */
  readonly needsSecurityCode: boolean;
}

export interface ExplorationJob extends Job {
  readonly kind: "explored";
  readonly request: ExplorationRequest;
  /** Null while the shop is not known. */
  readonly merchant: JobMerchant | null;
}

export interface JobMerchant {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly rail: "shopify" | "worker";
}

/** The cardholder's. */
export interface JobContact {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string | null;
}

export interface JobFulfillment {
  readonly type: FulfillmentType;
  readonly title: string;
  /** In minor units of the order's currency. */
  readonly amountMinor: number;
  readonly pickupLocation: PickupLocation | null;
}

export interface JobItem {
  readonly sku: string;
  readonly quantity: number;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly productUrl: string | null;
}

/** What `POST …/card` answers, once. Neither logged nor stored by whoever gets it. */
export interface ReleasedCard {
  readonly number: string;
  /** Null where none is kept: the person is asked for it. */
  readonly securityCode: string | null;
  readonly brand: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cardholderName: string;
  readonly billingAddress: ShipTo;
}

/** @throws when a purchase lacks what it was dispatched with */
export function jobOf({ lease, order, recipe, shipTo }: LeasedOrder, timeoutMs: number): WorkerJob {
  const merchant = order.merchant && merchantOf(order.merchant);
  const job = {
    ...{ lease, leasedForMs: LEASE_MS, timeoutMs, orderId: order.id },
    recipe: recipe && { id: recipe.id, version: recipe.version, definition: recipe.definition },
  };
  const exploration = explorationOf(order);
  if (exploration) return { ...job, kind: "explored", request: exploration, merchant };
  const request = purchaseOf(order);
  if (!request || !merchant || order.amountMinor === null || order.currency === null) {
    throw new Error(`The order ${order.id} lacks what placing it takes.`);
  }
  const quote = cartOf(order);
  return {
    ...job,
    kind: "purchase",
    request,
    amountMinor: Number(order.amountMinor),
    currency: order.currency,
    merchant,
    deliverTo: shipTo,
    contact: contactOf(order.card, order.account.email ?? order.account.mailbox?.address ?? null),
    fulfillment: fulfillmentOf(quote),
    basketUrl: quote?.basketUrl ?? null,
    items: (quote?.lines ?? []).map(({ sku, quantity, title, variantTitle, productUrl }) => ({
      ...{ sku, quantity, title, variantTitle, productUrl },
    })),
    needsSecurityCode: order.card?.hasSecurityCode === false,
  };
}

function merchantOf({ id, name, url, rail }: Merchant): JobMerchant {
  return { id, name, url, rail: rail as JobMerchant["rail"] };
}

function contactOf(card: PaymentCard | null, email: string | null): JobContact | null {
  if (!card || email === null) return null;
  const { firstName, lastName, phone } = billingAddressOf(card);
  return { firstName, lastName, email, phone };
}

function fulfillmentOf(quote: Quote | null): JobFulfillment | null {
  const chosen = quote?.options.find(({ id }) => id === quote.selectedOptionId);
  if (!chosen) return null;
  const { type, title, amountMinor, location } = chosen;
  return { type, title, amountMinor, pickupLocation: location };
}
