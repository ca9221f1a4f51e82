/** The sandbox's stores, the worker's browser, and orders driven there by a session without a service behind it. */
import type { BrowserContext } from "playwright-core";
import type { JobItem, PurchaseJob, ReleasedCard } from "../../src/checkout/worker-protocol/job.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { TIMING, type Timing } from "../../src/worker/checkout/ending.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { type SharedStores, sharedStores } from "../sandbox/stores.ts";
import { type Books, followCarts } from "./carts.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

export const HOME = {
  firstName: "Ada",
  lastName: "Lovelace",
  company: null,
  address1: "1 Royal Mile",
  address2: null,
  city: "Edinburgh",
  provinceCode: null,
  postalCode: "EH1 1AA",
  countryCode: "GB",
  phone: null,
} as const;
type Address = NonNullable<PurchaseJob["deliverTo"]>;

/** Shorter than in production: the stores are on this machine. A test that waits for one of them to pass sets its own. */
export const FAST: Timing = { ...TIMING, navigationMs: 20_000, answerMs: 20_000, personMs: 30_000 };

export interface Wanted {
  /** Of the sandbox, or an address. */
  readonly shop: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly deliverTo?: Address | null;
  readonly fulfillment?: PurchaseJob["fulfillment"];
  /** Path of the basket; without one the items are put into it. */
  readonly basket?: string;
  readonly items?: readonly JobItem[];
  readonly card?: Partial<ReleasedCard>;
  readonly job?: Partial<PurchaseJob>;
  readonly timing?: Partial<Timing>;
  readonly signal?: AbortSignal;
  /** Faults of the sandbox store's checkout, for the carts of this drive alone. */
  readonly faults?: readonly string[];
  /** What a person does when one is needed. */
  readonly person?: (context: BrowserContext) => Promise<void>;
  /** Before the commit of the submission is answered. */
  readonly onSubmitting?: () => Promise<void>;
}

/** Its checkout has several pages and sends the payment as a form. */
export const CAP: Wanted = {
  shop: "harbour",
  basket: "/cart/710021:1",
  amountMinor: 2_890,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null },
};
/** The same checkout without delivery, which is fewer pages: for tests of what follows the payment. */
export const GIFT_CARD: Wanted = {
  shop: "harbour",
  basket: "/cart/710041:1",
  amountMinor: 2_500,
  currency: "GBP",
  fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
};
/** Its checkout has a single page without autocomplete attributes, and sends the payment with `fetch`. */
export const NOTEBOOK: Wanted = {
  shop: "bindery",
  items: [
    { sku: "NB-PLAIN", quantity: 1, title: "Sewn notebook", variantTitle: "Plain", productUrl: "/item/sewn-notebook" },
  ],
  amountMinor: 2_240,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "First class", amountMinor: 440, pickupLocation: null },
};

export interface Drive extends Books {
  readonly result: DriveResult;
  readonly steps: readonly string[];
  /** In order: `card`, `submitting`, `person:three_d_secure`, `person:null`, `code`. */
  readonly calls: readonly string[];
}

export interface WorkerRoom {
  readonly stores: SharedStores;
  readonly browser: SharedWorkerBrowser;
  drive(wanted: Wanted): Promise<Drive>;
}

export const CARD: ReleasedCard = {
  number: "4242424242424242",
  securityCode: "123",
  brand: "visa",
  expMonth: 12,
  expYear: new Date().getFullYear() + 2,
  cardholderName: "Ada Lovelace",
  billingAddress: HOME,
};

/** The stores and the browser that all files of a vitest worker share: drives may run at the same time. */
export async function openWorkerRoom(): Promise<WorkerRoom> {
  const [stores, browser] = await Promise.all([sharedStores(), sharedWorkerBrowser()]);

  async function drive(wanted: Wanted): Promise<Drive> {
    const context = await browser.openContext();
    const carts = await followCarts(context, stores, wanted.shop, wanted.faults ?? []);
    const steps: string[] = [];
    const calls: string[] = [];
    const card = { ...CARD, ...wanted.card };
    const session: WorkerSession<PurchaseJob> = {
      job: jobFor(stores, wanted),
      page: await context.newPage(),
      context,
      signal: wanted.signal ?? new AbortController().signal,
      step: async (action, { outcome, selector }) =>
        void steps.push(`${action}: ${outcome}${selector ? ` (${selector})` : ""}`),
      async releaseCard() {
        calls.push("card");
        return card;
      },
      async submitting() {
        calls.push("submitting");
        await wanted.onSubmitting?.();
      },
      async personNeeded(what) {
        calls.push(`person:${what}`);
        // A person takes a while, and nobody waits for them here.
        if (what) void wanted.person?.(context).catch((error: Error) => calls.push(`person failed: ${error.message}`));
      },
      async securityCode() {
        calls.push("code");
        return "123";
      },
      async maskField() {},
      pauseStream: (whileDoing) => whileDoing(),
    };
    try {
      const result = await driveCheckout(session, { ...FAST, ...wanted.timing });
      return { result, steps, calls, ...(await carts.books()) };
    } finally {
      await context.close();
    }
  }
  return { stores, browser, drive };
}

export function jobFor(stores: SharedStores, wanted: Wanted): PurchaseJob {
  const url = wanted.shop.startsWith("http") ? wanted.shop : stores.urlOf(wanted.shop);
  const { amountMinor, currency, basket } = wanted;
  return {
    lease: "wjb_test",
    leasedForMs: 30_000,
    timeoutMs: 180_000,
    orderId: "ord_test",
    recipe: null,
    kind: "purchase",
    request: {
      items: [],
      fulfillmentOptionId: null,
      pickupLocation: null,
      pickupLocationId: null,
      constraints: null,
      agentId: null,
    },
    amountMinor,
    currency,
    merchant: { id: "mer_test", name: "A shop", url, rail: basket ? "shopify" : "worker" },
    deliverTo: wanted.deliverTo === undefined ? HOME : wanted.deliverTo,
    contact: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: null },
    fulfillment: wanted.fulfillment ?? null,
    basketUrl: basket ? url + basket : null,
    items: (wanted.items ?? []).map((item) => ({ ...item, productUrl: item.productUrl && url + item.productUrl })),
    needsSecurityCode: false,
    ...wanted.job,
  };
}
