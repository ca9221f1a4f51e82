/** The sandbox's shops, the worker's browser, and orders driven there by a session without a service behind it. */
import type { BrowserContext } from "playwright-core";
import type { JobItem, PurchaseJob, ReleasedCard } from "../../src/checkout/worker-protocol/job.ts";
import { launchBrowser, type WorkerBrowser } from "../../src/worker/browser.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { TIMING, type Timing } from "../../src/worker/checkout/ending.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { openStores, type Stores } from "../sandbox/stores.ts";

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

/** Shorter than in production: the shops are on this machine. */
export const FAST: Timing = {
  ...TIMING,
  navigationMs: 8_000,
  appearMs: 4_000,
  answerMs: 8_000,
  personMs: 8_000,
  confirmationMs: 1_000,
};

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
  /** What a person does when one is needed. */
  readonly person?: (context: BrowserContext) => Promise<void>;
  /** Before the commit of the submission is answered. */
  readonly onSubmitting?: () => Promise<void>;
}

/** One asks on several pages and sends its payment as a form. */
export const CAP: Wanted = {
  shop: "harbour",
  basket: "/cart/710021:1",
  amountMinor: 2_890,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null },
};
/** The other asks on a single page with nothing marked, and sends it in the background. */
export const NOTEBOOK: Wanted = {
  shop: "bindery",
  items: [
    { sku: "NB-PLAIN", quantity: 1, title: "Sewn notebook", variantTitle: "Plain", productUrl: "/item/sewn-notebook" },
  ],
  amountMinor: 2_240,
  currency: "GBP",
  fulfillment: { type: "shipping", title: "First class", amountMinor: 440, pickupLocation: null },
};

/** Buys from both, beside each other. */
export const inBothShops = (buyThere: (wanted: Wanted) => Promise<void>) => Promise.all([CAP, NOTEBOOK].map(buyThere));

export interface Drive {
  readonly result: DriveResult;
  readonly steps: readonly string[];
  /** In order: `card`, `submitting`, `person:three_d_secure`, `person:null`, `code`. */
  readonly calls: readonly string[];
  readonly tookMs: number;
}

export interface WorkerRoom {
  readonly stores: Stores;
  readonly browser: WorkerBrowser;
  drive(wanted: Wanted): Promise<Drive>;
  stop(): Promise<void>;
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

export async function openWorkerRoom(): Promise<WorkerRoom> {
  const [stores, browser] = await Promise.all([
    openStores(),
    launchBrowser({ chromiumPath: null, allowLoopback: true }),
  ]);

  async function drive(wanted: Wanted): Promise<Drive> {
    const context = await browser.openContext();
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
    const startedAtMs = performance.now();
    try {
      const result = await driveCheckout(session, { ...FAST, ...wanted.timing });
      return { result, steps, calls, tookMs: Math.round(performance.now() - startedAtMs) };
    } finally {
      await context.close();
    }
  }
  return {
    stores,
    browser,
    drive,
    async stop() {
      await browser.close();
      await stores.stop();
    },
  };
}

export function jobFor(stores: Stores, wanted: Wanted): PurchaseJob {
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
