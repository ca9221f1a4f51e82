/** From a shop that nobody knows to the first purchase there: service, worker, browser and shop as they are. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { checkShipTo } from "../../../src/checkout/quote/ship-to.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../../src/worker/checkout/drive-checkout.ts";
import { loadWorkerConfig } from "../../../src/worker/config.ts";
import { driveExploration } from "../../../src/worker/explore/drive-exploration.ts";
import { startWorker, type Worker } from "../../../src/worker/worker.ts";
import { type Buyer, openBuyer } from "../dispatch/buyer.ts";
import { WORKER_TOKEN } from "../orders/worker.ts";
import { type CheckoutRoom, openCheckoutRoom } from "../room.ts";

// Two drives of a browser, each of which may take minutes on a machine that has other things to do.
vi.setConfig({ testTimeout: 240_000 });

let room: CheckoutRoom;
let worker: Worker;

beforeAll(async () => {
  room = await openCheckoutRoom({ WORKER_TOKEN, CARD_SECURITY_CODE: "keep" });
  worker = await startWorker({
    config: loadWorkerConfig({ SERVICE_URL: room.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1", WORKER_CONCURRENCY: "1" }),
    token: WORKER_TOKEN,
    logger: createLogger("silent"),
    drivers: { purchase: driveCheckout, exploration: driveExploration },
  });
});
afterAll(async () => {
  await worker?.stop();
  await room?.stop();
});

const prisma = () => room.stack.service.deps.db.prisma;
const person = { firstName: "Ada", lastName: "Lovelace" };
const HOMES = {
  GB: { ...person, address1: "12 St James's Square", city: "London", postalCode: "SW1Y 4JH", countryCode: "GB" },
  US: {
    ...person,
    address1: "1 Market Street",
    city: "San Francisco",
    provinceCode: "CA",
    postalCode: "94105",
    countryCode: "US",
  },
  AU: {
    ...person,
    address1: "2 Swan Street",
    city: "Richmond",
    provinceCode: "VIC",
    postalCode: "3121",
    countryCode: "AU",
  },
};

/** Somebody with a card, at home there. */
async function buyerAt(home: keyof typeof HOMES, currency: string): Promise<Buyer> {
  const buyer = await openBuyer(room.stack.service);
  const billingAddress = { ...checkShipTo(HOMES[home]) };
  await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress } });
  const caps = { perOrderMaxMinor: 50_000, dailyMaxMinor: 50_000, monthlyMaxMinor: 50_000 };
  await buyer.signPolicy({ currency, ...caps });
  return buyer;
}

/** The order once it has ended, as its buyer's agent is shown it. */
async function ended({ token }: Buyer, orderId: string) {
  const read = async () => (await room.stack.rest(token, "GET", `/api/autofill/orders/${orderId}`)).json;
  await expect.poll(async () => (await read()).retryable, { timeout: 110_000, interval: 300 }).not.toBeUndefined();
  return await read();
}

async function explore(buyer: Buyer, merchantUrl: string, goal: string) {
  const body = { merchant_url: merchantUrl, goal };
  const { status, json, text } = await room.stack.rest(buyer.token, "POST", "/api/autofill/explore", body);
  expect(status, text).toBe(200);
  const order = await ended(buyer, json.order_id);
  expect(order).toMatchObject({ kind: "explored", status: "explored", error_code: null, test: true });
  return order.merchant_id as string;
}

/** Quotes and orders, and answers the order at its end. */
async function buy(buyer: Buyer, cart: object) {
  const quote = await buyer.quote(cart);
  expect(quote.status, quote.text).toBe(200);
  const { expected_amount_minor: amount_minor, currency } = quote.json;
  const { status, json, text } = await buyer.dispatch({
    ...cart,
    ...{ amount_minor, currency, user_confirmation_text: "Yes, order it" },
    user_approved_at_iso: "2024-11-20T17:29:16Z",
  });
  expect(status, text).toBe(200);
  return await ended(buyer, json.order_id);
}

async function chargesAt(shop: string) {
  return (await (await fetch(`${room.stack.sandbox?.adminUrl}/stores/${shop}/charges`)).json()).charges;
}

it.each([
  ["quarry", "US", "USD", "a stone hammer", "HAM-2", "/"],
  ["bindery", "GB", "GBP", "a ruled notebook", "NB-RULED", "/item/sewn-notebook"],
] as const)("explores %s, which nobody knows, and buys there", async (shop, country, currency, goal, sku, path) => {
  const url = room.urlOf(shop);
  // As if no operator had ever written of it.
  await prisma().merchant.delete({ where: { domain: new URL(url).host } });
  const buyer = await buyerAt(country, currency);
  const merchantId = await explore(buyer, url + path, goal);
  const merchant = await prisma().merchant.findUniqueOrThrow({ where: { id: merchantId }, include: { recipes: true } });
  expect(merchant).toMatchObject({ isPooled: false, isTest: true, rail: "worker", currency, countryCode: country });
  expect(merchant.recipes).toHaveLength(1);
  const order = await buy(buyer, { merchant_id: merchantId, items: [{ sku, quantity: 2 }] });
  expect(order).toMatchObject({ status: "succeeded", error_code: null, currency });
  const [charge, ...more] = await chargesAt(shop);
  expect(charge).toMatchObject({ amountMinor: order.amount_charged_minor, currency });
  expect(more).toEqual([]);
  const bundle = await room.stack.rest(buyer.token, "GET", `/api/autofill/orders/${order.id}/evidence`);
  expect(bundle.json.execution).toMatchObject({
    rail: "worker",
    recipe_id: merchant.recipes[0]?.id,
    recipe_version: 1,
  });
});

it("explores a shop with the Storefront API, and buys there", async () => {
  const buyer = await buyerAt("AU", "AUD");
  const merchantId = await explore(buyer, room.urlOf("corner"), "a celebration cake");
  const { json } = await room.stack.rest(buyer.token, "GET", `/api/autofill/merchants/${merchantId}`);
  const cake = json.catalogue.find(({ title }: { title: string }) => title === "Celebration cake");
  const order = await buy(buyer, { merchant_id: merchantId, items: [{ sku: cake.sku }], pickup_location: "Fitzroy" });
  expect(order).toMatchObject({ status: "succeeded", error_code: null, amount_charged_minor: 6_800, currency: "AUD" });
  expect(await chargesAt("corner")).toHaveLength(1);
});

it("tells of a shop that lets no worker in", async () => {
  const buyer = await openBuyer(room.stack.service);
  await room.fault("quarry", "bot_wall");
  const body = { merchant_url: room.urlOf("quarry"), goal: "a chisel" };
  const { json } = await room.stack.rest(buyer.token, "POST", "/api/autofill/explore", body);
  expect(await ended(buyer, json.order_id)).toMatchObject({
    ...{ status: "merchant_error", error_code: "exploration_walled", retryable: true, retry_action: "re_preview" },
  });
});
