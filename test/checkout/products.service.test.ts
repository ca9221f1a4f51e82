import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type CheckoutFixture, openCheckoutFixture } from "./checkout-fixture.ts";

let fixture: CheckoutFixture;

beforeAll(async () => {
  fixture = await openCheckoutFixture();
  await fixture.waitForCatalogues();
});
afterEach(() => fixture.clearFaults("harbour"));
afterAll(() => fixture.stop());

const search = (query: string) => fixture.get(`/api/autofill/products/search?${query}`);
const lookup = (url: string) => fixture.get(`/api/autofill/products/lookup?url=${encodeURIComponent(url)}`);

it("lists merchants by name or domain, and returns one by its id", async () => {
  const all = await fixture.get("/api/autofill/merchants");
  expect(all.json.query).toBeNull();
  expect(all.json.merchants.length).toBeGreaterThan(2);
  const { json } = await fixture.get("/api/autofill/merchants?q=HARBOUR");
  expect(json.query).toBe("HARBOUR");
  expect(json.merchants).toMatchObject([
    { name: "Harbour Outfitters", rail: "shopify", is_test: true, supports: { ship_to: true, pickup: true } },
  ]);
  const [{ id }] = json.merchants;
  expect((await fixture.get(`/api/autofill/merchants/${id}`)).json.id).toBe(id);
  expect((await fixture.get("/api/autofill/merchants/mer_0_none")).status).toBe(404);
  expect((await fixture.get("/api/autofill/merchants?q=%25")).json.merchants).toEqual([]);
});

it("sorts found products by availability, then price", async () => {
  const { status, json } = await search("q=wool&country=GB");
  expect(status).toBe(200);
  expect(json).toMatchObject({ query: "wool", country: "GB", currency: "GBP", chunks: 1 });
  const availabilityAndPrices = json.products.map(
    ({ available, price_minor }: { available: boolean; price_minor: number }) => [available ? 0 : 1, price_minor],
  );
  expect(availabilityAndPrices).toEqual([...availabilityAndPrices].sort(([a, b], [c, d]) => a - c || b - d));
  expect(json.products[0]).toMatchObject({ title: "Wool socks", currency: "GBP", merchant: { rail: "shopify" } });
  expect((await search("q=wool&country=GB&limit=1")).json.products).toHaveLength(1);
});

it("points to exploration for a merchant that is not onboarded", async () => {
  const { json } = await search("q=bread&country=US&limit=100");
  const onboarded = await fixture.get("/api/autofill/merchants");
  const ids = new Set(onboarded.json.merchants.map(({ id }: { id: string }) => id));
  for (const { merchant, onboard } of json.products) {
    expect(onboard === undefined, merchant.name).toBe(ids.has(merchant.id));
    if (onboard)
      expect(onboard).toMatchObject({
        reason: "never_bought",
        next: { method: "POST", path: "/api/autofill/explore" },
      });
  }
});

it("searches a pool of more than 1,000 merchants in several calls", async () => {
  const { prisma } = fixture.stack.service.deps.db;
  const merchants = Array.from({ length: 1_500 }, (_, at) => ({
    ...{ id: `mer_0_${at}`, name: `Shop ${at}`, domain: `shop-${at}.example`, url: `https://shop-${at}.example` },
    ...{ pooledDomain: `shop-${at}.example`, rail: "shopify", currency: "GBP", countryCode: "GB" },
  }));
  await prisma.merchant.createMany({ data: merchants });
  try {
    const { json } = await search("q=wool&country=GB");
    expect(json.chunks).toBe(2);
    expect(json.products.length).toBeGreaterThan(0);
  } finally {
    await prisma.merchant.deleteMany({ where: { id: { startsWith: "mer_0_" } } });
  }
});

it.each([
  ["country=GB", 400, "missing_query"],
  ["q=&country=GB", 400, "missing_query"],
  ["q=wool&country=FR", 400, "unsupported_country"],
  ["q=wool", 400, "unsupported_country"],
  ["q=%00&country=GB", 400, "invalid_request"],
  ["q=wool&country=GB&limit=0", 400, "invalid_request"],
  ["q=wool&country=GB&limit=101", 400, "invalid_request"],
])("rejects a search for %s", async (query, status, error) => {
  const response = await search(query);
  expect([response.status, response.json.error]).toEqual([status, error]);
});

it("lists the markets", async () => {
  expect((await search("q=wool&country=FR")).json.supported_countries).toEqual(["US", "GB", "CA", "AU"]);
});

it("reports that no catalogue is current instead of an empty result", async () => {
  const { prisma } = fixture.stack.service.deps.db;
  const before = await prisma.catalogueIndex.findMany({ select: { id: true, readAt: true } });
  await prisma.catalogueIndex.updateMany({ data: { readAt: new Date(Date.now() - 172_800_000) } });
  try {
    const { status, json } = await search("q=wool&country=GB");
    expect([status, json.error]).toEqual([502, "catalog_unavailable"]);
  } finally {
    for (const { id, readAt } of before) await prisma.catalogueIndex.update({ where: { id }, data: { readAt } });
  }
});

it("looks up a product with and without its variant", async () => {
  const page = `${fixture.findStoreUrl("harbour")}/products/wool-socks`;
  const named = await lookup(`${page}?variant=710032`);
  expect(named.json).toMatchObject({
    sku: "gid://shopify/ProductVariant/710032",
    variant_title: "8-11",
    price_minor: 1_250,
    currency: "GBP",
  });
  expect(named.json).not.toHaveProperty("variant_note");
  expect(named.json).not.toHaveProperty("onboard");
  const first = await lookup(page);
  expect(first.json.sku).toBe("gid://shopify/ProductVariant/710031");
  expect(first.json.variant_note).toContain("4-7");
});

it("looks up variants beyond the first page by id and by options", async () => {
  const page = `${fixture.findStoreUrl("maple")}/products/milk-paint-sample`;
  const last = { sku: "gid://shopify/ProductVariant/729300", variant_title: "Gloss / 100", price_minor: 450 };
  for (const query of ["variant=729300", "Finish=Gloss&Number=100", "finish=gloss&number=100&utm_source=mail"]) {
    const { json } = await lookup(`${page}?${query}`);
    expect(json, query).toMatchObject(last);
    expect(json, query).not.toHaveProperty("variant_note");
  }
  const satin = await lookup(`${page}?Finish=Satin`);
  expect(satin.json).toMatchObject({ variant_title: "Satin / 002" });
  expect(satin.json.variant_note).toContain("the first available of 100");
  expect((await lookup(page)).json.variant_note).toContain("of 300");
  expect((await lookup(`${page}?Finish=Eggshell`)).json.error).toBe("variant_not_found");
  expect((await lookup(`${page}?variant=720041`)).json.error).toBe("variant_not_found");
});

it.each([
  "/zh-hant/products/wool-socks",
  "/pt-br/products/wool-socks/",
  "/zh-hant-hk/products/wool-socks",
  "/en-europe/collections/winter/products/wool-socks",
  "/collections/winter/wool/products/wool-socks",
  "/products/wool-socks.js",
  "/products/wool-socks.json",
  "/fr/products/wool-socks.js",
])("looks up the product of %s", async (path) => {
  const origin = fixture.findStoreUrl("harbour");
  const { json } = await lookup(`${origin}${path}?variant=710032`);
  expect(json).toMatchObject({ sku: "gid://shopify/ProductVariant/710032", title: "Wool socks" });
  expect(json.product_url).toBe(`${origin}${path.replace(/\.js(on)?$/, "")}?variant=710032`);
});

it("rejects URLs other than product pages of Shopify stores", async () => {
  const storeUrl = fixture.findStoreUrl("harbour");
  const cases: [url: string, status: number, error: string][] = [
    ["", 400, "missing_url"],
    ["ftp://merchant.example/products/x", 400, "invalid_request"],
    ["http://10.0.0.1/products/x", 400, "url_not_allowed"],
    ["http://10.0.0.1/", 400, "url_not_allowed"],
    [storeUrl.replace("//", "//user:password@"), 400, "url_not_allowed"],
    [storeUrl, 400, "not_a_product_url"],
    [`${storeUrl}/collections/all`, 400, "not_a_product_url"],
    [`${storeUrl}/products/wool-socks?variant=1`, 404, "variant_not_found"],
    [`${storeUrl}/products/none`, 404, "variant_not_found"],
    [`${fixture.findStoreUrl("quarry")}/products/stone-hammer`, 409, "not_shopify"],
    [`${fixture.findStoreUrl("quarry")}/item/stone-hammer`, 409, "not_shopify"],
  ];
  for (const [url, status, error] of cases) {
    const response = await lookup(url);
    expect([response.status, response.json.error], url).toEqual([status, error]);
  }
});

it("does not onboard a merchant in a product query", async () => {
  const { prisma } = fixture.stack.service.deps.db;
  const before = await prisma.merchant.count({ where: { onboardedAt: { not: null } } });
  const unexplored = await prisma.merchant.findFirstOrThrow({ where: { rail: "shopify", onboardedAt: null } });
  const found = await search("q=bread&country=US&limit=100");
  const product = found.json.products.find(
    ({ merchant }: { merchant: { id: string } }) => merchant.id === unexplored.id,
  );
  if (product) expect((await lookup(product.product_url)).json.onboard.merchant_url).toBe(unexplored.url);
  expect(await prisma.merchant.count({ where: { onboardedAt: { not: null } } })).toBe(before);
});

it("requires exploration of a listed merchant before a quote or dispatch", async () => {
  const { json } = await search("q=sourdough&country=AU&limit=100");
  const { sku, merchant, onboard } = json.products.find((product: { onboard?: object }) => product.onboard);
  const cart = { merchant_id: merchant.id, items: [{ sku }] };
  const approval = { amount_minor: 950, user_confirmation_text: "Yes", user_approved_at_iso: "2026-11-20T17:29:16Z" };
  for (const [path, body] of [
    ["shopify/quote", cart],
    ["dispatch", { ...cart, ...approval }],
  ] as const) {
    const response = await fixture.stack.rest(fixture.account.token, "POST", `/api/autofill/${path}`, body);
    expect([response.status, response.json.error]).toEqual([404, "not_found"]);
    expect(response.json.message).toContain(`Explore ${onboard.merchant_url} first`);
  }
});
