/** Merchant pages in a real browser: search by name, catalogues, product search, and exploration of unknown merchants. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 15_000 };

let pages: Pages;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  person = await openSignedInPage(pages, (await pages.stack.account()).accountId);
});
afterAll(() => pages?.stop());

const prisma = () => pages.stack.service.deps.db.prisma;
const text = async () => ((await person.page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");
const merchants = () => person.page.getByRole("table", { name: "Merchants, by name" });
const products = () => person.page.getByRole("table", { name: "Results, cheapest first" });
async function find(words: string, country: string) {
  await person.page.getByLabel("Search term").fill(words);
  await person.page.getByLabel("Country").selectOption(country);
  await person.page.getByRole("button", { name: "Search", exact: true }).click();
}

it("lists the supported merchants by name, and shows one", async () => {
  const { page } = person;
  await page.goto("/merchants");
  await merchants().getByText("Harbour Outfitters").waitFor();
  await expect.poll(() => merchants().getByRole("row").count()).toBeGreaterThan(3);
  await page.getByLabel("Search by name or domain").fill("no such merchant");
  await page.getByText("No matching merchants.").waitFor();
  await page.getByLabel("Search by name or domain").fill("harbour");
  await expect.poll(() => merchants().getByRole("row").count()).toBe(2);
  await merchants().getByRole("link", { name: "Harbour Outfitters" }).click();
  await page.getByRole("heading", { name: "Harbour Outfitters" }).waitFor();
  const shown = await text();
  for (const fact of [
    "Sandbox",
    "Country and currencyUnited Kingdom, GBP",
    "TaxIncluded in prices",
    "PickupSupported",
  ]) {
    expect(shown).toContain(fact);
  }
  await find("wool", "GB");
  await products().waitFor(LIVE);
  const titles = await products().getByRole("row").allTextContents();
  expect(titles[0]).toBe("ProductPriceSKU");
  expect(titles.join()).toContain("Wool socks");
  expect(titles.join(), "another merchant's").not.toContain("Wool blanket");
  await checkPage(person, "merchant-search");
  await find("zeppelin", "GB");
  await page.getByText("No products found.").waitFor(LIVE);
  await page.goto("/merchants/mer_none");
  await page.getByRole("heading", { name: "Merchant not found" }).waitFor();
});

it("shows a stored catalogue with prices in the merchant's currency", async () => {
  const id = newId("mer");
  const domain = `${id.toLowerCase()}.example`;
  const merchant = { id, name: "Kiosk", domain, pooledDomain: domain, url: `https://${domain}` };
  const facts = { rail: "worker", currency: "JPY", countryCode: "JP", onboardedAt: new Date() };
  await prisma().merchant.create({ data: { ...merchant, ...facts } });
  const catalogueId = newId("cat");
  await prisma().merchantCatalogue.create({ data: { id: catalogueId, merchantId: id, readAt: new Date() } });
  const entry = { catalogueId, currency: "JPY", productUrl: "https://kiosk.example/1", productId: "1" };
  await prisma().merchantProduct.createMany({
    data: [
      { ...entry, sku: "TEA-1", title: "Green tea", variantTitle: "100 g", priceMinor: 1_250n, available: true },
      { ...entry, sku: "CUP-1", title: "Cup", priceMinor: 3_000n, available: false },
    ],
  });
  const { page } = person;
  await page.goto(`/merchants/${id}`);
  const catalogue = page.getByRole("table", { name: "Catalogue, by name" });
  await catalogue.getByText("1,250 JPY").waitFor();
  expect((await catalogue.getByRole("row").nth(1).textContent()) ?? "").toMatch(/Cup.*3,000 JPY.*Out of stock.*CUP-1/);
  await expect.poll(() => text()).toContain("TaxUnknown. Assumed to be added at checkout");
  await page.getByLabel("Search catalogue").fill("tea 100");
  await expect.poll(() => catalogue.getByRole("row").count()).toBe(2);
  await checkPage(person, "merchant");
  await page.getByLabel("Search catalogue").fill("coffee");
  await page.getByText("No matching products.").waitFor();
});

it("finds products across merchants, and one by its URL", async () => {
  const { page } = person;
  await page.goto("/merchants");
  await find("wool", "GB");
  await products().waitFor(LIVE);
  await expect.poll(() => text()).toMatch(/\d+ merchants were searched\. Prices as shown while browsing/);
  expect((await products().getByRole("row").nth(1).textContent()) ?? "").toMatch(/Wool socks.*Harbour Outfitters.*GBP/);
  await checkPage(person, "merchants");
  const productUrl = (await products().getByRole("link", { name: "Wool socks" }).first().getAttribute("href")) ?? "";
  await find(productUrl, "GB");
  await expect.poll(() => products().getByRole("row").count(), LIVE).toBe(2);
  await expect.poll(() => products().textContent()).toContain("Wool socks");
  await find("zeppelin", "GB");
  await page.getByText("No products found.").waitFor(LIVE);
});

it("links an unknown merchant to its exploration", async () => {
  const { page } = person;
  await page.goto("/merchants");
  await find("sourdough", "AU");
  await products().waitFor(LIVE);
  await checkPage(person, "merchant-unexplored");
  await products()
    .getByRole("button", { name: /^Explore / })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  // The overlay does not cover the scrollbar gutter, where the page background is equally dark.
  expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toMatch(/0\.5/);
  await expect.poll(() => dialog.getByLabel("Intended purchase").inputValue()).toBe("Sourdough loaf");
  const address = dialog.getByLabel("Merchant URL");
  const url = await address.inputValue();
  await address.fill("ftp://merchant.example");
  await dialog.getByRole("button", { name: "Explore" }).click();
  await dialog
    .getByText(/^(?=.*merchantUrl|.*http)/)
    .first()
    .waitFor();
  await address.fill(url);
  await dialog.getByRole("button", { name: "Explore" }).click();
  await page.waitForURL("**/orders/ord_*", LIVE);
  const domain = new URL(url).host;
  // Makes the merchant unknown again after the test.
  const where = { merchant: { pooledDomain: domain } };
  onTestFinished(async () => {
    await prisma().merchantProduct.deleteMany({ where: { catalogue: where } });
    await prisma().merchantCatalogue.deleteMany({ where });
  });
  await expect.poll(() => prisma().merchantCatalogue.count({ where }), LIVE).toBe(1);
});
