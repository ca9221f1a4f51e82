/** The sandbox stores, the worker's browser, and a session that drives orders without a service. */
import type { BrowserContext } from "playwright-core";
import { createCardEntry } from "../../src/checkout/worker-protocol/card-entry.ts";
import type { JobItem, PurchaseJob, ReleasedCard } from "../../src/checkout/worker-protocol/job.ts";
import type { QuestionInput } from "../../src/checkout/worker-protocol/question.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { TIMING, type Timing } from "../../src/worker/checkout/ending.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { type SharedStores, sharedStores } from "../sandbox/stores.ts";
import { type CartRecords, followCarts } from "./carts.ts";
import { openSeparateContext } from "./separate-context.ts";
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

/** Shorter timeouts than in production, for local stores. Tests that wait for a timeout set their own. */
export const FAST: Timing = { ...TIMING, navigationMs: 20_000, outcomeMs: 20_000, cardholderMs: 30_000 };

export interface DriveOptions {
  /** Name of a sandbox store, or a URL. */
  readonly store: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly deliverTo?: Address | null;
  readonly fulfillment?: PurchaseJob["fulfillment"];
  /** Path of the cart. If absent, the items are added to a cart. */
  readonly cartPath?: string;
  readonly items?: readonly JobItem[];
  readonly card?: Partial<ReleasedCard>;
  readonly job?: Partial<PurchaseJob>;
  readonly timing?: Partial<Timing>;
  readonly signal?: AbortSignal;
  /** Faults of the sandbox store's checkout, limited to the carts of this drive. */
  readonly faults?: readonly string[];
  /** Acts as the cardholder when an action is required. */
  readonly onRequiredAction?: (context: BrowserContext) => Promise<void>;
  /** Runs before the card is released. */
  readonly onRelease?: (context: BrowserContext) => Promise<void>;
  /** Runs before the submission is acknowledged. */
  readonly onSubmitting?: (context: BrowserContext) => Promise<void>;
  /** Runs with each recorded step. */
  readonly onStep?: (action: string, context: BrowserContext) => Promise<void>;
  /** Answers a question; without it none is answered. */
  readonly onAsk?: (question: QuestionInput) => string | null;
}

/** A checkout with several pages that sends the payment as a form. */
export const CAP: DriveOptions = {
  store: "harbour",
  cartPath: "/cart/710021:1",
  amountMinor: 2_890,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null },
};
/** The same checkout without delivery and therefore with fewer pages, for tests of the steps after payment. */
export const GIFT_CARD: DriveOptions = {
  store: "harbour",
  cartPath: "/cart/710041:1",
  amountMinor: 2_500,
  currency: "GBP",
  fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
};
/** A checkout with a single page without autocomplete attributes that sends the payment with `fetch`. */
export const NOTEBOOK: DriveOptions = {
  store: "bindery",
  items: [
    { sku: "NB-PLAIN", quantity: 1, title: "Sewn notebook", variantTitle: "Plain", productUrl: "/item/sewn-notebook" },
  ],
  amountMinor: 2_240,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "First class", amountMinor: 440, pickupLocation: null },
};

export interface Drive extends CartRecords {
  readonly result: DriveResult;
  readonly steps: readonly string[];
  /** Session calls in order: `card`, `submitting`, `person:three_d_secure`, `person:null`, `code`. */
  readonly calls: readonly string[];
}

export interface WorkerFixture {
  readonly stores: SharedStores;
  readonly browser: SharedWorkerBrowser;
  drive(options: DriveOptions): Promise<Drive>;
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

/** Opens the stores and the browser that all files of a vitest worker share. Drives may run concurrently. */
export async function openWorkerFixture(): Promise<WorkerFixture> {
  const [stores, browser] = await Promise.all([sharedStores(), sharedWorkerBrowser()]);

  async function drive(options: DriveOptions): Promise<Drive> {
    const context = await browser.openContext();
    const carts = await followCarts(context, stores, options.store, options.faults ?? []);
    const steps: string[] = [];
    const calls: string[] = [];
    const card = { ...CARD, ...options.card };
    const session: WorkerSession<PurchaseJob> = {
      job: createJob(stores, options),
      page: await context.newPage(),
      context,
      signal: options.signal ?? new AbortController().signal,
      async step(action, { outcome, selector }) {
        steps.push(`${action}: ${outcome}${selector ? ` (${selector})` : ""}`);
        await options.onStep?.(action, context);
      },
      async releaseCard() {
        calls.push("card");
        await options.onRelease?.(context);
        return card;
      },
      async recordSubmission() {
        calls.push("submitting");
        await options.onSubmitting?.(context);
      },
      async setRequiredAction(what) {
        calls.push(`person:${what}`);
        // Not awaited: the real call returns before the cardholder acts.
        if (what)
          void options
            .onRequiredAction?.(context)
            .catch((error: Error) => calls.push(`cardholder action failed: ${error.message}`));
      },
      async ask(question) {
        calls.push(`ask ${question.purpose}`);
        return options.onAsk?.(question) ?? null;
      },
      setChallengeFrame() {},
      async securityCode() {
        calls.push("code");
        return "123";
      },
      async maskField() {},
      pauseStream: (whileDoing) => whileDoing(),
      withSeparateContext: openSeparateContext(browser),
    };
    try {
      const result = await driveCheckout(session, { ...FAST, ...options.timing });
      return { result, steps, calls, ...(await carts.readRecords()) };
    } finally {
      await context.close();
    }
  }
  return { stores, browser, drive };
}

export function createJob(stores: SharedStores, options: DriveOptions): PurchaseJob {
  const url = options.store.startsWith("http") ? options.store : stores.urlOf(options.store);
  const { amountMinor, currency, cartPath } = options;
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
    merchant: { id: "mer_test", name: "A store", url, rail: cartPath ? "shopify" : "worker" },
    deliverTo: options.deliverTo === undefined ? HOME : options.deliverTo,
    contact: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: null },
    fulfillment: options.fulfillment ?? null,
    basketUrl: cartPath ? url + cartPath : null,
    items: (options.items ?? []).map((item) => ({ ...item, productUrl: item.productUrl && url + item.productUrl })),
    needsSecurityCode: false,
    cardEntry: createCardEntry(url, options.job?.recipe?.definition),
    processorOrigins: [stores.sandbox.endpoints.cardProcessorUrl],
    issuerOrigins: [stores.sandbox.endpoints.cardIssuerUrl],
    ...options.job,
  };
}
