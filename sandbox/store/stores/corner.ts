import { product, type Store } from "../definition.ts";

const VENDOR = "Corner Bakery";

/** Australian bakery: pickup only, with a minimum order of 15 AUD. */
export const corner: Store = {
  name: "corner",
  title: VENDOR,
  slogan: "Bread, every day but Monday",
  kind: "shopify",
  country: "AU",
  currency: "AUD",
  colour: "#a8431f",
  shipsTo: ["AU"],
  markets: {},
  tax: { kind: "included", basisPoints: 1_000 },
  rates: [],
  pickups: [
    {
      handle: "fitzroy",
      name: "Corner Bakery Fitzroy",
      address: "88 Gertrude St, Fitzroy VIC 3065",
      readyIn: "3 hours",
    },
    { handle: "carlton", name: "Corner Bakery Carlton", address: "310 Lygon St, Carlton VIC 3053", readyIn: "5 hours" },
  ],
  minimumMinor: 1_500,
  checkout: { pages: "single", card: "standard" },
  products: [
    product(
      75001,
      VENDOR,
      { title: "Sourdough loaf", description: "900 g, two days in the making.", productType: "Bread", tags: ["bread"] },
      [{ sku: "LOAF", priceMinor: 950 }],
    ),
    product(
      75002,
      VENDOR,
      { title: "Celebration cake", description: "Almond and orange, for ten.", productType: "Cakes", tags: ["cake"] },
      [{ sku: "CAKE", priceMinor: 6_800 }],
    ),
  ],
};
