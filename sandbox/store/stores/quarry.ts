import { product, type Store } from "../definition.ts";

const VENDOR = "Quarry Tools";

/** American tool store without an API: multi-page checkout, tax added at checkout. */
export const quarry: Store = {
  name: "quarry",
  title: VENDOR,
  slogan: "Hand tools that last",
  kind: "worker",
  country: "US",
  currency: "USD",
  colour: "#3b4a3f",
  shipsTo: ["US"],
  markets: {},
  tax: { kind: "added", basisPoints: { "US-CA": 825, "US-OR": 0, US: 700 } },
  rates: [
    { code: "POST", title: "Parcel post", description: "5 to 8 days", countries: ["US"], amountMinor: 750 },
    { code: "FAST", title: "Priority", description: "2 to 3 days", countries: ["US"], amountMinor: 1_450 },
  ],
  pickups: [],
  checkout: { pages: "multi", card: "split-expiry" },
  products: [
    product(
      76001,
      VENDOR,
      { title: "Stone hammer", description: "Two pounds, hickory handle.", productType: "Hammers", tags: ["hammer"] },
      [{ sku: "HAM-2", priceMinor: 4_200 }],
    ),
    product(
      76002,
      VENDOR,
      { title: "Cold chisel", description: "Forged steel.", productType: "Chisels", tags: ["chisel", "steel"] },
      [
        { sku: "CHI-12", options: [{ name: "Width", value: "1/2 in" }], priceMinor: 1_650 },
        { sku: "CHI-34", options: [{ name: "Width", value: "3/4 in" }], priceMinor: 1_950, stock: 0 },
      ],
    ),
  ],
};
