import { product, type Store } from "../definition.ts";

const VENDOR = "The Bindery";

/** British stationer without an API: single-page checkout, fields without autofill tokens, one pickup location. */
export const bindery: Store = {
  name: "bindery",
  title: VENDOR,
  slogan: "Paper, thread and glue",
  kind: "worker",
  country: "GB",
  currency: "GBP",
  colour: "#5b2a4f",
  shipsTo: ["GB"],
  markets: {},
  tax: { kind: "included", basisPoints: 2_000 },
  rates: [
    { code: "SECOND", title: "Second class", description: "2 to 4 days", countries: ["GB"], amountMinor: 290 },
    { code: "FIRST", title: "First class", description: "1 to 2 days", countries: ["GB"], amountMinor: 440 },
  ],
  pickups: [
    { handle: "counter", name: "Bindery counter", address: "7 Cecil Court, London WC2N 4EZ", readyIn: "1 day" },
  ],
  checkout: { pages: "single", card: "unmarked" },
  products: [
    product(
      77001,
      VENDOR,
      { title: "Sewn notebook", description: "192 pages, lies flat.", productType: "Notebooks", tags: ["paper"] },
      [
        { sku: "NB-PLAIN", options: [{ name: "Paper", value: "Plain" }], priceMinor: 1_800 },
        { sku: "NB-RULED", options: [{ name: "Paper", value: "Ruled" }], priceMinor: 1_800 },
      ],
    ),
    product(
      77002,
      VENDOR,
      { title: "Bone folder", description: "Polished, 16 cm.", productType: "Tools", tags: ["bookbinding"] },
      [{ sku: "BF-16", priceMinor: 795 }],
    ),
  ],
};
