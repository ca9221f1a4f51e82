/** Structured data on merchants' pages, in the forms found in practice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractProducts } from "../../../src/checkout/merchant-pages/extract-products.ts";
import { isTaxIncluded, readPrice } from "../../../src/checkout/merchant-pages/offers.ts";
import { readPage } from "../../../src/checkout/merchant-pages/read-page.ts";

const URL_OF_PAGE = "https://merchant.example/item/mug";
const toScript = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const read = (html: string, url = URL_OF_PAGE) => extractProducts(readPage(html), url);
const createOffer = (more: object) => ({ "@type": "Offer", price: "12.50", priceCurrency: "GBP", ...more });
const createMug = (more: object) =>
  toScript({ "@type": "Product", name: "Mug", sku: "M-1", offers: createOffer({}), ...more });

describe("schema.org data", () => {
  it("yields one product", () => {
    expect(read(createMug({ image: ["/a.jpg", "/b.jpg"] }))).toEqual([
      {
        ...{ sku: "M-1", productId: "/item/mug", title: "Mug", variantTitle: null, priceMinor: 1_250, currency: "GBP" },
        ...{ available: true, imageUrl: "https://merchant.example/a.jpg", productUrl: URL_OF_PAGE },
      },
    ]);
  });

  it("is found in a graph, in a list and in the main entity of a page", () => {
    const product = { "@type": ["Product", "Thing"], name: "Mug", offers: createOffer({}) };
    for (const data of [
      { "@graph": [{ "@type": "WebPage" }, product] },
      [product],
      { "@type": "WebPage", mainEntity: product },
    ]) {
      expect(read(toScript(data)).map(({ title }) => title)).toEqual(["Mug"]);
    }
  });

  it("yields variants of a product group and of several offers", () => {
    const variant = (name: string, sku: string, price: number) => ({
      ...{ "@type": "Product", name, sku, offers: createOffer({ price, url: `/item/mug?v=${sku}` }) },
    });
    const group = { "@type": "ProductGroup", productGroupID: "77", name: "Mug", hasVariant: [] as object[] };
    group.hasVariant = [variant("Mug - Blue / 0.3 l", "B3", 9), variant("Mug - Red", "R", 10.5)];
    expect(read(toScript(group))).toMatchObject([
      { sku: "B3", productId: "77", title: "Mug", variantTitle: "Blue / 0.3 l", priceMinor: 900 },
      { sku: "R", variantTitle: "Red", priceMinor: 1_050, productUrl: "https://merchant.example/item/mug?v=R" },
    ]);
    const offers = [
      createOffer({ sku: "B", name: "Blue" }),
      createOffer({ sku: "R", name: "Red", availability: "OutOfStock" }),
    ];
    expect(read(createMug({ offers }))).toMatchObject([
      { sku: "B", title: "Mug", variantTitle: "Blue", available: true },
      { sku: "R", variantTitle: "Red", available: false },
    ]);
  });

  it("identifies variants by URL when they share one SKU", () => {
    const offers = ["1", "2"].map((v) => createOffer({ sku: "SAME", name: `Size ${v}`, url: `?v=${v}` }));
    expect(read(createMug({ offers })).map(({ sku }) => sku)).toEqual(["/item/mug?v=1", "/item/mug?v=2"]);
    const nameless = ["1", "2"].map((v) => createOffer({ name: `Size ${v}` }));
    expect(read(createMug({ offers: nameless })).map(({ sku }) => sku)).toEqual([
      "/item/mug#Size 1",
      "/item/mug#Size 2",
    ]);
  });

  it("yields one product when it appears twice", () => {
    expect(read(createMug({}) + createMug({})).map(({ sku }) => sku)).toEqual(["M-1"]);
    expect(read(createMug({}) + createMug({ sku: undefined })).map(({ sku }) => sku)).toEqual(["M-1"]);
  });

  it("yields the highest price of an aggregate offer, or the prices of its single offers", () => {
    const summary = { "@type": "AggregateOffer", lowPrice: "3", highPrice: "5", priceCurrency: "GBP" };
    expect(read(createMug({ offers: summary }))).toMatchObject([{ priceMinor: 500 }]);
    expect(read(createMug({ offers: { ...summary, offers: [createOffer({})] } }))).toMatchObject([
      { priceMinor: 1_250 },
    ]);
    const specified = { "@type": "Offer", priceSpecification: [{ price: "7.00", priceCurrency: "gbp" }] };
    expect(read(createMug({ offers: [specified] }))).toMatchObject([{ priceMinor: 700, currency: "GBP" }]);
  });

  it.each([
    ["no price", { offers: { "@type": "Offer", priceCurrency: "GBP" } }],
    ["no currency", { offers: { "@type": "Offer", price: "1" } }],
    ["an invalid currency", { offers: createOffer({ priceCurrency: "QQQ" }) }],
    ["an offer on another site", { offers: createOffer({ url: "https://other.example/mug" }) }],
    ["no name", { name: " " }],
    ["no offers", { offers: [] }],
  ])("yields no product with %s", (_what, more) => {
    expect(read(createMug(more))).toEqual([]);
  });

  it("states whether the price includes tax", () => {
    const readTaxIncluded = (valueAddedTaxIncluded: unknown) =>
      isTaxIncluded([
        { "@type": "Offer", priceSpecification: { "@type": "PriceSpecification", valueAddedTaxIncluded } },
      ]);
    expect([true, "true", false, "false", undefined].map(readTaxIncluded)).toEqual([true, true, false, false, null]);
  });
});

it("reads Open Graph data when there is no other data", () => {
  const html = `<meta property="og:title" content="Tea &amp; cake"><meta property="product:price:amount" content="4,50">
    <meta property="product:price:currency" content="EUR"><meta property="product:availability" content="out of stock">`;
  expect(read(html)).toMatchObject([{ sku: "/item/mug", title: "Tea & cake", priceMinor: 450, available: false }]);
});

it.each([
  ["12.50", "GBP", 1_250],
  ["£1,299.00", "GBP", 129_900],
  ["12,5", "EUR", 1_250],
  ["1500", "JPY", 1_500],
  ["1.250", "KWD", 1_250],
  ["12.505", "GBP", null],
  ["", "GBP", null],
  ["free", "GBP", null],
])("reads the price %j in %s as %s", (written, currency, priceMinor) => {
  expect(readPrice(written, currency)?.priceMinor ?? null).toBe(priceMinor);
});

it("reads a page's language, title and links, and JSON with line breaks in strings", () => {
  const page = readPage(`<html lang="en-GB"><title> A <b>shop</title><a href="/x">Tea &amp; <i>cake</i></a>
    <script type="application/ld+json">{"name": "two
lines"}</script><script type="application/ld+json">{broken</script>`);
  expect(page).toMatchObject({
    lang: "en-GB",
    links: [{ href: "/x", text: "Tea & cake" }],
    linkedData: [{ name: "two lines" }],
  });
});

it("never throws on arbitrary page content", () => {
  const anything = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify({ "@type": "Product", name: value, offers: value })),
  );
  fc.assert(
    fc.property(anything, fc.string(), (json, noise) => {
      for (const { priceMinor, title } of read(`${noise}<script type="application/ld+json">${json}</script>${noise}`)) {
        expect(Number.isSafeInteger(priceMinor) && title.length > 0).toBe(true);
      }
    }),
  );
});
