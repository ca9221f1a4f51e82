// @module-tag postgresql
/** Catalogues of shops without an API, read again once they are old. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refreshCatalogues } from "../../../src/checkout/explore/refresh-catalogues.ts";
import { createEgress } from "../../../src/platform/egress/egress.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";

const DAY_MS = 86_400_000;
const egress = createEgress({ allowLoopback: true });
let fresh: FreshDatabase;
let server: Server;
let url: string;
/** What the shop answers, by path: a page's offers, or a status. */
let answers: Record<string, readonly object[] | number> = {};
let asked: string[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const answer = answers[path.split("?", 1)[0] ?? ""] ?? 404;
    if (typeof answer === "number") return void response.writeHead(answer).end();
    const data = { "@context": "https://schema.org", "@type": "Product", name: "Hammer", offers: answer };
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

const offer = (sku: string, price: string, more: object = {}) => ({
  "@type": "Offer",
  sku,
  price,
  priceCurrency: "USD",
  ...more,
});
const refresh = () => refreshCatalogues({ db: fresh.db, egress });

/** A shop whose catalogue was read two days ago: three products, one of them with two variants. */
async function addShop(more: object = {}): Promise<string> {
  const { prisma } = fresh.db;
  await prisma.merchantProduct.deleteMany();
  await prisma.merchant.deleteMany();
  const long = new Date(Date.now() - 2 * DAY_MS);
  const id = newId("mer");
  await prisma.merchant.create({
    data: {
      ...{ id, name: "Quarry", domain: new URL(url).host, url, rail: "worker", currency: "USD", countryCode: "US" },
      ...{ onboardedAt: long, catalogueReadAt: long, updatedAt: long, ...more },
    },
  });
  const row = (sku: string, productId: string) => ({
    ...{ merchantId: id, sku, productId, title: "Hammer", priceMinor: 4_200n, currency: "USD", available: true },
    ...{ productUrl: `${url}/item/${productId}?variant=${sku}`, readAt: long },
  });
  await prisma.merchantProduct.createMany({ data: [row("A", "1"), row("B1", "2"), row("B2", "2"), row("C", "3")] });
  return id;
}

async function catalogue() {
  const rows = await fresh.db.prisma.merchantProduct.findMany({ orderBy: { sku: "asc" } });
  return rows.map(({ sku, priceMinor, available }) => `${sku} ${priceMinor}${available ? "" : " gone"}`);
}

it("has new prices and stocks, loses what is gone, and keeps what did not answer", async () => {
  const id = await addShop();
  answers = { "/item/1": [offer("A", "43.00")], "/item/2": [offer("B1", "42"), offer("B3", "44.5")], "/item/3": 503 };
  expect(await refresh()).toBe(1);
  expect(await catalogue()).toEqual(["A 4300", "B1 4200", "B2 4200 gone", "B3 4450", "C 4200"]);
  const { catalogueReadAt } = await fresh.db.prisma.merchant.findUniqueOrThrow({ where: { id } });
  expect(Date.now() - Number(catalogueReadAt)).toBeLessThan(DAY_MS);
  answers = { "/item/1": 404 };
  asked = [];
  expect(await refresh()).toBe(0);
  expect(asked).toEqual([]);
});

it("loses a page that is gone", async () => {
  await addShop();
  answers = {
    "/item/1": 410,
    "/item/2": [offer("B1", "42"), offer("B2", "42", { availability: "OutOfStock" })],
    "/item/3": 404,
  };
  expect(await refresh()).toBe(1);
  expect(await catalogue()).toEqual(["B1 4200", "B2 4200 gone"]);
});

it("stays as it is where the shop does not answer, which is asked again later", async () => {
  const id = await addShop();
  answers = { "/item/1": 500, "/item/2": 403, "/item/3": [] };
  expect(await refresh()).toBe(0);
  expect(await catalogue()).toEqual(["A 4200", "B1 4200", "B2 4200", "C 4200"]);
  asked = [];
  expect(await refresh()).toBe(0);
  expect(asked).toEqual([]);
  const { catalogueReadAt } = await fresh.db.prisma.merchant.findUniqueOrThrow({ where: { id } });
  expect(Date.now() - Number(catalogueReadAt)).toBeGreaterThan(DAY_MS);
});

it("takes no more of pages that name products without end than of a whole shop, and what it knew first", async () => {
  await addShop();
  const endless = (prefix: string) => Array.from({ length: 30_000 }, (_, at) => offer(`${prefix}${at}`, "1"));
  answers = { "/item/1": endless("X"), "/item/2": endless("Y"), "/item/3": [offer("C", "43")] };
  expect(await refresh()).toBe(1);
  const rows = await catalogue();
  // Those that their pages do not name any more are kept as gone.
  expect(rows.filter((row) => !row.endsWith(" gone"))).toHaveLength(500);
  expect(rows).toContain("C 4300");
});

it.each([
  ["with an API", { rail: "shopify" }],
  ["that nobody explored", { onboardedAt: null }],
  ["that was read today", { catalogueReadAt: new Date() }],
])("is not read of a shop %s", async (_what, more) => {
  await addShop(more);
  asked = [];
  expect(await refresh()).toBe(0);
  expect(asked).toEqual([]);
});
