import { product, type Store } from "../definition.ts";

const VENDOR = "Maple & Pine";

/** More variants than one page of the Storefront API. */
const PAINTS = ["Matt", "Satin", "Gloss"].flatMap((finish) =>
  Array.from({ length: 100 }, (_, at) => {
    const number = String(at + 1).padStart(3, "0");
    const options = [
      { name: "Finish", value: finish },
      { name: "Number", value: number },
    ];
    return { sku: `MP-${finish.toUpperCase()}-${number}`, options, priceMinor: 450, stock: at === 0 ? 0 : 20 };
  }),
);

/** American home goods store: tax added at checkout by state, own currencies for Canada and the United Kingdom. */
export const maple: Store = {
  name: "maple",
  title: VENDOR,
  slogan: "Things made of wood and wool",
  kind: "shopify",
  country: "US",
  currency: "USD",
  colour: "#7a3b1d",
  shipsTo: ["US", "CA", "GB"],
  markets: { CA: { currency: "CAD", factor: [137, 100] }, GB: { currency: "GBP", factor: [4, 5] } },
  tax: {
    kind: "added",
    basisPoints: { "US-CA": 825, "US-NY": 888, "US-OR": 0, US: 600, "CA-ON": 1_300, CA: 500, GB: 0 },
  },
  rates: [
    {
      code: "GROUND",
      title: "Ground",
      description: "4 to 7 business days",
      countries: ["US"],
      amountMinor: 599,
      freeFromMinor: 7_500,
    },
    {
      code: "TWO_DAY",
      title: "Two-day air",
      description: "2 business days",
      countries: ["US"],
      amountMinor: 1_899,
      isCarrierRate: true,
    },
    {
      code: "INTL",
      title: "International",
      description: "8 to 14 business days",
      countries: ["CA", "GB"],
      amountMinor: 2_400,
      isCarrierRate: true,
    },
  ],
  pickups: [
    {
      handle: "portland",
      name: "Maple & Pine Portland",
      address: "811 NW 23rd Ave, Portland OR 97210",
      readyIn: "4 hours",
    },
  ],
  checkout: { pages: "single", card: "split-expiry" },
  products: [
    product(
      72001,
      VENDOR,
      {
        title: "Wool blanket",
        description: "Woven in Oregon. 50 by 70 inches.",
        productType: "Blankets",
        tags: ["wool", "winter", "home"],
      },
      [
        { sku: "WB-GREY", options: [{ name: "Colour", value: "Grey" }], priceMinor: 12_900 },
        { sku: "WB-RUST", options: [{ name: "Colour", value: "Rust" }], priceMinor: 12_900, stock: 0 },
      ],
    ),
    product(
      72002,
      VENDOR,
      {
        title: "Maple cutting board",
        description: "End grain, oiled. 12 by 18 inches.",
        productType: "Kitchen",
        tags: ["wood", "kitchen"],
      },
      [{ sku: "CB-12", priceMinor: 6_450, compareAtMinor: 7_200 }],
    ),
    product(
      72003,
      VENDOR,
      { title: "Wooden spoon", description: "Cherry wood.", productType: "Kitchen", tags: ["wood", "kitchen"] },
      [
        { sku: "SP-10", options: [{ name: "Length", value: "10 in" }], priceMinor: 999 },
        { sku: "SP-14", options: [{ name: "Length", value: "14 in" }], priceMinor: 1_299 },
      ],
    ),
    product(
      72900,
      VENDOR,
      {
        title: "Milk paint sample",
        description: "30 ml, for one square foot.",
        productType: "Paint",
        tags: ["paint", "home"],
      },
      PAINTS,
    ),
    product(
      72004,
      VENDOR,
      { title: "Wool socks", description: "One pair of camp socks.", productType: "Socks", tags: ["wool", "socks"] },
      [{ sku: "MS-1", priceMinor: 1_800, stock: 500 }],
    ),
  ],
};
