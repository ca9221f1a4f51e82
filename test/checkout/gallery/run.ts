/** Orders at the gallery's merchants, by the service's API and a checkout worker with its browser. */
import { setTimeout as after } from "node:timers/promises";
import { type Fault, faultsOf } from "../../../sandbox/store/gallery/faults.ts";
import { type GalleryMerchant, loadShapes, openGallery } from "../../../sandbox/store/gallery/gallery.ts";
import { type Shape, STEPS } from "../../../sandbox/store/gallery/shape.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../../src/worker/checkout/drive-checkout.ts";
import { driveDryRun } from "../../../src/worker/checkout/drive-dry-run.ts";
import { TIMING } from "../../../src/worker/checkout/ending.ts";
import type { Profile } from "../../../src/worker/checkout/gate/profile.ts";
import { PROFILES } from "../../../src/worker/checkout/profiles/all.ts";
import { loadWorkerConfig } from "../../../src/worker/config.ts";
import { driveExploration } from "../../../src/worker/explore/drive-exploration.ts";
import { inThisProcess } from "../../../src/worker/this-process.ts";
import { startWorker } from "../../../src/worker/worker.ts";
import { type OwnStack, startStack, WORKER_TOKEN } from "../../support/stack.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { answerQuestion } from "./answer-question.ts";
import { openGalleryBuyer } from "./buyers.ts";
import { classify, type Outcome } from "./classify.ts";

/** Orders that run at the same time. */
const CONCURRENCY = 4;
const POLL_INTERVAL_MS = 300;
/** After this time without an end an order counts as unknown. The service ends each order before. */
const MAX_ORDER_MS = 420_000;
const CHECKOUT_TIMEOUT_MS = "180000";
/** Shapes in which each step has a fault in turn. The first has a page for each step, the second all on one page. */
const FAULTY_SHAPES = ["plain-five-steps"];

/** A checkout to place one order at. */
export interface Case {
  readonly name: string;
  readonly shape: Shape;
  readonly fault: Fault | null;
}

export interface CaseResult extends Outcome {
  readonly name: string;
  readonly isHeldBack: boolean;
  readonly isFault: boolean;
  readonly seconds: number;
}

/** Returns all healthy shapes, then each step of the faulty shapes with each fault. */
export async function listCases(): Promise<Case[]> {
  const shapes = await loadShapes();
  const healthy = [...shapes].map(([name, shape]): Case => ({ name, shape, fault: null }));
  const faulty = FAULTY_SHAPES.flatMap((name) => {
    const shape = shapes.get(name);
    if (!shape) throw new Error(`The gallery has no shape ${name}.`);
    const steps = STEPS.filter((step) => hasStep(shape, step));
    return steps.flatMap((step) =>
      faultsOf(step).map((kind): Case => ({ name: `${name} ${step} ${kind}`, shape, fault: { step, kind } })),
    );
  });
  return [...healthy, ...faulty];
}

/** Each shape has a cart and a confirmation. */
function hasStep({ pages }: Shape, step: (typeof STEPS)[number]): boolean {
  return step === "cart" || step === "confirmation" || pages.some((page) => page.step === step);
}

/**
 * Places one order per case with the real service, worker and browser.
 * @param onResult receives each result at its end
 * @param profiles what the worker knows of platforms
 */
export async function runCases(
  cases: readonly Case[],
  onResult: (result: CaseResult) => void = () => {},
  profiles: readonly Profile[] = PROFILES,
): Promise<CaseResult[]> {
  const gallery = await openGallery();
  try {
    const merchants = new Map<Case, GalleryMerchant>();
    for (const one of cases) merchants.set(one, await gallery.open(one.name, one.shape, one.fault));
    const stack = await startStack({
      networks: [],
      env: {
        ...{ WORKER_TOKEN, CARD_SECURITY_CODE: "keep", CHECKOUT_TIMEOUT_MS },
        CHECKOUT_POOL: JSON.stringify([...merchants.values()].map(toPoolEntry)),
        CHECKOUT_PROCESSORS: gallery.processorUrl,
      },
    });
    try {
      const worker = await startWorker({
        config: loadWorkerConfig({
          SERVICE_URL: stack.baseUrl,
          EGRESS_ALLOW_LOOPBACK: "1",
          WORKER_CONCURRENCY: String(CONCURRENCY),
          WORKER_STOP_MS: "1000",
        }),
        token: WORKER_TOKEN,
        logger: createLogger("silent"),
        orders: inThisProcess({
          purchase: (session) => driveCheckout(session, TIMING, profiles),
          exploration: driveExploration,
          dryRun: driveDryRun,
        }),
      });
      try {
        const waiting = [...merchants];
        const results: CaseResult[] = [];
        const place = async () => {
          const findBuyer = createBuyers(stack);
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            const [one, merchant] = next;
            const buyer = await findBuyer(merchant);
            const result = await runCase(stack, buyer, one, merchant);
            results.push(result);
            onResult(result);
          }
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, place));
        return results;
      } finally {
        await worker.stop();
      }
    } finally {
      await stack.stop();
    }
  } finally {
    await gallery.stop();
  }
}

/** Returns a merchant's entry of the approved pool. */
export function toPoolEntry({ name, url, country, currency }: GalleryMerchant) {
  return {
    ...{ url, name, country, currency, rail: "shopify", isTest: true, shipsTo: [country], taxPolicy: "included" },
    onboarded: true,
  };
}

/** Opens one account per market, because sign-ups from one address are limited. Its orders run one after the other. */
function createBuyers(stack: OwnStack): (merchant: GalleryMerchant) => Promise<Buyer> {
  const buyers = new Map<string, Promise<Buyer>>();
  return ({ market, currency }) => {
    const buyer = buyers.get(market) ?? openGalleryBuyer(stack, market, currency);
    buyers.set(market, buyer);
    return buyer;
  };
}

async function runCase(stack: OwnStack, buyer: Buyer, one: Case, merchant: GalleryMerchant): Promise<CaseResult> {
  const startedMs = performance.now();
  const outcome = await placeOrder(stack, buyer, merchant);
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  return {
    ...{ name: one.name, isHeldBack: one.shape.isHeldBack === true, isFault: one.fault !== null },
    ...outcome,
    seconds,
  };
}

interface StackDatabase {
  readonly service: { readonly deps: { readonly db: Database } };
}

/** Dispatches one item at a merchant. Returns the order's id. */
export async function dispatchOrder(stack: StackDatabase, buyer: Buyer, merchant: GalleryMerchant): Promise<string> {
  const { prisma } = stack.service.deps.db;
  const pooledDomain = new URL(merchant.url).host;
  const { id } = await prisma.merchant.findUniqueOrThrow({ where: { pooledDomain } });
  const cart = { merchant_id: id, items: [{ sku: merchant.sku, quantity: 1 }] };
  const quote = await buyer.quote(cart);
  if (quote.status !== 200) throw new Error(`${merchant.name}: the quote failed. ${quote.text}`);
  const options: { id: string; title: string }[] = quote.json.fulfillment_options;
  const dispatched = await buyer.dispatch({
    ...cart,
    fulfillment_option_id: options.find(({ title }) => title === "Standard")?.id,
    ...{ amount_minor: merchant.totalMinor, currency: merchant.currency },
    ...{ user_confirmation_text: "Yes, order it", user_approved_at_iso: new Date().toISOString() },
  });
  if (dispatched.status !== 200) throw new Error(`${merchant.name}: the dispatch failed. ${dispatched.text}`);
  return dispatched.json.order_id;
}

async function placeOrder(stack: OwnStack, buyer: Buyer, merchant: GalleryMerchant): Promise<Outcome> {
  const orderId = await dispatchOrder(stack, buyer, merchant);
  const deadlineMs = performance.now() + MAX_ORDER_MS;
  for (;;) {
    const { json } = await stack.rest(buyer.token, "GET", `/api/autofill/orders/${orderId}`);
    if (json.question) await answerQuestion(stack, buyer, json.question);
    // Terminal orders state whether a retry can succeed.
    if (json.retryable !== undefined || performance.now() > deadlineMs) {
      const { prisma } = stack.service.deps.db;
      const { cardReleasedAt } = await prisma.checkoutOrder.findUniqueOrThrow({ where: { id: orderId } });
      return classify(merchant, json, cardReleasedAt?.getTime() ?? null);
    }
    await after(POLL_INTERVAL_MS);
  }
}
