/** Job that a worker receives with its lease. It contains everything except the card, which the worker requests when needed. */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { readBillingAddress } from "../cards/billing-address.ts";
import type { JobDeps } from "../orders/deps.ts";
import { LEASE_MS, type LeasedOrder } from "../orders/leases.ts";
import {
  type ExplorationRequest,
  type PurchaseRequest,
  readExploration,
  readPurchase,
  readQuote,
} from "../orders/request.ts";
import type { FulfillmentType, PickupLocation } from "../quote/fulfillment.ts";
import type { Quote } from "../quote/quote.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { CardEntry } from "./card-entry.ts";

export type WorkerJob = PurchaseJob | ExplorationJob | DryRunJob;

/** Common fields of all jobs. Durations are in milliseconds. */
interface Job {
  /** Lease id for all later calls. */
  readonly lease: string;
  readonly leasedForMs: number;
  /** Maximum duration until the card is submitted. */
  readonly timeoutMs: number;
  readonly orderId: string;
  /** Latest version of the merchant's recipe; null if there is none. */
  readonly recipe: { readonly id: string; readonly version: number; readonly definition: unknown } | null;
}

/** What a purchase and a dry run have in common. */
interface CheckoutJob extends Job {
  readonly request: PurchaseRequest;
  readonly currency: string;
  readonly merchant: JobMerchant;
  /** Approved delivery address; null if the order is collected or nothing is delivered. */
  readonly deliverTo: ShipTo | null;
  /** Null only if details of the card or account were deleted after the dispatch. */
  readonly contact: JobContact | null;
  /** Approved fulfilment option; null if the merchant offers options only at its checkout. */
  readonly fulfillment: JobFulfillment | null;
  readonly basketUrl: string | null;
  /** Items as priced at dispatch. */
  readonly items: readonly JobItem[];
  /** Origins at which the card may be entered. Any other origin ends the order. */
  readonly cardEntry: CardEntry;
  /** Origin patterns (`isOriginMatch`) of known card processors. */
  readonly processorOrigins: readonly string[];
  /** Origin patterns of known services for banks' 3-D Secure challenges. */
  readonly issuerOrigins: readonly string[];
}

export interface PurchaseJob extends CheckoutJob {
  readonly kind: "purchase";
  /** Maximum charge, in minor units of `currency`. */
  readonly amountMinor: number;
  /** Whether the card has no stored security code, so the cardholder must enter it. */
  readonly needsSecurityCode: boolean;
}

/** A checkout up to the point where a purchase would use the card. It has no card. */
export interface DryRunJob extends CheckoutJob {
  readonly kind: "dry_run";
}

export interface ExplorationJob extends Job {
  readonly kind: "explored";
  readonly request: ExplorationRequest;
  /** Null while the merchant is unknown. */
  readonly merchant: JobMerchant | null;
}

export interface JobMerchant {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly rail: "shopify" | "worker";
}

/** Contact details of the cardholder. */
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

/** Response of `POST …/card`, sent once. The worker must neither log nor store it. */
export interface ReleasedCard {
  readonly number: string;
  /** Null if not stored; the cardholder is then prompted for it. */
  readonly securityCode: string | null;
  readonly brand: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cardholderName: string;
  readonly billingAddress: ShipTo;
}

/** Builds the job of a leased order. @throws if a purchase lacks required columns */
export function createJob(
  { lease, order, recipe, shipTo }: LeasedOrder,
  {
    checkoutTimeoutMs: timeoutMs,
    processorOrigins,
    issuerOrigins,
  }: Pick<JobDeps, "checkoutTimeoutMs" | "processorOrigins" | "issuerOrigins">,
): WorkerJob {
  const merchant = order.merchant && toJobMerchant(order.merchant);
  const job = {
    ...{ lease, leasedForMs: LEASE_MS, timeoutMs, orderId: order.id },
    recipe: recipe && { id: recipe.id, version: recipe.version, definition: recipe.definition },
  };
  const exploration = readExploration(order);
  if (exploration && !exploration.dryRun) return { ...job, kind: "explored", request: exploration, merchant };
  const request = exploration?.dryRun ?? readPurchase(order);
  if (!request || !merchant || order.currency === null) {
    throw new Error(`Order ${order.id} lacks its request, merchant or currency.`);
  }
  const quote = readQuote(order);
  const email = order.account.email ?? order.account.mailbox?.address ?? null;
  const checkout = {
    ...job,
    ...{ request, merchant, currency: order.currency, deliverTo: shipTo },
    fulfillment: toJobFulfillment(quote),
    basketUrl: quote?.basketUrl ?? null,
    items: (quote?.lines ?? []).map(({ sku, quantity, title, variantTitle, productUrl }) => ({
      ...{ sku, quantity, title, variantTitle, productUrl },
    })),
    cardEntry: CardEntry.parse(order.cardEntry),
    ...{ processorOrigins, issuerOrigins },
  };
  // The order of a dry run names no card, so the contact is the recipient.
  if (exploration) return { ...checkout, kind: "dry_run", contact: email === null ? null : toContact(shipTo, email) };
  if (order.amountMinor === null) throw new Error(`Order ${order.id} lacks its amount.`);
  return {
    ...checkout,
    kind: "purchase",
    amountMinor: Number(order.amountMinor),
    contact: order.card && email !== null ? toContact(readBillingAddress(order.card), email) : null,
    needsSecurityCode: order.card?.hasSecurityCode === false,
  };
}

function toJobMerchant({ id, name, url, rail }: Merchant): JobMerchant {
  return { id, name, url, rail: rail as JobMerchant["rail"] };
}

function toContact(address: ShipTo | null, email: string): JobContact | null {
  return address && { firstName: address.firstName, lastName: address.lastName, email, phone: address.phone };
}

function toJobFulfillment(quote: Quote | null): JobFulfillment | null {
  const chosen = quote?.options.find(({ id }) => id === quote.selectedOptionId);
  if (!chosen) return null;
  const { type, title, amountMinor, location } = chosen;
  return { type, title, amountMinor, pickupLocation: location };
}
