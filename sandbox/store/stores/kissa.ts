import { product, type Store } from "../definition.ts";

const VENDOR = "Kissa Coffee";

/** Japanese coffee roaster: a currency without minor units, and unmarked checkout fields. */
export const kissa: Store = {
  name: "kissa",
  title: VENDOR,
  slogan: "Roasted on Mondays",
  kind: "shopify",
  country: "JP",
  currency: "JPY",
  colour: "#4a2c20",
  shipsTo: ["JP", "US", "AU"],
  markets: { US: { currency: "USD", factor: [2, 3] }, AU: { currency: "AUD", factor: [1, 1] } },
  tax: { kind: "included", basisPoints: 800 },
  rates: [
    { code: "YAMATO", title: "Yamato", description: "1 to 2 days", countries: ["JP"], amountMinor: 600 },
    {
      code: "EMS",
      title: "EMS",
      description: "5 to 9 days",
      countries: ["US", "AU"],
      amountMinor: 2_400,
      isCarrierRate: true,
    },
  ],
  pickups: [],
  checkout: { pages: "single", card: "unmarked" },
  products: [
    product(
      73001,
      VENDOR,
      {
        title: "House blend",
        description: "Chocolate, walnut, a little smoke.",
        productType: "Coffee",
        tags: ["coffee", "beans"],
      },
      [
        { sku: "HB-200", options: [{ name: "Weight", value: "200 g" }], priceMinor: 1_200 },
        { sku: "HB-500", options: [{ name: "Weight", value: "500 g" }], priceMinor: 2_700 },
      ],
    ),
    product(
      73002,
      VENDOR,
      { title: "Flannel filter", description: "For one to three cups.", productType: "Brewing", tags: ["coffee"] },
      [{ sku: "FF-3", priceMinor: 980 }],
    ),
    product(
      73003,
      VENDOR,
      {
        title: "Pour-over kettle",
        description: "Steel, 0.8 litres.",
        productType: "Brewing",
        tags: ["coffee", "steel"],
      },
      [{ sku: "PK-8", priceMinor: 14_800, stock: 3 }],
    ),
  ],
};
