/** From an unknown merchant to the first purchase there, with the real service, worker, browser and sandbox stores. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

// Two browser sessions, each of which can last minutes on a loaded machine.
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
const name = { firstName: "Ada", lastName: "Lovelace" };
const HOMES = {
  GB: { ...name, address1: "12 St James's Square", city: "London", postalCode: "SW1Y 4JH", countryCode: "GB" },
  US: {
    ...name,
    address1: "1 Market Street",
    city: "San Francisco",
    provinceCode: "CA",
    postalCode: "94105",
    countryCode: "US",
  },
  AU: {
    ...name,
    address1: "2 Swan Street",
    city: "Richmond",
    provinceCode: "VIC",
    postalCode: "3121",
    countryCode: "AU",
  },
};

/** Opens a buyer with a card and a billing address in that country. */
async function openBuyerIn(home: keyof typeof HOMES, currency: string): Promise<Buyer> {
  const buyer = await openBuyer(fixture.stack.service);
  const billingAddress = { ...checkShipTo(HOMES[home]) };
  await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress } });
  const caps = { perOrderMaxMinor: 50_000, dailyMaxMinor: 50_000, monthlyMaxMinor: 50_000 };
  await buyer.signPolicy({ currency, ...caps });
  return buyer;
}

/** Waits until the order has ended and returns it as the agent's API returns it. */
async function waitForEnd({ token }: Buyer, orderId: string) {
  const read = async () => (await fixture.stack.rest(token, "GET", `/api/autofill/orders/${orderId}`)).json;
  await expect.poll(async () => (await read()).retryable, { timeout: 110_000, interval: 300 }).not.toBeUndefined();
  return await read();
}

async function explore(buyer: Buyer, merchantUrl: string, goal: string) {
  const body = { merchant_url: merchantUrl, goal };
  const { status, json, text } = await fixture.stack.rest(buyer.token, "POST", "/api/autofill/explore", body);
  expect(status, text).toBe(200);
  const order = await waitForEnd(buyer, json.order_id);
  expect(order).toMatchObject({ kind: "explored", status: "explored", error_code: null, test: true });
  return order.merchant_id as string;
}

/** Quotes and dispatches a cart and returns the ended order. */
async function buyCart(buyer: Buyer, cart: object) {
  const quote = await buyer.quote(cart);
  expect(quote.status, quote.text).toBe(200);
  const { expected_amount_minor: amount_minor, currency } = quote.json;
  const { status, json, text } = await buyer.dispatch({
    ...cart,
    ...{ amount_minor, currency, user_confirmation_text: "Yes, order it" },
    user_approved_at_iso: "2024-11-20T17:29:16Z",
  });
  expect(status, text).toBe(200);
  return await waitForEnd(buyer, json.order_id);
}

async function listCharges(store: string) {
  return (await (await fetch(`${fixture.stack.sandbox?.adminUrl}/stores/${store}/charges`)).json()).charges;
}

it.each([
  ["quarry", "US", "USD", "a stone hammer", "HAM-2", "/"],
  ["bindery", "GB", "GBP", "a ruled notebook", "NB-RULED", "/item/sewn-notebook"],
] as const)("explores %s, an unknown merchant, and buys there", async (store, country, currency, goal, sku, path) => {
  const url = fixture.findStoreUrl(store);
  // The pool entry is removed, so the merchant is unknown.
  await prisma().merchant.delete({ where: { pooledDomain: new URL(url).host } });
  const buyer = await openBuyerIn(country, currency);
  const merchantId = await explore(buyer, url + path, goal);
  const merchant = await prisma().merchant.findUniqueOrThrow({ where: { id: merchantId }, include: { recipes: true } });
  expect(merchant).toMatchObject({ pooledDomain: null, isTest: true, rail: "worker", currency, countryCode: country });
  expect(merchant.recipes).toHaveLength(1);
  const order = await buyCart(buyer, { merchant_id: merchantId, items: [{ sku, quantity: 2 }] });
  expect(order).toMatchObject({ status: "succeeded", error_code: null, currency });
  const [charge, ...more] = await listCharges(store);
  expect(charge).toMatchObject({ amountMinor: order.amount_charged_minor, currency });
  expect(more).toEqual([]);
  const bundle = await fixture.stack.rest(buyer.token, "GET", `/api/autofill/orders/${order.id}/evidence`);
  expect(bundle.json.execution).toMatchObject({
    rail: "worker",
    recipe_id: merchant.recipes[0]?.id,
    recipe_version: 1,
  });
});

it("explores a merchant with the Storefront API and buys there", async () => {
  const buyer = await openBuyerIn("AU", "AUD");
  const merchantId = await explore(buyer, fixture.findStoreUrl("corner"), "a celebration cake");
  const { json } = await fixture.stack.rest(buyer.token, "GET", `/api/autofill/merchants/${merchantId}`);
  const cake = json.catalogue.find(({ title }: { title: string }) => title === "Celebration cake");
  const order = await buyCart(buyer, {
    merchant_id: merchantId,
    items: [{ sku: cake.sku }],
    pickup_location: "Fitzroy",
  });
  expect(order).toMatchObject({ status: "succeeded", error_code: null, amount_charged_minor: 6_800, currency: "AUD" });
  expect(await listCharges("corner")).toHaveLength(1);
});

it("sends the card to the store after another account explored a site that moves the browser there", async () => {
  /** Form posts that the site received, such as a card. */
  const forms: string[] = [];
  const url = fixture.findStoreUrl("bindery");
  // The page leads to the store, and its popup then moves the store's page to a checkout of the site's own.
  const pages: Readonly<Record<string, string>> = {
    "/": `<script>open("/popup", "popup"); setTimeout(() => { location = "${url}/item/sewn-notebook" }, 300)</script>`,
    "/popup": `<script>setInterval(() => { opener.location = "http://" + location.host + "/checkout" }, 2_000)</script>`,
    "/checkout": `<h1>Checkout</h1><form method="post" action="/pay"><p>Total £1.00</p>
      <label>Card number <input autocomplete="cc-number" name="n"></label><label>Expiry <input autocomplete="cc-exp"></label>
      <button>Pay now</button></form>`,
  };
  const hostile = createServer((request, response) => {
    if (request.url === "/pay") request.setEncoding("utf8").on("data", (part: string) => forms.push(part));
    request.resume();
    response.setHeader("content-type", "text/html").end(`<!doctype html>${pages[request.url ?? ""] ?? ""}`);
  });
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  try {
    const hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    const attacker = await openBuyer(fixture.stack.service);
    const body = { merchant_url: `${hostileUrl}/`, goal: "a notebook" };
    const { json } = await fixture.stack.rest(attacker.token, "POST", "/api/autofill/explore", body);
    await waitForEnd(attacker, json.order_id);
    const recipes = await prisma().checkoutRecipe.findMany();
    expect(JSON.stringify(recipes)).not.toContain(hostileUrl);
    const buyer = await openBuyerIn("GB", "GBP");
    const merchantId = await explore(buyer, `${url}/item/sewn-notebook`, "a plain notebook");
    const chargedBefore = (await listCharges("bindery")).length;
    const order = await buyCart(buyer, { merchant_id: merchantId, items: [{ sku: "NB-PLAIN" }] });
    expect(order).toMatchObject({ status: "succeeded", error_code: null });
    expect(await listCharges("bindery")).toHaveLength(chargedBefore + 1);
    expect(forms).toEqual([]);
  } finally {
    hostile.close();
  }
});

it("reports a merchant that blocks the worker", async () => {
  const buyer = await openBuyer(fixture.stack.service);
  await fixture.configureFault("quarry", "bot_wall");
  const body = { merchant_url: fixture.findStoreUrl("quarry"), goal: "a chisel" };
  const { json } = await fixture.stack.rest(buyer.token, "POST", "/api/autofill/explore", body);
  expect(await waitForEnd(buyer, json.order_id)).toMatchObject({
    ...{ status: "merchant_error", error_code: "exploration_walled", retryable: true, retry_action: "re_preview" },
  });
});
