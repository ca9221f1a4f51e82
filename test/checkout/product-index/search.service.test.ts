// @module-tag postgresql
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createRemoteCatalogue } from "../../../src/checkout/catalogue/remote-catalogue.ts";
import { savePool } from "../../../src/checkout/merchants/pool.ts";
import { matchIndexesToMerchants, removeUnusedWords } from "../../../src/checkout/product-index/claim-indexes.ts";
import { indexCatalogues } from "../../../src/checkout/product-index/index-catalogues.ts";
import { type CheckoutFixture, openCheckoutFixture } from "../checkout-fixture.ts";
import { type MerchantSite, openMerchantSite, type SiteProduct } from "./merchant-site.ts";

const SETTINGS = { delayMs: 0, refreshMs: 3_600_000, maxProducts: 5_000, concurrency: 8 };
let fixture: CheckoutFixture;

beforeAll(async () => {
  fixture = await openCheckoutFixture();
  await fixture.waitForCatalogues();
});
afterAll(() => fixture.stop());

const database = () => fixture.stack.service.deps.db;

async function search(q: string, query = "country=GB") {
  const { status, json } = await fixture.get(`/api/autofill/products/search?q=${encodeURIComponent(q)}&${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

async function titles(q: string, query?: string): Promise<string[]> {
  return (await search(q, query)).products.map(({ title }: { title: string }) => title);
}

/** Adds a site to the pool. Its catalogue is read by the next call of `index`. */
async function addSite(products: Record<string, SiteProduct>): Promise<MerchantSite> {
  const site = await openMerchantSite(products);
  const facts = { name: site.host, country: "GB", currency: "GBP", rail: "worker", taxPolicy: "included" } as const;
  const lists = { shipsTo: [], supportsPickup: false, checkoutOrigins: [], cardFrameOrigins: null };
  await savePool(database(), [{ url: site.url, ...facts, ...lists, isTest: true, logoUrl: null, onboarded: false }]);
  onTestFinished(async () => {
    const { prisma } = database();
    await prisma.merchant.deleteMany({ where: { domain: site.host } });
    await matchIndexesToMerchants(database());
    await matchIndexesToMerchants(database());
    await site.stop();
  });
  return site;
}

const findIndex = ({ host }: MerchantSite) => database().prisma.catalogueIndex.findUniqueOrThrow({ where: { host } });

/** Reads the site's catalogue until its state is the expected one, as the job does. */
async function index(site: MerchantSite, status = "read") {
  const { egress, logger } = fixture.stack.service.deps;
  await matchIndexesToMerchants(database());
  await database().prisma.catalogueIndex.update({ where: { host: site.host }, data: { dueAt: new Date(0) } });
  await expect
    .poll(async () => {
      await indexCatalogues({ db: database(), egress, logger }, SETTINGS);
      const { status: current, dueAt } = await findIndex(site);
      return dueAt.getTime() === 0 ? "due" : current;
    })
    .toBe(status);
  return await findIndex(site);
}

it("finds the products of stores with and without an API", async () => {
  const { products, shops_searched } = await search("stone hammer");
  expect(products[0]).toMatchObject({ title: "Stone hammer", merchant: { rail: "worker" } });
  expect(products[0].onboard.next.path).toBe("/api/autofill/explore");
  expect(shops_searched).toBe(fixture.stack.sandbox?.stores.length);
  expect(await titles("wool sock")).toContain("Wool socks");
});

it("states prices of the market", async () => {
  const find = async (country: string) => {
    const { products } = await search("saffron", `country=${country}`);
    return products.map(({ currency, price_minor }: { currency: string; price_minor: number }) => [
      currency,
      price_minor,
    ]);
  };
  expect(await find("GB")).toEqual([["GBP", 531]]);
  expect(await find("US")).toEqual([["KWD", 2_125]]);
});

it("corrects typing errors, folds accents and plurals, and finds text without spaces", async () => {
  const site = await addSite({
    "/p/bowl": { title: "抹茶ボウル", price: "24.00" },
    "/p/creme": { title: "Crème brûlée torch", price: "31.00" },
    "/p/kettle": { title: "Gooseneck kettles", price: "75.00" },
  });
  await index(site);
  expect(await titles("goosneck ketle")).toEqual(["Gooseneck kettles"]);
  expect(await titles("gooseneck kettle")).toEqual(["Gooseneck kettles"]);
  expect(await titles("goosen")).toEqual(["Gooseneck kettles"]);
  expect(await titles("creme BRULEE")).toEqual(["Crème brûlée torch"]);
  expect(await titles("抹茶")).toEqual(["抹茶ボウル"]);
  expect(await titles("茶ボウ")).toEqual(["抹茶ボウル"]);
  expect(await titles("zzyzxq")).toEqual([]);
});

it("prefers titles to descriptions, then available and cheap products, in an order that does not depend on the limit", async () => {
  const site = await addSite({
    "/p/1": { title: "Trivet", description: "For your copperware.", price: "1.00" },
    "/p/2": { title: "Copperware pan", price: "30.00" },
    "/p/3": { title: "Copperware pot", price: "20.00", isSoldOut: true },
    "/p/4": { title: "Copperware lid", price: "25.00" },
    "/p/5": { title: "Copperware cup", price: "25.00" },
  });
  await index(site);
  const all = await titles("copperware");
  expect(all).toEqual(["Copperware lid", "Copperware cup", "Copperware pan", "Copperware pot"]);
  for (const limit of [1, 2, 3]) {
    expect(await titles("copperware", `country=GB&limit=${limit}`)).toEqual(all.slice(0, limit));
  }
});

it("requests pages conditionally, and removes those that no longer exist", async () => {
  const site = await addSite({
    "/p/a": { title: "Alderwood spoon" },
    "/p/b": { title: "Alderwood fork" },
    "/p/c": { title: "Alderwood ladle" },
  });
  await index(site);
  site.products.delete("/p/a");
  site.products.set("/p/b", { title: "Alderwood fork", price: "12.00" });
  const { unchangedCount, productCount } = await index(site);
  expect(site.unchanged).toEqual(["/p/c"]);
  expect([unchangedCount, productCount]).toEqual([1, 2]);
  const { products } = await search("alderwood");
  expect(products.map((one: { title: string; price_minor: number }) => [one.title, one.price_minor])).toEqual([
    ["Alderwood ladle", 1_000],
    ["Alderwood fork", 1_200],
  ]);
});

it("removes words that no product has any more, a part of the vocabulary per run", async () => {
  const site = await addSite({ "/p/a": { title: "Tamarisk basket" }, "/p/b": { title: "Basket" } });
  await index(site);
  expect(await titles("tamarisl")).toEqual(["Tamarisk basket"]);
  site.products.delete("/p/a");
  await index(site);
  const unused = Array.from({ length: 1_200 }, (_, at) => `zz${at}`);
  await database().prisma.productWord.createMany({ data: unused.map((word) => ({ word })) });
  let runs = 0;
  for (let last = ""; runs === 0 || last !== ""; runs++) last = await removeUnusedWords(database(), last);
  expect(runs).toBeGreaterThan(2);
  const words = await database().prisma.productWord.findMany({
    where: { word: { in: ["tamarisk", "basket", ...unused] } },
  });
  expect(words).toEqual([{ word: "basket" }]);
});

it("finds the cheapest of matches that one query does not sort", async () => {
  const site = await addSite({});
  site.intercept = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", site.url);
    if (pathname !== "/products.json") return false;
    const page = Number(searchParams.get("page"));
    const limit = Number(searchParams.get("limit"));
    // More products than are sorted, all in one price band, the cheapest last.
    const products = Array.from({ length: Math.max(0, Math.min(limit, 2_100 - (page - 1) * limit)) }, (_, at) => {
      const id = (page - 1) * limit + at;
      return {
        ...{ id, title: `Samphire ${id}`, handle: `samphire-${id}` },
        variants: [
          { id, title: "Default Title", price: (6 - id / 10_000).toFixed(4).slice(0, 4), available: id % 50 !== 0 },
        ],
      };
    });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ products }));
    return true;
  };
  await index(site);
  const { products } = await search("samphire", "country=GB&limit=20");
  const all = await database().prisma.indexedProduct.findMany({
    where: { index: { host: site.host }, available: true },
    orderBy: [{ priceMinor: "asc" }],
  });
  expect(all.length).toBeGreaterThan(2_000);
  const cheapest = all
    .map(({ title, priceMinor, sku }) => ({ title, priceMinor, sku }))
    .toSorted((a, b) => Number(a.priceMinor - b.priceMinor) || (a.sku < b.sku ? -1 : 1))
    .slice(0, 20);
  expect(products.map(({ title }: { title: string }) => title)).toEqual(cheapest.map(({ title }) => title));
});

it("consumes no ids where nothing is to be added", async () => {
  const text = "SELECT last_value::text AS id FROM catalogue_indexes_id_seq";
  const readLastId = () => database().query({ name: "last-catalogue-index", text }, []);
  await matchIndexesToMerchants(database());
  const before = await readLastId();
  await matchIndexesToMerchants(database());
  expect(await readLastId()).toEqual(before);
});

it("reads nothing that robots.txt disallows", async () => {
  const site = await addSite({ "/p/public": { title: "Zinnia vase" }, "/secret/b": { title: "Zinnia bowl" } });
  site.robots = "User-agent: *\nDisallow: /secret/\n";
  await index(site);
  expect(await titles("zinnia")).toEqual(["Zinnia vase"]);
  expect(site.requested).not.toContain("/secret/b");

  const closed = await addSite({ "/p/x": { title: "Zinnia lamp" } });
  closed.robots = "User-agent: Satchel\nDisallow: /\n";
  const before = (await search("zinnia")).shops_searched;
  expect(await index(closed, "refused")).toMatchObject({ readAt: null, productCount: 0 });
  expect(closed.requested).toEqual(["/robots.txt"]);
  expect((await search("zinnia")).shops_searched).toBe(before);
});

it("leaves a merchant alone that limits the rate of requests, then continues where it stopped", async () => {
  const site = await addSite({ "/p/1": { title: "Quince jam" }, "/p/2": { title: "Quince jelly" } });
  let isThrottling = true;
  site.intercept = (request, response) => {
    if (!isThrottling || request.url !== "/p/2") return false;
    response.writeHead(429, { "retry-after": "900" }).end();
    return true;
  };
  const failed = await index(site, "failing");
  expect(failed.dueAt.getTime() - Date.now()).toBeGreaterThan(800_000);
  isThrottling = false;
  expect(await index(site)).toMatchObject({ productCount: 2, failureCount: 0, failureReason: null });
  expect(site.requested.filter((path) => path === "/p/1")).toHaveLength(1);
});

it("continues the pass of a node that crashed, and ignores what that node still stores", async () => {
  const site = await addSite({ "/p/1": { title: "Rowan tray" }, "/p/2": { title: "Rowan box" } });
  const { promise: hangs, resolve: continueResponse } = Promise.withResolvers<void>();
  let count = 0;
  site.intercept = (request, response) => {
    if (request.url !== "/p/2" || count++ > 0) return false;
    void hangs.then(() => response.end("<title>late</title>"));
    return true;
  };
  const { egress, logger } = fixture.stack.service.deps;
  await matchIndexesToMerchants(database());
  const crashed = indexCatalogues({ db: database(), egress, logger }, SETTINGS);
  await expect.poll(() => count).toBe(1);
  await database().prisma.catalogueIndex.update({ where: { host: site.host }, data: { leasedUntil: new Date(0) } });
  expect(await index(site)).toMatchObject({ pass: 1, productCount: 2 });
  expect(site.requested.filter((path) => path === "/p/1")).toHaveLength(1);
  continueResponse();
  await crashed;
  expect(await titles("rowan")).toEqual(["Rowan tray", "Rowan box"]);
});

it("retains the products of a merchant that responds to a later page with an error", async () => {
  const site = await addSite({});
  let isBroken = false;
  site.intercept = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", site.url);
    if (pathname !== "/products.json") return false;
    const page = Number(searchParams.get("page"));
    if (page === 2 && isBroken) response.writeHead(500).end();
    else {
      const toProduct = (id: number) => ({
        ...{ id, title: `Yarrow no ${id}`, handle: `yarrow-${id}` },
        variants: [{ id, title: "Default Title", price: "5.00" }],
      });
      const products = Array.from({ length: page === 1 ? 30 : 2 }, (_, at) => toProduct(page * 100 + at));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ products }));
    }
    return true;
  };
  expect(await index(site)).toMatchObject({ source: "products_json", productCount: 32 });
  isBroken = true;
  expect(await index(site, "failing")).toMatchObject({ productCount: 32 });
  expect(await database().prisma.indexedProduct.count({ where: { index: { host: site.host } } })).toBe(32);
});

it("reads titles, variants, prices and texts of products.json", async () => {
  const site = await addSite({});
  site.intercept = (request, response) => {
    if (!request.url?.startsWith("/products.json")) return false;
    const variant = (id: number, title: string, price: string, available: boolean) => ({
      ...{ id, title, price, available, sku: `LOV-${id}`, compare_at_price: id === 2 ? "19.00" : null },
    });
    const lovage = {
      ...{ id: 9, title: "  Lovage\n soap ", handle: "lovage-soap", vendor: "Ferry Mill", product_type: "Bath" },
      ...{
        tags: "hemp, olive",
        body_html: "<p>Made of <b>glycerine</b></p>",
        images: [{ src: "https://cdn.example/soap.jpg" }],
      },
      variants: [
        variant(1, "Small", "4.00", false),
        variant(2, "Large", "9.50", true),
        variant(3, "Crate", "90.00", true),
      ],
    };
    const unpriced = {
      id: 10,
      title: "Lovage gift",
      handle: "gift",
      variants: [{ id: 4, title: "Default Title", price: "free" }],
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ products: [lovage, unpriced] }));
    return true;
  };
  expect(await index(site)).toMatchObject({ source: "products_json", productCount: 1 });
  for (const q of [
    "lovage soap",
    "lovage hemp",
    "lovage bath",
    "crate lovage",
    "ferry lovage",
    "lovage glycerine",
    "LOV-3 lovage",
  ]) {
    expect((await search(q)).products, q).toMatchObject([
      {
        ...{
          title: "Lovage soap",
          sku: "gid://shopify/ProductVariant/2",
          price_minor: 950,
          available: true,
          currency: "GBP",
        },
        product_url: `${site.url}/products/lovage-soap?variant=2`,
      },
    ]);
  }
});

it("does not count a merchant whose catalogue is too old", async () => {
  const site = await addSite({ "/p/1": { title: "Sorrel seeds" } });
  await index(site);
  expect(await titles("sorrel")).toEqual(["Sorrel seeds"]);
  const { shops_searched: before } = await search("sorrel");
  const readAt = new Date(Date.now() - 172_801_000);
  await database().prisma.catalogueIndex.update({ where: { host: site.host }, data: { readAt } });
  expect(await search("sorrel")).toMatchObject({ shops_searched: before - 1, products: [] });
});

it("shows the state of a merchant's index", async () => {
  const query =
    '{ merchants(filter: { q: "harbour" }) { edges { node { searchIndex { status source productCount readAt } } } } }';
  const { json } = await fixture.stack.graphql(fixture.account.token, query);
  const { searchIndex } = json.data.merchants.edges[0].node;
  expect(searchIndex).toMatchObject({
    status: "READ",
    source: "storefront",
    productCount: 4,
    readAt: expect.any(String),
  });
});

it("searches a remote catalogue, and reports its outage", async () => {
  const { stack, configureFault } = fixture;
  const { egress } = stack.service.deps;
  const remote = createRemoteCatalogue({ url: stack.sandbox?.storeUrl ?? "", apiKey: undefined, egress });
  const shops = [new URL(fixture.findStoreUrl("harbour")).host];
  const query = { query: "wool", country: "GB", currency: "GBP", limit: 20, shops };
  const { products, shopsSearched } = await remote.search(query);
  expect(shopsSearched).toBe(1);
  expect(products).toContainEqual(expect.objectContaining({ title: "Wool socks", priceMinor: 1_250, tier: 0 }));
  for (const fault of ["api_5xx", "api_garbage"]) {
    await configureFault("catalogue", fault);
    await expect(remote.search(query)).rejects.toMatchObject({ code: "catalog_unavailable" });
  }
});
