import { product, type Store } from "../definition.ts";

const VENDOR = "Souk Saffron";

/** Kuwaiti spice store: a currency with three decimals, and addresses without postal codes. */
export const souk: Store = {
  name: "souk",
  title: VENDOR,
  slogan: "Spices and perfumes",
  kind: "shopify",
  country: "KW",
  currency: "KWD",
  colour: "#8a5a00",
  shipsTo: ["KW", "AE", "GB"],
  markets: { GB: { currency: "GBP", factor: [1, 4] } },
  tax: { kind: "included", basisPoints: 0 },
  rates: [
    { code: "COURIER", title: "Courier", description: "Tomorrow", countries: ["KW"], amountMinor: 1_250 },
    { code: "GULF", title: "Gulf courier", description: "2 to 4 days", countries: ["AE"], amountMinor: 3_500 },
    {
      code: "AIR",
      title: "Air mail",
      description: "6 to 12 days",
      countries: ["GB"],
      amountMinor: 5_750,
      isCarrierRate: true,
    },
  ],
  pickups: [
    { handle: "mubarakiya", name: "Souk Saffron Mubarakiya", address: "Block 5, Kuwait City", readyIn: "1 hour" },
  ],
  checkout: { pages: "multi", card: "split-expiry" },
  products: [
    product(
      74001,
      VENDOR,
      { title: "Saffron", description: "Whole threads.", productType: "Spices", tags: ["spice", "saffron"] },
      [
        { sku: "SA-1", options: [{ name: "Weight", value: "1 g" }], priceMinor: 2_125 },
        { sku: "SA-5", options: [{ name: "Weight", value: "5 g" }], priceMinor: 9_875 },
      ],
    ),
    product(
      74002,
      VENDOR,
      {
        title: "Cardamom coffee",
        description: "Light roast, ground.",
        productType: "Coffee",
        tags: ["coffee", "spice"],
      },
      [{ sku: "CC-250", priceMinor: 1_905 }],
    ),
  ],
};
