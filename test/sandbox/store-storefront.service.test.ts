import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStores, type Stores } from "./stores.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.stop());

const STORE = `query Shop { shop{ name primaryDomain{host url} shipsToCountries paymentSettings{currencyCode countryCode acceptedCardBrands} }
  publicApiVersions{handle supported} }`;
const PRODUCT = `query Product($handle:String!,$country:CountryCode!) @inContext(country:$country){ product(handle:$handle){ id title vendor handle
  featuredImage{url} variants(first:100){nodes{ id sku title availableForSale currentlyNotInStock requiresShipping taxable
  price{amount currencyCode} selectedOptions{name value}}}}}`;
const CREATE = `mutation CartCreate($input:CartInput!){ cartCreate(input:$input){ cart{ id checkoutUrl
  cost{subtotalAmount{amount currencyCode} totalAmount{amount currencyCode} totalAmountEstimated}
  lines(first:50){nodes{id quantity cost{totalAmount{amount currencyCode}} merchandise{... on ProductVariant{id sku title price{amount currencyCode}}}}}}
  userErrors{field code message} warnings{code target message}}}`;
const RATES = `query Rates($id:ID!){ cart(id:$id){ id ... @defer { deliveryGroups(first:10,withCarrierRates:true){nodes{ id groupType
  selectedDeliveryOption{handle} deliveryOptions{handle title code description deliveryMethodType estimatedCost{amount currencyCode}}}}}}}`;
const PICK = `mutation Pick($cartId:ID!,$s:[CartSelectedDeliveryOptionInput!]!){ cartSelectedDeliveryOptionsUpdate(cartId:$cartId,selectedDeliveryOptions:$s){
  cart{cost{totalAmount{amount currencyCode}}} userErrors{code message} warnings{code}}}`;

const variant = (id: number) => `gid://shopify/ProductVariant/${id}`;
const EDINBURGH = {
  firstName: "Ada",
  lastName: "Lovelace",
  address1: "1 Royal Mile",
  city: "Edinburgh",
  zip: "EH1 1AA",
  countryCode: "GB",
};

function createCartInput(lines: [id: number, quantity: number][], address: object | null, preferences = {}) {
  const addresses = [
    { selected: true, oneTimeUse: true, validationStrategy: "STRICT", address: { deliveryAddress: address } },
  ];
  return {
    lines: lines.map(([id, quantity]) => ({ merchandiseId: variant(id), quantity })),
    buyerIdentity: { email: "ada@example.com", preferences: { delivery: preferences } },
    ...(address ? { delivery: { addresses } } : {}),
  };
}

async function create(store: string, cart: object) {
  return (await stores.query(store, CREATE, { input: cart })).data.cartCreate;
}

async function readRates(store: string, id: string) {
  const parts = await stores.queryDeferred(store, RATES, { id });
  return parts.at(-1).incremental[0].data.deliveryGroups.nodes[0];
}

describe("the Storefront API", () => {
  it("describes the store", async () => {
    const { data } = await stores.query("harbour", STORE);
    expect(data.shop).toEqual({
      name: "Harbour Outfitters",
      primaryDomain: { host: new URL(stores.urlOf("harbour")).host, url: stores.urlOf("harbour") },
      shipsToCountries: ["GB", "IE", "FR", "US"],
      paymentSettings: {
        currencyCode: "GBP",
        countryCode: "GB",
        acceptedCardBrands: ["VISA", "MASTERCARD", "AMERICAN_EXPRESS"],
      },
    });
    expect(data.publicApiVersions).toContainEqual({ handle: "2026-10", supported: true });
  });

  it.each([
    ["harbour", "fisherman-jumper", "GB", { amount: "89.5", currencyCode: "GBP" }],
    ["harbour", "fisherman-jumper", "FR", { amount: "107.4", currencyCode: "EUR" }],
    ["kissa", "house-blend", "JP", { amount: "1200.0", currencyCode: "JPY" }],
    ["kissa", "house-blend", "US", { amount: "8.0", currencyCode: "USD" }],
    ["souk", "saffron", "KW", { amount: "2.125", currencyCode: "KWD" }],
  ])("prices %s's %s for %s", async (store, handle, country, price) => {
    const { data } = await stores.query(store, PRODUCT, { handle, country });
    expect(data.product.variants.nodes[0]).toMatchObject({ availableForSale: true, requiresShipping: true, price });
  });

  it("returns null for a missing product and errors for unsupported queries", async () => {
    expect(await stores.query("harbour", PRODUCT, { handle: "hat", country: "GB" })).toEqual({
      data: { product: null },
    });
    expect((await stores.query("harbour", "{ shop { revenue } }")).errors[0].message).toMatch(/revenue/);
    expect((await stores.query("harbour", PRODUCT, { handle: "x", country: "XX" })).errors).toHaveLength(1);
    expect((await stores.query("harbour", "{ products { nodes { id } } }")).errors[0].message).toMatch(/first/);
    const old = await fetch(`${stores.urlOf("harbour")}/api/2019-04/graphql.json`, { method: "POST" });
    expect(old.status).toBe(404);
  });

  it("finds products by words and nodes by id, in pages", async () => {
    const found = await stores.query(
      "harbour",
      `{ search(query: "wool winter", first: 1, types: PRODUCT) { totalCount pageInfo { hasNextPage } nodes { ... on Product { handle } } }
         nodes(ids: ["${variant(710011)}", "${variant(1)}"]) { ... on ProductVariant { sku product { handle } } } }`,
    );
    expect(found.data).toEqual({
      search: { totalCount: 2, pageInfo: { hasNextPage: true }, nodes: [{ handle: "fisherman-jumper" }] },
      nodes: [{ sku: "FJ-S-NAVY", product: { handle: "fisherman-jumper" } }, null],
    });
  });

  it("serves a product to themes with prices in minor units", async () => {
    const product = async (store: string, handle: string) =>
      (await (await fetch(`${stores.urlOf(store)}/products/${handle}.js`)).json()) as { variants: object[] };
    expect((await product("harbour", "fisherman-jumper")).variants[2]).toMatchObject({
      id: 710013,
      price: 8950,
      available: false,
    });
    expect((await product("kissa", "house-blend")).variants[0]).toMatchObject({ price: 120_000 });
    expect((await product("souk", "saffron")).variants[0]).toMatchObject({ price: 2_125 });
    expect((await fetch(`${stores.urlOf("harbour")}/products/hat.js`)).status).toBe(404);
    expect((await fetch(`${stores.urlOf("quarry")}/products/stone-hammer.js`)).status).toBe(404);
    expect((await fetch(`${stores.urlOf("quarry")}/api/2026-10/graphql.json`, { method: "POST" })).status).toBe(404);
  });
});

describe("a cart", () => {
  it("has a price with delivery, returned in a deferred part", async () => {
    const { cart, userErrors, warnings } = await create(
      "harbour",
      createCartInput(
        [
          [710011, 1],
          [710021, 2],
        ],
        EDINBURGH,
      ),
    );
    expect({ userErrors, warnings }).toEqual({ userErrors: [], warnings: [] });
    expect(cart.cost.subtotalAmount).toEqual({ amount: "139.4", currencyCode: "GBP" });
    expect(cart.cost.totalAmount).toEqual(cart.cost.subtotalAmount);

    const parts = await stores.queryDeferred("harbour", RATES, { id: cart.id });
    expect(parts).toHaveLength(2);
    expect(parts[0]).toEqual({ data: { cart: { id: cart.id } }, hasNext: true });
    expect(parts[1]).toMatchObject({ hasNext: false, incremental: [{ path: ["cart"] }] });
    const [group] = parts[1].incremental[0].data.deliveryGroups.nodes;
    expect(group.deliveryOptions).toMatchObject([
      { title: "Standard", deliveryMethodType: "SHIPPING", estimatedCost: { amount: "0.0" } },
      { title: "Next day", deliveryMethodType: "SHIPPING", estimatedCost: { amount: "7.95" } },
    ]);
    const s = [{ deliveryGroupId: group.id, deliveryOptionHandle: group.deliveryOptions[1].handle }];
    const picked = await stores.query("harbour", PICK, { cartId: cart.id, s });
    expect(picked.data.cartSelectedDeliveryOptionsUpdate.cart.cost.totalAmount.amount).toBe("147.35");
    const wrong = await stores.query("harbour", PICK, {
      cartId: cart.id,
      s: [{ ...s[0], deliveryOptionHandle: "no" }],
    });
    expect(wrong.data.cartSelectedDeliveryOptionsUpdate.userErrors[0].code).toBe("INVALID_DELIVERY_OPTION");
  });

  it("returns carrier rates only with @defer, and the cart only with its key", async () => {
    const { cart } = await create("harbour", createCartInput([[710021, 1]], EDINBURGH));
    expect((await stores.query("harbour", RATES, { id: cart.id })).errors[0].message).toMatch(/@defer/);
    const atOnce = RATES.replace("... @defer", "...");
    expect((await stores.queryDeferred("harbour", atOnce, { id: cart.id }))[0].errors).toHaveLength(1);
    const plain = await stores.query("harbour", atOnce.replace("true", "false"), { id: cart.id });
    expect(plain.data.cart.deliveryGroups.nodes[0].deliveryOptions).toMatchObject([{ title: "Standard" }]);

    const guessed = cart.id.replace(/key=.*/, "key=0");
    expect((await stores.query("harbour", "query($id:ID!){cart(id:$id){id}}", { id: guessed })).data.cart).toBeNull();
    expect((await stores.query("maple", "query($id:ID!){cart(id:$id){id}}", { id: cart.id })).data.cart).toBeNull();
  });

  it.each([
    [{ zip: "90210" }, "zip", "INVALID_ZIP_CODE_FOR_COUNTRY"],
    [{ address1: " " }, "address1", "ADDRESS_FIELD_IS_REQUIRED"],
    [{ city: "<b>Leith</b>" }, "city", "ADDRESS_FIELD_CONTAINS_HTML_TAGS"],
    [{ phone: "call me" }, "phone", "ADDRESS_FIELD_DOES_NOT_MATCH_EXPECTED_PATTERN"],
    [{ countryCode: "US", zip: "10001", provinceCode: "CA" }, "zip", "INVALID_ZIP_CODE_FOR_PROVINCE"],
    [{ countryCode: "US", zip: "10001", provinceCode: "QC" }, "provinceCode", "PROVINCE_NOT_FOUND"],
    [{ countryCode: "US", zip: "10001" }, "provinceCode", "ADDRESS_FIELD_IS_REQUIRED"],
  ])("rejects an address with %j", async (change, field, code) => {
    const { cart, userErrors } = await create("harbour", createCartInput([[710021, 1]], { ...EDINBURGH, ...change }));
    expect(cart).toBeNull();
    const path = ["input", "delivery", "addresses", "0", "address", "deliveryAddress", field];
    expect(userErrors).toContainEqual({ field: path, code, message: expect.any(String) });
  });

  it("has no rates for a country without delivery, or for digital goods", async () => {
    const { cart } = await create(
      "harbour",
      createCartInput([[710021, 1]], { ...EDINBURGH, zip: "10115", countryCode: "DE" }),
    );
    expect((await readRates("harbour", cart.id)).deliveryOptions).toEqual([]);
    const digital = await create("harbour", createCartInput([[710041, 1]], null));
    const parts = await stores.queryDeferred("harbour", RATES, { id: digital.cart.id });
    expect(parts[1].incremental[0].data.deliveryGroups.nodes).toEqual([]);
  });

  it("offers pickup at the store's locations", async () => {
    const preferences = { deliveryMethod: ["PICK_UP"], pickupHandle: ["glasgow"] };
    const { cart } = await create("harbour", createCartInput([[710011, 1]], null, preferences));
    const { deliveryOptions } = await readRates("harbour", cart.id);
    expect(deliveryOptions).toMatchObject([
      { title: "Harbour Glasgow", deliveryMethodType: "PICK_UP", estimatedCost: { amount: "0.0" } },
      { title: "Harbour Leith Shore" },
    ]);
  });

  it("warns of sold-out or short stock, and rejects invalid lines", async () => {
    const soldOut = await create("harbour", createCartInput([[710013, 1]], EDINBURGH));
    expect(soldOut).toMatchObject({
      warnings: [{ code: "MERCHANDISE_OUT_OF_STOCK", target: variant(710013) }],
      cart: { lines: { nodes: [] } },
    });
    const short = await create("harbour", createCartInput([[710012, 3]], EDINBURGH));
    expect(short).toMatchObject({
      warnings: [{ code: "MERCHANDISE_NOT_ENOUGH_STOCK" }],
      cart: { lines: { nodes: [{ quantity: 2 }] } },
    });
    expect((await create("harbour", createCartInput([[1, 1]], EDINBURGH))).userErrors).toMatchObject([
      { code: "INVALID" },
    ]);
    expect((await create("harbour", createCartInput([[710021, 0]], EDINBURGH))).userErrors).toMatchObject([
      { code: "LESS_THAN" },
    ]);
    expect((await create("corner", createCartInput([[750011, 1]], null))).userErrors).toMatchObject([
      { code: "MINIMUM_NOT_MET" },
    ]);
  });

  it("is subject to each configured fault the configured number of times", async () => {
    await stores.setFault("maple", "price_change_cart", { times: 1 });
    await stores.setFault("maple", "no_rates", { times: 1 });
    const portland = { ...EDINBURGH, zip: "97210", provinceCode: "OR", countryCode: "US" };
    const faulty = await create("maple", createCartInput([[720031, 1]], portland));
    expect(faulty.cart.cost.subtotalAmount.amount).toBe("10.99");
    expect((await readRates("maple", faulty.cart.id)).deliveryOptions).toEqual([]);
    const correct = await create("maple", createCartInput([[720031, 1]], portland));
    expect(correct.cart.cost.subtotalAmount.amount).toBe("9.99");
    expect((await readRates("maple", correct.cart.id)).deliveryOptions).toHaveLength(2);

    await stores.setFault("maple", "throttled");
    expect((await stores.query("maple", STORE)).errors[0].extensions.code).toBe("THROTTLED");
    await stores.setFault("maple", null);
    expect((await stores.query("maple", STORE)).errors).toBeUndefined();
    expect(await stores.setFault("maple", "rain")).toHaveProperty("error");
  });

  it("is available at the same URL after a restart", async () => {
    const { cart } = await create("souk", createCartInput([[740011, 2]], null));
    const { endpoints } = stores.sandbox;
    await stores.restart();
    expect(stores.sandbox.endpoints).toEqual(endpoints);
    const reloaded = await stores.query("souk", "query($id:ID!){cart(id:$id){cost{totalAmount{amount}}}}", {
      id: cart.id,
    });
    expect(reloaded.data.cart.cost.totalAmount.amount).toBe("4.25");
  });
});

describe("the catalogue search across stores", () => {
  async function search(body: object) {
    const response = await fetch(`${stores.sandbox.endpoints.storeUrl}/catalogue/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const hosts = () => stores.sandbox.endpoints.stores.map(({ url }) => new URL(url).host);

  it("finds products for a country with prices in its currency", async () => {
    const { body } = await search({ query: "wool socks", country: "US", shops: hosts() });
    expect(body).toMatchObject({
      shops_searched: 3,
      total: 2,
      products: [
        {
          title: "Wool socks",
          currency: "USD",
          shop: new URL(stores.urlOf("harbour")).host,
          variants: [{ price: "16.25" }, {}],
        },
        {
          title: "Wool socks",
          currency: "USD",
          shop: new URL(stores.urlOf("maple")).host,
          variants: [{ price: "18.0" }],
        },
      ],
    });
    const one = await search({ query: "wool", country: "CA", shops: hosts().slice(0, 1) });
    expect(one.body).toMatchObject({ shops_searched: 0, products: [] });
  });

  it("accepts at most 1,000 stores per call, and reports a throttling fault", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `shop-${index}.example`);
    expect((await search({ query: "wool", country: "GB", shops: many })).body).toMatchObject({ shops_searched: 0 });
    const more = await search({ query: "wool", country: "GB", shops: [...many, "one-more.example"] });
    expect(more).toEqual({ status: 400, body: { error: "too_many_shops", limit: 1_000 } });
    expect((await search({ query: "wool", country: "Wales", shops: many })).status).toBe(400);
    await stores.setFault("catalogue", "throttled", { times: 1 });
    expect((await search({ query: "wool", country: "GB", shops: many })).body).toHaveProperty("errors");
    expect((await search({ query: "wool", country: "GB", shops: many })).status).toBe(200);
  });
});
