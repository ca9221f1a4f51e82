import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { type CheckoutFixture, openCheckoutFixture } from "./checkout-fixture.ts";
import { addAccount, addOrder } from "./orders/order-rows.ts";

const SOCKS = "gid://shopify/ProductVariant/710031";
const ADA = {
  first_name: "Ada",
  last_name: "Lovelace",
  address1: "12 St James's Square",
  city: "London",
  postal_code: "SW1Y 4JH",
  country_code: "GB",
};

let fixture: CheckoutFixture;
let harbour: string;

beforeAll(async () => {
  fixture = await openCheckoutFixture();
  await fixture.waitForCatalogues();
  harbour = await fixture.findMerchantId("harbour");
});
afterEach(() => fixture.clearFaults("harbour"));
afterAll(() => fixture.stop());

const quoteSocks = (more: object = {}) =>
  fixture.quote({ merchant_id: harbour, items: [{ sku: SOCKS, quantity: 2 }], ...more });

/** Returns the id of the fulfilment option with this title from a first quote. */
async function findOption(title: string, more: object = { ship_to: ADA }): Promise<string> {
  const { json } = await quoteSocks(more);
  return json.fulfillment_options.find((option: { title: string }) => option.title === title).id;
}

describe("delivery", () => {
  it("withholds the amount until a fulfilment option is chosen", async () => {
    const { status, json } = await quoteSocks({ ship_to: ADA });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      rail: "shopify",
      currency: "GBP",
      subtotal_minor: 2_500,
      requires_fulfillment_choice: true,
      selected_option_id: null,
      expected_amount_minor: null,
      charge_cap_minor: null,
      billing_uses_ship_to: false,
    });
    expect(
      json.fulfillment_options.map((option: { title: string; amount_minor: number }) => [
        option.title,
        option.amount_minor,
      ]),
    ).toEqual([
      ["Standard", 395],
      ["Next day", 795],
    ]);
    expect(json).not.toHaveProperty("unfulfillable");
  });

  it("states that the merchant bills the delivery address, as at its latest order to another address", async () => {
    const { db } = fixture.stack.service.deps;
    const order = { merchantId: harbour, kind: "purchase", status: "merchant_error" };
    const { id } = await addOrder(db, await addAccount(db), { ...order, billingUsesShipTo: true });
    const quote = async (more: object) => (await quoteSocks(more)).json.billing_uses_ship_to;
    expect([await quote({ ship_to: ADA }), await quote({})]).toEqual([true, false]);
    await db.prisma.checkoutOrder.update({ where: { id }, data: { billingUsesShipTo: false } });
    expect(await quote({ ship_to: ADA })).toBe(false);
  });

  it("prices the chosen option on a new cart for each quote", async () => {
    const { json } = await quoteSocks({ ship_to: ADA, fulfillment_option_id: await findOption("Next day") });
    expect(json).toMatchObject({
      requires_fulfillment_choice: false,
      expected_amount_minor: 3_295,
      charge_estimate_minor: 3_295,
      charge_cap_minor: 3_295,
      amount_is_final: true,
    });
    expect(json.fulfillment_options.filter((option: { selected: boolean }) => option.selected)).toHaveLength(1);
    expect(json.basket_url).toBe(`${fixture.findStoreUrl("harbour")}/cart/710031:2`);
  });

  it("returns all fields of an option and its store, null where the merchant omits them", async () => {
    const { json } = await fixture.quote({ merchant_id: harbour, items: [{ sku: SOCKS }], pickup_location: "Glasgow" });
    const [store] = json.fulfillment_options.filter(({ type }: { type: string }) => type === "pickup");
    expect(Object.keys(store).toSorted()).toEqual(
      "amount_minor carrier currency description earliest_delivery_at id latest_delivery_at location pickup_location_id ready_by selected title type".split(
        " ",
      ),
    );
    const place = "address1 city country_code distance_m id name postal_code province_code".split(" ");
    expect(Object.keys(store.location).toSorted()).toEqual(place);
    expect(Object.keys(json.pickup_resolution.location).toSorted()).toEqual(place);
  });

  it("rejects an option that is not offered and names it", async () => {
    const { status, json } = await quoteSocks({ ship_to: ADA, fulfillment_option_id: "fo_gone" });
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", "fulfillment_option_id"]);
  });

  it("needs no option for items delivered by email", async () => {
    const { json } = await fixture.quote({
      merchant_id: harbour,
      items: [{ sku: "gid://shopify/ProductVariant/710041" }],
    });
    expect(json).toMatchObject({ expected_amount_minor: 2_500, requires_fulfillment_choice: false });
    expect(json.fulfillment_options).toMatchObject([{ type: "digital", amount_minor: 0, selected: true }]);
  });

  it("returns a ceiling when the merchant adds tax at checkout", async () => {
    const maple = await fixture.findMerchantId("maple");
    const found = await fixture.get("/api/autofill/products/search?q=wool&country=US&limit=100");
    const { sku } = found.json.products.find(({ merchant }: { merchant: { id: string } }) => merchant.id === maple);
    const ship_to = { ...ADA, city: "Albany", province_code: "NY", postal_code: "12207", country_code: "US" };
    const first = await fixture.quote({ merchant_id: maple, items: [{ sku }], ship_to });
    const [{ id }] = first.json.fulfillment_options;
    const { json } = await fixture.quote({ merchant_id: maple, items: [{ sku }], ship_to, fulfillment_option_id: id });
    expect(json.amount_is_final).toBe(false);
    expect(json.charge_cap_minor).toBeGreaterThan(json.charge_estimate_minor);
    expect(json.expected_amount_minor).toBe(json.charge_cap_minor);
  });
});

describe("another address", () => {
  it("returns an abbreviated address and its digest", async () => {
    const { json } = await quoteSocks({ ship_to: ADA });
    expect(json.ship_to).toEqual({
      recipient: "A. L.",
      city: "London",
      province_code: null,
      postal_code_prefix: "SW1Y",
      country_code: "GB",
    });
    expect(json.ship_to_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(json.pickup_resolution.status).toBe("unavailable");
    expect(JSON.stringify(json)).not.toContain("Lovelace");
    const other = await quoteSocks({ ship_to: { ...ADA, postal_code: "SW1Y 4JJ" } });
    expect(other.json.ship_to_sha256).not.toBe(json.ship_to_sha256);
  });

  it.each([
    ["first_name", { first_name: undefined }],
    ["postal_code", { postal_code: "" }],
    ["country_code", { country_code: "Britain" }],
    ["country_code", { country_code: "XX" }],
    ["city", { city: 5 }],
    ["phone", { phone: "call me" }],
    ["address1", { address1: "12\u0000Square" }],
    ["postal_code", { postal_code: "nowhere" }],
  ])("rejects a missing or malformed %s: %o", async (detail, change) => {
    const { status, json } = await quoteSocks({ ship_to: { ...ADA, ...change } });
    expect([status, json.error, json.detail]).toEqual([400, "ship_to_invalid", detail]);
    expect(json.field).toBe(`ship_to.${detail}`);
    expect(json.error_description).toMatch(new RegExp(`^ship_to\\.${detail} `));
  });

  it("cannot be combined with collection", async () => {
    const { status, json } = await quoteSocks({ ship_to: ADA, pickup_location: "Glasgow" });
    expect([status, json.error]).toEqual([409, "ship_to_with_pickup"]);
  });

  it("is reported as undeliverable when the merchant does not ship there", async () => {
    const ship_to = { ...ADA, city: "Tokyo", province_code: "JP-13", postal_code: "100-0001", country_code: "JP" };
    const { status, json } = await quoteSocks({ ship_to });
    expect(status).toBe(200);
    expect(json.unfulfillable).toMatchObject({ code: "address_undeliverable", country_code: "JP" });
    expect(json).toMatchObject({ expected_amount_minor: null, fulfillment_options: [] });
  });
});

describe("collection", () => {
  it("is resolved by store name and by store id", async () => {
    for (const cart of [{ pickup_location: "glasgow" }, { pickup_location_id: "glasgow" }]) {
      const { json } = await quoteSocks(cart);
      expect(json.pickup_resolution).toMatchObject({
        status: "resolved",
        pickup_location_id: "glasgow",
        candidates: [],
      });
      expect(json).toMatchObject({ expected_amount_minor: 2_500, requires_fulfillment_choice: false });
    }
  });

  it("is distinguished from delivery when chosen by its option", async () => {
    const options: { id: string; type: string; title: string }[] = (await quoteSocks({})).json.fulfillment_options;
    const [store] = options.filter(({ type }) => type === "pickup");
    const chosen = await quoteSocks({ fulfillment_option_id: store?.id });
    expect(chosen.json.pickup_resolution).toMatchObject({ status: "resolved", location: { name: store?.title } });
    const both = await quoteSocks({ ship_to: ADA, fulfillment_option_id: store?.id });
    expect([both.status, both.json.error]).toEqual([409, "ship_to_with_pickup"]);
    const two = await quoteSocks({
      pickup_location_id: "glasgow",
      fulfillment_option_id: await findOption("Standard"),
    });
    expect([two.status, two.json.field]).toEqual([400, "fulfillment_option_id"]);
  });

  it("lists the candidate stores of an ambiguous name", async () => {
    const { json } = await quoteSocks({ pickup_location: "Leith" });
    expect(json.pickup_resolution.status).toBe("ambiguous");
    expect(json.pickup_resolution.candidates).toHaveLength(2);
    expect(json).toMatchObject({ expected_amount_minor: null, requires_fulfillment_choice: true });
  });

  it("reports a store name without a match, and an id that differs in case", async () => {
    expect((await quoteSocks({ pickup_location: "Aberdeen" })).json.pickup_resolution.status).toBe("not_found");
    expect((await quoteSocks({ pickup_location_id: "Glasgow" })).json.pickup_resolution.status).toBe("not_found");
  });
});

describe("caps", () => {
  it("are returned when they are met", async () => {
    const { json } = await quoteSocks({
      ship_to: ADA,
      constraints: { max_total_minor: 5_000, max_shipping_minor: 800 },
    });
    expect(json.constraints).toEqual({ max_total_minor: 5_000, max_shipping_minor: 800 });
  });

  it("on the total and on delivery are reported with their figures when exceeded", async () => {
    const fulfillment_option_id = await findOption("Next day");
    const total = await quoteSocks({ ship_to: ADA, fulfillment_option_id, constraints: { max_total_minor: 3_294 } });
    expect([total.status, total.json]).toMatchObject([
      409,
      { error: "constraint_total_exceeded", max_total_minor: 3_294, expected_amount_minor: 3_295 },
    ]);
    const shipping = await quoteSocks({
      ship_to: ADA,
      fulfillment_option_id,
      constraints: { max_shipping_minor: 794 },
    });
    expect([shipping.status, shipping.json]).toMatchObject([
      409,
      {
        error: "constraint_shipping_exceeded",
        max_shipping_minor: 794,
        shipping_minor: 795,
        option_id: fulfillment_option_id,
      },
    ]);
  });

  it("apply to the subtotal and to a single item", async () => {
    const goods = await quoteSocks({ ship_to: ADA, constraints: { max_subtotal_minor: 2_499 } });
    expect(goods.json).toMatchObject({
      error: "constraint_subtotal_exceeded",
      max_subtotal_minor: 2_499,
      subtotal_minor: 2_500,
    });
    const item = await quoteSocks({ ship_to: ADA, constraints: { max_item_minor: 1_249 } });
    expect(item.json).toMatchObject({ error: "constraint_item_exceeded", sku: SOCKS, unit_price_minor: 1_250 });
  });

  it("are exceeded before a choice when the cheapest option exceeds them", async () => {
    const { json } = await quoteSocks({ ship_to: ADA, constraints: { max_shipping_minor: 100 } });
    expect(json).toMatchObject({ error: "constraint_shipping_exceeded", shipping_minor: 395 });
  });

  it.each([-1, 1.5, "100", true, null, 2 ** 60])("must be integers of at least 0: %o", async (cap) => {
    const { status, json } = await quoteSocks({ ship_to: ADA, constraints: { max_total_minor: cap } });
    expect([status, json.error]).toEqual([400, "constraints_invalid"]);
  });

  it("with an unknown name are rejected", async () => {
    const { status, json } = await quoteSocks({
      ship_to: ADA,
      constraints: { max_totl_minor: 1, max_total_minor: 9_000 },
    });
    expect([status, json.error, json.field]).toEqual([400, "constraints_invalid", "constraints.max_totl_minor"]);
  });
});

describe("over GraphQL", () => {
  const quoteOverGraphql = async (change: object) => {
    const query = `query ($input: CartQuoteInput!) { cartQuote(input: $input) { ... on Error { code message }
      ... on ShipToInvalidError { detail } ... on ConstraintsInvalidError { field } } }`;
    const input = { merchantId: harbour, items: [{ sku: SOCKS }], ...change };
    return (await fixture.stack.graphql(fixture.account.token, query, { input })).json.data.cartQuote;
  };
  const shipTo = {
    ...{ firstName: "Ada", lastName: "Lovelace", address1: "12 St James's Square", city: "London" },
    ...{ postalCode: "SW1Y 4JH", countryCode: "GB" },
  };

  it("names fields in errors as in the GraphQL schema", async () => {
    const rejected = { code: "SHIP_TO_INVALID", detail: "postalCode", message: "shipTo.postalCode is missing." };
    expect(await quoteOverGraphql({ shipTo: { ...shipTo, postalCode: "" } })).toEqual(rejected);
    const rejectedByMerchant = await quoteOverGraphql({ shipTo: { ...shipTo, postalCode: "nowhere" } });
    expect(rejectedByMerchant).toMatchObject({
      detail: "postalCode",
      message: expect.stringMatching(/^shipTo\.postalCode was/),
    });
    const cap = await quoteOverGraphql({ constraints: { maxTotalMinor: -1 } });
    expect(cap).toMatchObject({ code: "CONSTRAINTS_INVALID", field: "constraints.maxTotalMinor" });
    expect(cap.message).toMatch(/^constraints\.maxTotalMinor must/);
    const both = await quoteOverGraphql({ shipTo, pickupLocation: "Glasgow" });
    expect(both.code).toBe("SHIP_TO_WITH_PICKUP");
    expect(both.message).not.toContain("ship_to");
  });
});

describe("unavailable items", () => {
  it("are named when sold out or short of stock", async () => {
    const soldOut = await fixture.quote({
      merchant_id: harbour,
      ship_to: ADA,
      items: [{ sku: "gid://shopify/ProductVariant/710013" }],
    });
    expect(soldOut.json.unfulfillable).toMatchObject({
      code: "item_unavailable",
      skus: ["gid://shopify/ProductVariant/710013"],
    });
    const tooMany = await fixture.quote({
      merchant_id: harbour,
      ship_to: ADA,
      items: [{ sku: "gid://shopify/ProductVariant/710012", quantity: 3 }],
    });
    expect(tooMany.json.unfulfillable).toMatchObject({
      code: "item_unavailable",
      skus: ["gid://shopify/ProductVariant/710012"],
    });
    expect(tooMany.json.expected_amount_minor).toBeNull();
    const items = [{ sku: SOCKS }, { sku: "gid://shopify/ProductVariant/710012", quantity: 3 }];
    const other = await fixture.quote({ merchant_id: harbour, ship_to: ADA, items });
    expect(other.json.unfulfillable.skus).toEqual(["gid://shopify/ProductVariant/710012"]);
  });

  it("are reported with the nearest matches when unknown", async () => {
    const { status, json } = await fixture.quote({ merchant_id: harbour, items: [{ sku: "SO-X" }] });
    expect([status, json.error, json.sku]).toEqual([422, "sku_not_found", "SO-X"]);
    expect(json.nearest[0]).toMatchObject({ sku: SOCKS, title: "Wool socks", price_minor: 1_250 });
    expect(json.nearest[0].score).toBeGreaterThan(0.5);
  });

  it("are found among all variants of the nearest product", async () => {
    const maple = await fixture.findMerchantId("maple");
    const { json } = await fixture.quote({ merchant_id: maple, items: [{ sku: "a gloss paint sample, number 099" }] });
    expect(json.nearest[0]).toMatchObject({ title: "Milk paint sample", variant_title: "Gloss / 099" });
  });

  it("require a merchant id", async () => {
    const { status, json } = await fixture.quote({ merchant_id: "", items: [{ sku: SOCKS }] });
    expect([status, json.field, json.message]).toEqual([400, "merchant_id", "merchant_id is missing."]);
  });

  it("are unfulfillable when the merchant offers no delivery", async () => {
    await fixture.configureFault("harbour", "no_rates");
    const { json } = await quoteSocks({ ship_to: ADA });
    expect(json.unfulfillable.code).toBe("no_rates");
    expect(json.expected_amount_minor).toBeNull();
  });

  it("are distinguished from a merchant that does not respond", async () => {
    for (const fault of ["api_5xx", "api_garbage"]) {
      await fixture.configureFault("harbour", fault);
      const { status, json } = await quoteSocks({ ship_to: ADA });
      expect([status, json.error], fault).toEqual([502, "catalog_unavailable"]);
    }
  });

  it("are priced by a merchant that throttles some requests", async () => {
    await fixture.configureFault("harbour", "throttled", 2);
    expect((await quoteSocks({ ship_to: ADA })).status).toBe(200);
  });
});

describe("a merchant without an API", () => {
  it("is priced from its catalogue up to a ceiling", async () => {
    const { id, quote } = await onboardWorkerMerchant();
    const { status, json } = await quote({});
    expect(status).toBe(200);
    expect(json).toMatchObject({
      merchant_id: id,
      rail: "worker",
      subtotal_minor: 4_200,
      amount_is_final: false,
      fulfillment_options: [],
    });
    expect(json.expected_amount_minor).toBe(json.charge_cap_minor);
    expect(json.charge_cap_minor).toBeGreaterThan(4_200);
  });

  it("has no amount for collection and no fulfilment options", async () => {
    const { quote } = await onboardWorkerMerchant();
    for (const cart of [{ pickup_location: "Counter" }, { pickup_location_id: "counter" }]) {
      const { status, json } = await quote(cart);
      expect([status, json.expected_amount_minor, json.unfulfillable?.code]).toEqual([200, null, "no_rates"]);
      expect(json.pickup_resolution).toMatchObject({ status: "unavailable", reason: json.unfulfillable.message });
    }
    const { status, json } = await quote({ fulfillment_option_id: "fo_6lSbiMMpves_swt8s7wUlj" });
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", "fulfillment_option_id"]);
  });

  it("rejects another address and caps that cannot be verified", async () => {
    const { quote } = await onboardWorkerMerchant();
    expect((await quote({ ship_to: ADA })).json.error).toBe("ship_to_unsupported");
    expect((await quote({ constraints: { max_total_minor: 9_000 } })).json.error).toBe("constraint_unverifiable");
    expect((await quote({ constraints: { max_item_minor: 4_199 } })).json.error).toBe("constraint_item_exceeded");
  });
});

it("requires a credential, an existing merchant and items", async () => {
  const unauthenticated = await fixture.stack.rest(null, "POST", "/api/autofill/shopify/quote", {});
  expect(unauthenticated.status).toBe(401);
  expect((await fixture.quote({ merchant_id: "mer_0_none", items: [{ sku: SOCKS }] })).status).toBe(404);
  expect((await fixture.quote({ merchant_id: harbour, items: [] })).json).toMatchObject({
    error: "invalid_request",
    field: "items",
  });
  const none = await fixture.quote({ merchant_id: harbour, items: [{ sku: SOCKS, quantity: 0 }] });
  expect(none.json).toMatchObject({ error: "invalid_request", field: "items[0].quantity" });
});

/** Onboards a merchant of the worker rail with a catalogue, as an exploration does. */
async function onboardWorkerMerchant() {
  const { prisma } = fixture.stack.service.deps.db;
  const domain = new URL(fixture.findStoreUrl("quarry")).host;
  const { id } = await prisma.merchant.findUniqueOrThrow({ where: { pooledDomain: domain } });
  const { accountId } = fixture.account;
  const catalogue = await prisma.merchantCatalogue.upsert({
    where: { merchantId_accountId: { merchantId: id, accountId } },
    create: { id: newId("cat"), merchantId: id, accountId, readAt: new Date() },
    update: {},
  });
  const product = {
    productId: "76001",
    title: "Stone hammer",
    priceMinor: 4_200n,
    currency: "USD",
    available: true,
    productUrl: `${fixture.findStoreUrl("quarry")}/products/stone-hammer`,
  };
  const key = { catalogueId: catalogue.id, sku: "HAM-2" };
  await prisma.merchantProduct.upsert({
    where: { catalogueId_sku: key },
    create: { ...key, ...product },
    update: product,
  });
  return { id, quote: (more: object) => fixture.quote({ merchant_id: id, items: [{ sku: "HAM-2" }], ...more }) };
}
