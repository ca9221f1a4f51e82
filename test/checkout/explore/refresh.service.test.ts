// @module-tag postgresql
/** Periodic refresh of catalogues of merchants without an API. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refreshCatalogues } from "../../../src/checkout/explore/refresh-catalogues.ts";
import { createEgress } from "../../../src/platform/egress/egress.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const DAY_MS = 86_400_000;
const egress = createEgress({ allowLoopback: true });
let fresh: TestDatabase;
let server: Server;
let url: string;
/** Responses of the merchant's site by path: the offers of a page, or an HTTP status. */
let pages: Record<string, readonly object[] | number> = {};
let requestedPaths: string[] = [];

beforeAll(async () => {
  fresh = await createTestDatabase();
  server = createServer((request, response) => {
    const path = request.url ?? "";
    requestedPaths.push(path);
    const content = pages[path.split("?", 1)[0] ?? ""] ?? 404;
    if (typeof content === "number") return void response.writeHead(content).end();
    const data = { "@context": "https://schema.org", "@type": "Product", name: "Hammer", offers: content };
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>Hammer</title><script type="application/ld+json">${JSON.stringify(data)}</script>`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await egress.close();
  await fresh?.close();
});

const createOffer = (sku: string, price: string, more: object = {}) => ({
  "@type": "Offer",
  sku,
  price,
  priceCurrency: "USD",
  ...more,
});
const refresh = () => refreshCatalogues({ db: fresh.db, egress });

/** Adds a merchant whose catalogue was read two days ago: three products, one of them with two variants. */
async function addMerchant({
  merchant = {},
  catalogue = {},
}: {
  merchant?: object;
  catalogue?: object;
} = {}): Promise<string> {
  const { prisma } = fresh.db;
  await prisma.merchantProduct.deleteMany();
  await prisma.merchantCatalogue.deleteMany();
  await prisma.merchant.deleteMany();
  const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS);
  const id = newId("mer");
  await prisma.merchant.create({
    data: {
      ...{ id, name: "Quarry", domain: new URL(url).host, url, rail: "worker", currency: "USD", countryCode: "US" },
      ...{ pooledDomain: new URL(url).host, onboardedAt: twoDaysAgo, ...merchant },
    },
  });
  const catalogueId = newId("cat");
  const times = { readAt: twoDaysAgo, attemptedAt: twoDaysAgo };
  await prisma.merchantCatalogue.create({ data: { id: catalogueId, merchantId: id, ...times, ...catalogue } });
  const row = (sku: string, productId: string) => ({
    ...{ catalogueId, sku, productId, title: "Hammer", priceMinor: 4_200n, currency: "USD", available: true },
    ...{ productUrl: `${url}/item/${productId}?variant=${sku}`, readAt: twoDaysAgo },
  });
  await prisma.merchantProduct.createMany({ data: [row("A", "1"), row("B1", "2"), row("B2", "2"), row("C", "3")] });
  return catalogueId;
}

async function listCatalogue() {
  const rows = await fresh.db.prisma.merchantProduct.findMany({ orderBy: { sku: "asc" } });
  return rows.map(({ sku, priceMinor, available }) => `${sku} ${priceMinor}${available ? "" : " gone"}`);
}

it("updates prices and stock, removes missing variants and retains products of failed pages", async () => {
  const id = await addMerchant();
  pages = {
    "/item/1": [createOffer("A", "43.00")],
    "/item/2": [createOffer("B1", "42"), createOffer("B3", "44.5")],
    "/item/3": 503,
  };
  expect(await refresh()).toBe(1);
  expect(await listCatalogue()).toEqual(["A 4300", "B1 4200", "B2 4200 gone", "B3 4450", "C 4200"]);
  const { readAt } = await fresh.db.prisma.merchantCatalogue.findUniqueOrThrow({ where: { id } });
  expect(Date.now() - Number(readAt)).toBeLessThan(DAY_MS);
  pages = { "/item/1": 404 };
  requestedPaths = [];
  expect(await refresh()).toBe(0);
  expect(requestedPaths).toEqual([]);
});

it("removes the products of a page that is gone", async () => {
  await addMerchant();
  pages = {
    "/item/1": 410,
    "/item/2": [createOffer("B1", "42"), createOffer("B2", "42", { availability: "OutOfStock" })],
    "/item/3": 404,
  };
  expect(await refresh()).toBe(1);
  expect(await listCatalogue()).toEqual(["B1 4200", "B2 4200 gone"]);
});

it("leaves the catalogue unchanged when the merchant does not respond, and delays the retry", async () => {
  const id = await addMerchant();
  pages = { "/item/1": 500, "/item/2": 403, "/item/3": [] };
  expect(await refresh()).toBe(0);
  expect(await listCatalogue()).toEqual(["A 4200", "B1 4200", "B2 4200", "C 4200"]);
  requestedPaths = [];
  expect(await refresh()).toBe(0);
  expect(requestedPaths).toEqual([]);
  const { readAt } = await fresh.db.prisma.merchantCatalogue.findUniqueOrThrow({ where: { id } });
  expect(Date.now() - Number(readAt)).toBeGreaterThan(DAY_MS);
});

it("limits the products of endless pages per merchant and updates known products first", async () => {
  await addMerchant();
  const endless = (prefix: string) => Array.from({ length: 30_000 }, (_, at) => createOffer(`${prefix}${at}`, "1"));
  pages = { "/item/1": endless("X"), "/item/2": endless("Y"), "/item/3": [createOffer("C", "43")] };
  expect(await refresh()).toBe(1);
  const rows = await listCatalogue();
  // Products that their pages no longer list are stored as unavailable.
  expect(rows.filter((row) => !row.endsWith(" gone"))).toHaveLength(500);
  expect(rows).toContain("C 4300");
});

it.each([
  ["with an API", { merchant: { rail: "shopify" } }],
  ["that a pooled one replaced", { merchant: { onboardedAt: null, pooledDomain: null } }],
  ["that was read today", { catalogue: { readAt: new Date() } }],
])("does not read the catalogue of a merchant %s", async (_what, more) => {
  await addMerchant(more);
  requestedPaths = [];
  expect(await refresh()).toBe(0);
  expect(requestedPaths).toEqual([]);
});
