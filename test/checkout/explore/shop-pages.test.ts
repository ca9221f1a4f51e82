/** What shops write for machines, as shops write it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPrice, saysTaxIncluded } from "../../../src/checkout/shop-pages/offers.ts";
import { productsOf } from "../../../src/checkout/shop-pages/products-of.ts";
import { readPage } from "../../../src/checkout/shop-pages/read-page.ts";

const URL_OF_PAGE = "https://shop.example/item/mug";
const linked = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const read = (html: string, url = URL_OF_PAGE) => productsOf(readPage(html), url);
const offer = (more: object) => ({ "@type": "Offer", price: "12.50", priceCurrency: "GBP", ...more });
const mug = (more: object) => linked({ "@type": "Product", name: "Mug", sku: "M-1", offers: offer({}), ...more });

describe("schema.org", () => {
  it("names one product", () => {
    expect(read(mug({ image: ["/a.jpg", "/b.jpg"] }))).toEqual([
      {
        ...{ sku: "M-1", productId: "/item/mug", title: "Mug", variantTitle: null, priceMinor: 1_250, currency: "GBP" },
        ...{ available: true, imageUrl: "https://shop.example/a.jpg", productUrl: URL_OF_PAGE },
      },
    ]);
  });

  it("may stand in a graph, in a list, or in what the page is about", () => {
    const product = { "@type": ["Product", "Thing"], name: "Mug", offers: offer({}) };
    for (const data of [
      { "@graph": [{ "@type": "WebPage" }, product] },
      [product],
      { "@type": "WebPage", mainEntity: product },
    ]) {
      expect(read(linked(data)).map(({ title }) => title)).toEqual(["Mug"]);
    }
  });

  it("names variants as a group, and as offers", () => {
    const variant = (name: string, sku: string, price: number) => ({
      ...{ "@type": "Product", name, sku, offers: offer({ price, url: `/item/mug?v=${sku}` }) },
    });
    const group = { "@type": "ProductGroup", productGroupID: "77", name: "Mug", hasVariant: [] as object[] };
    group.hasVariant = [variant("Mug - Blue / 0.3 l", "B3", 9), variant("Mug - Red", "R", 10.5)];
    expect(read(linked(group))).toMatchObject([
      { sku: "B3", productId: "77", title: "Mug", variantTitle: "Blue / 0.3 l", priceMinor: 900 },
      { sku: "R", variantTitle: "Red", priceMinor: 1_050, productUrl: "https://shop.example/item/mug?v=R" },
    ]);
    const offers = [offer({ sku: "B", name: "Blue" }), offer({ sku: "R", name: "Red", availability: "OutOfStock" })];
    expect(read(mug({ offers }))).toMatchObject([
      { sku: "B", title: "Mug", variantTitle: "Blue", available: true },
      { sku: "R", variantTitle: "Red", available: false },
    ]);
  });

  it("that gives several variants one number leaves them to their addresses", () => {
    const offers = ["1", "2"].map((v) => offer({ sku: "SAME", name: `Size ${v}`, url: `?v=${v}` }));
    expect(read(mug({ offers })).map(({ sku }) => sku)).toEqual(["/item/mug?v=1", "/item/mug?v=2"]);
    const nameless = ["1", "2"].map((v) => offer({ name: `Size ${v}` }));
    expect(read(mug({ offers: nameless })).map(({ sku }) => sku)).toEqual(["/item/mug#Size 1", "/item/mug#Size 2"]);
  });

  it("said twice is one product", () => {
    expect(read(mug({}) + mug({})).map(({ sku }) => sku)).toEqual(["M-1"]);
    expect(read(mug({}) + mug({ sku: undefined })).map(({ sku }) => sku)).toEqual(["M-1"]);
  });

  it("of a summary of prices takes the highest, and of single offers in it those", () => {
    const summary = { "@type": "AggregateOffer", lowPrice: "3", highPrice: "5", priceCurrency: "GBP" };
    expect(read(mug({ offers: summary }))).toMatchObject([{ priceMinor: 500 }]);
    expect(read(mug({ offers: { ...summary, offers: [offer({})] } }))).toMatchObject([{ priceMinor: 1_250 }]);
    const specified = { "@type": "Offer", priceSpecification: [{ price: "7.00", priceCurrency: "gbp" }] };
    expect(read(mug({ offers: [specified] }))).toMatchObject([{ priceMinor: 700, currency: "GBP" }]);
  });

  it.each([
    ["no price", { offers: { "@type": "Offer", priceCurrency: "GBP" } }],
    ["no currency", { offers: { "@type": "Offer", price: "1" } }],
    ["a currency that is none", { offers: offer({ priceCurrency: "QQQ" }) }],
    ["an offer elsewhere", { offers: offer({ url: "https://other.example/mug" }) }],
    ["no name", { name: " " }],
    ["no offers", { offers: [] }],
  ])("is no product with %s", (_what, more) => {
    expect(read(mug(more))).toEqual([]);
  });

  it("says whether tax is in the price", () => {
    const says = (valueAddedTaxIncluded: unknown) =>
      saysTaxIncluded([
        { "@type": "Offer", priceSpecification: { "@type": "PriceSpecification", valueAddedTaxIncluded } },
      ]);
    expect([true, "true", false, "false", undefined].map(says)).toEqual([true, true, false, false, null]);
  });
});

it("Open Graph will do where there is nothing else", () => {
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
])("the price %j in %s is %s", (written, currency, priceMinor) => {
  expect(readPrice(written, currency)?.priceMinor ?? null).toBe(priceMinor);
});

it("reads a page's language, title and links, and JSON that is broken by its lines", () => {
  const page = readPage(`<html lang="en-GB"><title> A <b>shop</title><a href="/x">Tea &amp; <i>cake</i></a>
    <script type="application/ld+json">{"name": "two
lines"}</script><script type="application/ld+json">{broken</script>`);
  expect(page).toMatchObject({
    lang: "en-GB",
    links: [{ href: "/x", text: "Tea & cake" }],
    linkedData: [{ name: "two lines" }],
  });
});

it("comes through whatever a page holds", () => {
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
