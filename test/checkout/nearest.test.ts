import { describe, expect, it } from "vitest";
import { type Candidate, findNearest } from "../../src/checkout/quote/nearest.ts";

const PRODUCTS: readonly (readonly [sku: string, title: string, variant: string | null])[] = [
  ["FJ-S-NAVY", "Fisherman jumper", "S / Navy"],
  ["FJ-M-NAVY", "Fisherman jumper", "M / Navy"],
  ["FJ-M-OAT", "Fisherman jumper", "M / Oat"],
  ["WC-1", "Waxed cap", null],
  ["SO-M", "Wool socks", "4-7"],
  ["WB-GREY", "Wool blanket", "Grey"],
  ["NP-1", "Navy peacoat", null],
];
const candidates = PRODUCTS.map(
  ([merchantSku, title, variantTitle], at): Candidate => ({
    ...{ sku: `gid://shopify/ProductVariant/${at + 1}`, merchantSku, title, variantTitle },
    price: { amountMinor: 1_000, currency: "GBP" },
  }),
);
const readTitle = (requested: string) => {
  const [best] = findNearest(requested, candidates);
  return [best?.title, best?.variantTitle];
};

describe("the nearest product", () => {
  it.each([
    ["socks made of wool", "Wool socks", "4-7"],
    ["jumper fisherman", "Fisherman jumper", "S / Navy"],
    ["oat", "Fisherman jumper", "M / Oat"],
    ["the oat one", "Fisherman jumper", "M / Oat"],
    ["a navy jumper in size M", "Fisherman jumper", "M / Navy"],
    ["wollen blanket grey", "Wool blanket", "Grey"],
    ["waxd cap", "Waxed cap", null],
    ["CAPS", "Waxed cap", null],
    ["fj-m-oat", "Fisherman jumper", "M / Oat"],
    ["navy pea coat", "Navy peacoat", null],
  ])("of %j is %s, %s", (requested, title, variantTitle) => {
    expect(readTitle(requested)).toEqual([title, variantTitle]);
  });

  it("has the score 1 for the merchant's own sku, and less for a word that the product lacks", () => {
    expect(findNearest("so-m", candidates)[0]).toMatchObject({ title: "Wool socks", score: 1 });
    const [whole] = findNearest("wool socks", candidates);
    const [lacking] = findNearest("cashmere wool socks", candidates);
    expect(whole?.score).toBeGreaterThan(lacking?.score ?? 1);
    expect(lacking?.score).toBeGreaterThan(0.5);
  });

  it("is not found by the edit distance of the whole text", () => {
    expect(findNearest("wexod cep", candidates)[0]?.score).toBeLessThan(0.75);
    expect(findNearest("xyzzy", candidates).map(({ score }) => score)).toEqual([0, 0, 0, 0, 0]);
    expect(findNearest("", candidates)).toHaveLength(5);
    expect(findNearest("socks", [])).toEqual([]);
  });
});
