import { product, type Store } from "../definition.ts";

const VENDOR = "Harbour Outfitters";
const size = (value: string, colour: string) => [
  { name: "Size", value },
  { name: "Colour", value: colour },
];

/** British clothing store: tax included, several rates, pickup locations, two of which have similar names. */
export const harbour: Store = {
  name: "harbour",
  title: VENDOR,
  slogan: "Clothes for weather",
  kind: "shopify",
  country: "GB",
  currency: "GBP",
  colour: "#1d4e6b",
  shipsTo: ["GB", "IE", "FR", "US"],
  markets: {
    IE: { currency: "EUR", factor: [6, 5] },
    FR: { currency: "EUR", factor: [6, 5] },
    US: { currency: "USD", factor: [13, 10] },
  },
  tax: { kind: "included", basisPoints: 2_000 },
  rates: [
    {
      code: "STANDARD",
      title: "Standard",
      description: "3 to 5 working days",
      countries: ["GB"],
      amountMinor: 395,
      freeFromMinor: 10_000,
    },
    {
      code: "EXPRESS",
      title: "Next day",
      description: "Next working day",
      countries: ["GB"],
      amountMinor: 795,
      isCarrierRate: true,
    },
    {
      code: "TRACKED",
      title: "Tracked international",
      description: "5 to 10 working days",
      countries: ["IE", "FR", "US"],
      amountMinor: 1_495,
      isCarrierRate: true,
    },
  ],
  pickups: [
    { handle: "leith-shore", name: "Harbour Leith Shore", address: "12 Shore, Edinburgh EH6 6QN", readyIn: "2 hours" },
    {
      handle: "leith-walk",
      name: "Harbour Leith Walk",
      address: "201 Leith Walk, Edinburgh EH6 8NX",
      readyIn: "24 hours",
      without: ["fisherman-jumper"],
    },
    { handle: "glasgow", name: "Harbour Glasgow", address: "40 Candleriggs, Glasgow G1 1LE", readyIn: "2 hours" },
  ],
  discounts: [
    { kind: "lines", title: "Three caps, 10 % off", handle: "waxed-cap", fromQuantity: 3, basisPoints: 1_000 },
    { kind: "order", title: "20 off 500", fromMinor: 50_000, amountMinor: 2_000 },
    { kind: "delivery", title: "Any delivery free from 600", fromMinor: 60_000 },
  ],
  checkout: { pages: "multi", card: "standard" },
  products: [
    product(
      71001,
      VENDOR,
      {
        title: "Fisherman jumper",
        description: "Heavy wool, knitted in one piece. It is warm when wet.",
        productType: "Jumpers",
        tags: ["wool", "winter", "jumper"],
      },
      [
        { sku: "FJ-S-NAVY", options: size("S", "Navy"), priceMinor: 8_950, stock: 40 },
        { sku: "FJ-M-NAVY", options: size("M", "Navy"), priceMinor: 8_950, stock: 2 },
        { sku: "FJ-L-NAVY", options: size("L", "Navy"), priceMinor: 8_950, stock: 0 },
        { sku: "FJ-M-OAT", options: size("M", "Oat"), priceMinor: 9_450, compareAtMinor: 11_000, stock: 25 },
      ],
    ),
    product(
      71002,
      VENDOR,
      {
        title: "Waxed cap",
        description: "Waxed cotton, lined. One size, with a strap.",
        productType: "Hats",
        tags: ["cotton", "hat", "rain"],
      },
      [{ sku: "WC-1", priceMinor: 2_495 }],
    ),
    product(
      71003,
      VENDOR,
      {
        title: "Wool socks",
        description: "Two pairs of thick socks.",
        productType: "Socks",
        tags: ["wool", "winter", "socks"],
      },
      [
        { sku: "SO-M", options: [{ name: "Size", value: "4-7" }], priceMinor: 1_250 },
        { sku: "SO-L", options: [{ name: "Size", value: "8-11" }], priceMinor: 1_250 },
      ],
    ),
    product(
      71004,
      VENDOR,
      { title: "Gift card", description: "Sent by email at once.", productType: "Gift cards", tags: ["gift"] },
      [
        {
          sku: "GC-25",
          options: [{ name: "Value", value: "25" }],
          priceMinor: 2_500,
          requiresShipping: false,
          taxable: false,
        },
        {
          sku: "GC-50",
          options: [{ name: "Value", value: "50" }],
          priceMinor: 5_000,
          requiresShipping: false,
          taxable: false,
        },
      ],
    ),
  ],
};
