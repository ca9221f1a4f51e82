/** Explorations of stores with the Storefront API outside the approved pool: the account's own records. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CheckoutFixture, openCheckoutFixture } from "../checkout-fixture.ts";
import { openBuyer } from "../dispatch/buyer.ts";
import { createWorkerClient, WORKER_TOKEN } from "../orders/worker-client.ts";

const SOCKS = "gid://shopify/ProductVariant/710031";
const ADA = {
  ...{ first_name: "Ada", last_name: "Lovelace", address1: "12 St James's Square", city: "London" },
  ...{ postal_code: "SW1Y 4JH", country_code: "GB" },
};
const MARIE = { ...ADA, address1: "11 rue Cuvier", city: "Paris", postal_code: "75005", country_code: "FR" };

let fixture: CheckoutFixture;

beforeAll(async () => {
  fixture = await openCheckoutFixture({ WORKER_TOKEN, CARD_SECURITY_CODE: "keep" });
  await fixture.waitForCatalogues();
  // Sites that are not in the pool.
  const { merchant } = fixture.stack.service.deps.db.prisma;
  for (const [at, { id }] of (await merchant.findMany()).entries()) {
    const gone = { domain: `gone-${at}.example`, pooledDomain: null, name: `Gone ${at}` };
    await merchant.update({ where: { id }, data: gone });
  }
});
afterAll(() => fixture.stop());

async function explore(store: string, more: object) {
  const body = { merchant_url: fixture.findStoreUrl(store), goal: "wool socks", ...more };
  const { json } = await fixture.stack.rest(fixture.account.token, "POST", "/api/autofill/explore", body);
  expect(json, JSON.stringify(json)).toMatchObject({ status: "explored" });
  const order = (await fixture.get(`/api/autofill/orders/${json.order_id}`)).json;
  return { order, merchant: (await fixture.get(`/api/autofill/merchants/${json.merchant_id}`)).json };
}

type Option = { id: string; title: string };

async function quoteStandard(merchant_id: string, ship_to: object, title: string) {
  const cart = { merchant_id, items: [{ sku: SOCKS, quantity: 1 }], ship_to };
  const options: Option[] = (await fixture.quote(cart)).json.fulfillment_options;
  const fulfillment_option_id = options.find((option) => option.title === title)?.id;
  return (await fixture.quote({ ...cart, fulfillment_option_id })).json;
}

it.each([
  ["harbour", "included", true],
  ["maple", "added", true],
  ["kissa", "included", false],
  ["corner", "included", true],
])("%s: tax is %s, pickup is offered: %s", async (store, taxPolicy, pickup) => {
  const { merchant } = await explore(store, { goal: `anything ${store}` });
  expect(merchant).toMatchObject({ tax_policy: taxPolicy, supports: { pickup } });
});

it("quotes the charge in the country whose prices include tax, and a ceiling elsewhere", async () => {
  const { merchant } = await explore("harbour", {});
  const atHome = await quoteStandard(merchant.id, ADA, "Standard");
  expect(atHome).toMatchObject({ amount_is_final: true, expected_amount_minor: 1_645, charge_cap_minor: 1_645 });
  const abroad = await quoteStandard(merchant.id, MARIE, "Tracked international");
  expect(abroad).toMatchObject({ amount_is_final: false, charge_estimate_minor: 3_294 });
  expect(abroad.expected_amount_minor).toBeGreaterThan(3_294);
});

it.each([
  ["CAD", "CAD"],
  ["GBP", "GBP"],
  ["USD", "USD"],
  ["JPY", "USD"],
])("reads prices in %s as %s", async (currency, read) => {
  const { merchant, order } = await explore("maple", { currency });
  expect(order.currency).toBe(read);
  expect(new Set(merchant.catalogue.map((product: { currency: string }) => product.currency))).toEqual(new Set([read]));
  expect(merchant.currency).toBe("USD");
});

it("stores the variant that matches the goal, also of a product with hundreds", async () => {
  const { merchant } = await explore("maple", { goal: "milk paint sample in gloss, number 099" });
  const variants = merchant.catalogue.map((product: { variant_title: string }) => product.variant_title);
  expect(variants).toContain("Gloss / 099");
  expect(merchant.catalogue.map(({ title }: Option) => title)).toContain("Wooden spoon");
});

it("lists the options that match the latest preference first, and selects none", async () => {
  const quoteOptions = async (merchant_id: string) => {
    const { json } = await fixture.quote({ merchant_id, items: [{ sku: SOCKS }], ship_to: ADA });
    expect(json).toMatchObject({ requires_fulfillment_choice: true, selected_option_id: null });
    return json.fulfillment_options.map(({ title }: Option) => title);
  };
  const { merchant } = await explore("harbour", { prefs: "as fast as possible" });
  expect(await quoteOptions(merchant.id)).toEqual(["Next day", "Standard"]);
  await explore("harbour", { prefs: "the cheapest delivery" });
  expect(await quoteOptions(merchant.id)).toEqual(["Standard", "Next day"]);
  await explore("harbour", { prefs: "collect in Glasgow" });
  const { json } = await fixture.quote({ merchant_id: merchant.id, items: [{ sku: SOCKS }] });
  expect(json.fulfillment_options[0].title).toBe("Harbour Glasgow");
});

it("learns from the first charge whether prices include tax, where pages do not state it", async () => {
  const { prisma } = fixture.stack.service.deps.db;
  const worker = createWorkerClient(fixture.stack);
  for (const [chargedMinor, policy, isFinal] of [
    [1_645, "included", true],
    [1_700, "added", false],
    [1_600, "unknown", false],
  ] as const) {
    const buyer = await openBuyer(fixture.stack.service);
    await buyer.signPolicy();
    const post = async (path: string, body: object) =>
      (await fixture.stack.rest(buyer.token, "POST", `/api/autofill/${path}`, body)).json;
    const { merchant_id } = await post("explore", { merchant_url: fixture.findStoreUrl("harbour"), goal: "socks" });
    await prisma.merchant.update({ where: { id: merchant_id }, data: { taxPolicy: "unknown" } });
    const cart = { merchant_id, items: [{ sku: SOCKS, quantity: 1 }] };
    const options: Option[] = (await post("shopify/quote", cart)).fulfillment_options;
    const chosen = { ...cart, fulfillment_option_id: options.find(({ title }) => title === "Standard")?.id };
    const before = await post("shopify/quote", chosen);
    expect(before).toMatchObject({ amount_is_final: false, charge_estimate_minor: 1_645, charge_cap_minor: 1_974 });
    const approval = { user_confirmation_text: "Yes", user_approved_at_iso: "2024-11-20T17:29:16Z", currency: "GBP" };
    const { order_id } = await post("dispatch", { ...chosen, ...approval, amount_minor: before.expected_amount_minor });
    const { lease, orderId } = await worker.claimNext();
    expect(orderId).toBe(order_id);
    await worker.submit(lease);
    const confirmation = { orderNumber: "H-1", amountChargedMinor: chargedMinor, currency: "GBP" };
    await worker.send(lease, "finish", { cause: "confirmed", confirmation });
    expect((await prisma.merchant.findUniqueOrThrow({ where: { id: merchant_id } })).taxPolicy).toBe(policy);
    expect(await post("shopify/quote", chosen)).toMatchObject({
      ...{ amount_is_final: isFinal, expected_amount_minor: isFinal ? 1_645 : 1_974 },
    });
  }
});
