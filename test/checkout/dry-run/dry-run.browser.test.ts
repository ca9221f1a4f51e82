/** Dry runs to the payment page with the real service, worker, browser and sandbox stores. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { checkShipTo } from "../../../src/checkout/quote/ship-to.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../../src/worker/checkout/drive-checkout.ts";
import { driveDryRun } from "../../../src/worker/checkout/drive-dry-run.ts";
import { loadWorkerConfig } from "../../../src/worker/config.ts";
import { driveExploration } from "../../../src/worker/explore/drive-exploration.ts";
import { inThisProcess } from "../../../src/worker/this-process.ts";
import { startWorker, type Worker } from "../../../src/worker/worker.ts";
import { type CheckoutFixture, openCheckoutFixture } from "../checkout-fixture.ts";
import { type Buyer, openBuyer } from "../dispatch/buyer.ts";
import { WORKER_TOKEN } from "../orders/worker-client.ts";

vi.setConfig({ testTimeout: 240_000 });

let fixture: CheckoutFixture;
let worker: Worker;

beforeAll(async () => {
  fixture = await openCheckoutFixture({ WORKER_TOKEN, CARD_SECURITY_CODE: "keep" });
  worker = await startWorker({
    config: loadWorkerConfig({
      SERVICE_URL: fixture.stack.baseUrl,
      EGRESS_ALLOW_LOOPBACK: "1",
      WORKER_CONCURRENCY: "1",
    }),
    token: WORKER_TOKEN,
    logger: createLogger("silent"),
    orders: inThisProcess({ purchase: driveCheckout, exploration: driveExploration, dryRun: driveDryRun }),
  });
});
afterAll(async () => {
  await worker?.stop();
  await fixture?.stop();
});

const prisma = () => fixture.stack.service.deps.db.prisma;
const SAN_FRANCISCO = {
  ...{ firstName: "Ada", lastName: "Lovelace", address1: "1 Market Street", city: "San Francisco" },
  ...{ provinceCode: "CA", postalCode: "94105", countryCode: "US" },
};

async function openAmericanBuyer(): Promise<Buyer> {
  const buyer = await openBuyer(fixture.stack.service);
  const billingAddress = { ...checkShipTo(SAN_FRANCISCO) };
  await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress } });
  const caps = { perOrderMaxMinor: 50_000, dailyMaxMinor: 50_000, monthlyMaxMinor: 50_000 };
  await buyer.signPolicy({ currency: "USD", ...caps });
  return buyer;
}

const call = ({ token }: Buyer, method: "GET" | "POST", path: string, body?: object) =>
  fixture.stack.rest(token, method, `/api/autofill/${path}`, body);

/** Waits until the order has ended and returns it as the agent's API returns it. */
async function waitForEnd(buyer: Buyer, orderId: string) {
  const read = async () => (await call(buyer, "GET", `orders/${orderId}`)).json;
  await expect.poll(async () => (await read()).retryable, { timeout: 110_000, interval: 300 }).not.toBeUndefined();
  return await read();
}

async function runDry(buyer: Buyer, cart: object) {
  const { status, json, text } = await call(buyer, "POST", "dry-run", cart);
  expect(status, text).toBe(200);
  return await waitForEnd(buyer, json.order_id);
}

async function listCharges(store: string) {
  return (await (await fetch(`${fixture.stack.sandbox?.adminUrl}/stores/${store}/charges`)).json()).charges;
}

it("reads the total with tax, which the quote then states as final and the purchase charges", async () => {
  const buyer = await openAmericanBuyer();
  const goal = { merchant_url: fixture.findStoreUrl("quarry"), goal: "a stone hammer" };
  const { merchant_id } = await waitForEnd(buyer, (await call(buyer, "POST", "explore", goal)).json.order_id);
  const cart = { merchant_id, items: [{ sku: "HAM-2", quantity: 2 }] };
  const before = await buyer.quote(cart);
  expect(before.json.amount_is_final, before.text).toBe(false);
  const dry = await runDry(buyer, cart);
  expect(dry, JSON.stringify(dry)).toMatchObject({ kind: "explored", status: "explored", error_code: null });
  expect(dry.dry_run).toMatchObject({ is_at_payment: true, currency: "USD", missing_fields: [] });
  const { total_minor: totalMinor, tax_minor: taxMinor } = dry.dry_run;
  expect(totalMinor).toBeLessThan(before.json.expected_amount_minor);
  expect(taxMinor).toBeGreaterThan(0);
  const row = await prisma().checkoutOrder.findUniqueOrThrow({ where: { id: dry.id } });
  expect([row.cardId, row.cardReleasedAt, row.submittedAt]).toEqual([null, null, null]);
  expect(await listCharges("quarry")).toEqual([]);
  const quote = (await buyer.quote(cart)).json;
  expect([quote.expected_amount_minor, quote.amount_is_final]).toEqual([totalMinor, true]);
  // Another cart has its own price.
  const other = { ...cart, items: [{ sku: "HAM-2", quantity: 1 }] };
  expect((await buyer.quote(other)).json.amount_is_final).toBe(false);
  const placed = await buyer.dispatch({
    ...cart,
    ...{ amount_minor: totalMinor, currency: "USD", user_confirmation_text: "Yes, order it" },
    user_approved_at_iso: "2024-11-20T17:29:16Z",
  });
  expect(placed.status, placed.text).toBe(200);
  const order = await waitForEnd(buyer, placed.json.order_id);
  expect(order).toMatchObject({ status: "succeeded", amount_charged_minor: totalMinor, amount_is_final: true });
  expect(await listCharges("quarry")).toMatchObject([{ amountMinor: totalMinor, currency: "USD" }]);
  // Fifteen minutes later the dry run says nothing about the price.
  const late = new Date(Date.now() - 15 * 60_000 - 1_000);
  await prisma().checkoutOrder.update({ where: { id: dry.id }, data: { completedAt: late } });
  expect((await buyer.quote(cart)).json.amount_is_final).toBe(false);
});

it("stops at the payment page of a merchant with the Storefront API, without an order at the merchant", async () => {
  const buyer = await openBuyer(fixture.stack.service);
  await buyer.signPolicy();
  const harbour = await fixture.findMerchantId("harbour");
  const items = [{ sku: "gid://shopify/ProductVariant/710031", quantity: 2 }];
  const { json } = await buyer.quote({ merchant_id: harbour, items });
  const options: { title: string; id: string }[] = json.fulfillment_options;
  const standard = options.find(({ title }) => title === "Standard")?.id;
  const dry = await runDry(buyer, { merchant_id: harbour, items, fulfillment_option_id: standard });
  expect(dry.dry_run, JSON.stringify(dry)).toMatchObject({ is_at_payment: true, total_minor: 2_895, currency: "GBP" });
  expect(await listCharges("harbour")).toEqual([]);
});
