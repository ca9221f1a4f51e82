// @module-tag postgresql
/** A process killed while it reads a merchant's catalogue: the next process continues the pass, and finds every product. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { savePool } from "../../../src/checkout/merchants/pool.ts";
import { openSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { createSatchel, type Satchel } from "../../support/satchel.ts";
import { postgresqlUrl } from "../../support/servers.ts";
import { type MerchantSite, openMerchantSite } from "./merchant-site.ts";

const PRODUCTS = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`/p/${n}`, { title: `Juniper tray ${n}` }]));

let sandbox: TestSandbox;
let satchel: Satchel;
let site: MerchantSite;
beforeEach(async () => {
  [sandbox, site] = await Promise.all([openSandbox(["base-sepolia"]), openMerchantSite(PRODUCTS)]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
}, 120_000);
afterEach(async () => {
  await satchel?.remove();
  await sandbox?.stop();
  await site?.stop();
});

it("continues the catalogue of a merchant after kill -9 between two of its pages", async () => {
  const facts = { name: site.host, country: "GB", currency: "GBP", rail: "worker", taxPolicy: "included" } as const;
  const lists = { shipsTo: [], supportsPickup: false, checkoutOrigins: [], cardFrameOrigins: null };
  const payer = await satchel.payer();
  await satchel.withDatabase((db) =>
    savePool(db, [{ url: site.url, ...facts, ...lists, isTest: true, logoUrl: null, onboarded: false }]),
  );
  // The merchant never responds with the fourth page.
  site.intercept = (request) => request.url === "/p/4";
  const first = await satchel.start();
  await expect.poll(() => site.requested.includes("/p/4"), { timeout: 60_000 }).toBe(true);
  await first.kill();
  site.intercept = null;
  await satchel.withDatabase(async ({ prisma }) => {
    const where = { host: site.host };
    expect(await prisma.catalogueIndex.findUnique({ where })).toMatchObject({
      status: "reading",
      readAt: null,
      pass: 1,
    });
    expect(await prisma.indexedProduct.count({ where: { index: where } })).toBe(3);
    // The killed node's lease would expire after a minute. It is set to expire immediately.
    await prisma.catalogueIndex.update({ where, data: { leasedUntil: new Date(0) } });
  });
  const second = await satchel.start();
  const search = async () => {
    const url = `${second.baseUrl}/api/autofill/products/search?q=juniper&country=GB`;
    const response = await fetch(url, { headers: { "x-service-token": payer.token } });
    return (await response.json()).products?.length;
  };
  await expect.poll(search, { timeout: 60_000 }).toBe(5);
  for (const page of ["/p/1", "/p/2", "/p/3"]) {
    expect(site.requested.filter((path) => path === page)).toHaveLength(1);
  }
  expect(await second.stop()).toBe(0);
}, 120_000);
