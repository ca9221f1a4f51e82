/** A purchase at every sandbox store, from cart to confirmation. */
import { beforeAll, describe, expect, it } from "vitest";
import { type DriveOptions, HOME, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await openWorkerFixture();
});

const shipping = (title: string, amountMinor: number) =>
  ({ type: "shipping", title, amountMinor, pickupLocation: null }) as const;
const pickup = (name: string) =>
  ({ type: "pickup", title: name, amountMinor: 0, pickupLocation: { id: name, name, address: null } }) as const;
const LOS_ANGELES = {
  ...HOME,
  address1: "1 Main St",
  city: "Los Angeles",
  provinceCode: "CA",
  postalCode: "90012",
  countryCode: "US",
};
const TOKYO = {
  ...HOME,
  address1: "1-1 Chiyoda",
  city: "Tokyo",
  provinceCode: "JP-13",
  postalCode: "100-0001",
  countryCode: "JP",
};
const KUWAIT = {
  ...HOME,
  address1: "Block 5",
  city: "Kuwait City",
  provinceCode: "KU",
  postalCode: "",
  countryCode: "KW",
};

const ORDERS: readonly (DriveOptions & { readonly name: string; readonly chargedMinor: number })[] = [
  {
    name: "harbour, sent",
    store: "harbour",
    cartPath: "/cart/710021:1",
    amountMinor: 2_890,
    chargedMinor: 2_890,
    currency: "GBP",
    fulfillment: shipping("Standard", 395),
  },
  {
    name: "harbour, with automatic discounts on lines, order and delivery",
    store: "harbour",
    cartPath: "/cart/710021:27",
    amountMinor: 58_628,
    chargedMinor: 58_628,
    currency: "GBP",
    fulfillment: shipping("Next day", 795),
  },
  {
    name: "harbour, collected",
    store: "harbour",
    cartPath: "/cart/710021:1",
    amountMinor: 2_495,
    chargedMinor: 2_495,
    currency: "GBP",
    deliverTo: null,
    fulfillment: pickup("Harbour Glasgow"),
  },
  {
    name: "harbour, by email",
    store: "harbour",
    cartPath: "/cart/710041:1",
    amountMinor: 2_500,
    chargedMinor: 2_500,
    currency: "GBP",
    fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
  },
  {
    name: "harbour, abroad",
    store: "harbour",
    cartPath: "/cart/710021:1",
    amountMinor: 5_188,
    chargedMinor: 5_188,
    currency: "USD",
    deliverTo: LOS_ANGELES,
    fulfillment: shipping("Tracked international", 1_944),
  },
  {
    name: "maple",
    store: "maple",
    cartPath: "/cart/720031:2",
    amountMinor: 4_500,
    chargedMinor: 4_062,
    currency: "USD",
    deliverTo: LOS_ANGELES,
    fulfillment: shipping("Two-day air", 1_899),
  },
  {
    name: "kissa",
    store: "kissa",
    cartPath: "/cart/730012:1",
    amountMinor: 3_300,
    chargedMinor: 3_300,
    currency: "JPY",
    deliverTo: TOKYO,
    fulfillment: shipping("Yamato", 600),
  },
  {
    name: "souk",
    store: "souk",
    cartPath: "/cart/740011:1,740021:1",
    amountMinor: 5_280,
    chargedMinor: 5_280,
    currency: "KWD",
    deliverTo: KUWAIT,
    fulfillment: shipping("Courier", 1_250),
  },
  {
    name: "corner",
    store: "corner",
    cartPath: "/cart/750011:2",
    amountMinor: 1_900,
    chargedMinor: 1_900,
    currency: "AUD",
    deliverTo: null,
    fulfillment: pickup("Corner Bakery Carlton"),
  },
  {
    name: "quarry",
    store: "quarry",
    items: [
      { sku: "CHI-12", quantity: 2, title: "Cold chisel", variantTitle: "1/2 in", productUrl: "/item/cold-chisel" },
    ],
    amountMinor: 5_000,
    chargedMinor: 4_322,
    currency: "USD",
    deliverTo: LOS_ANGELES,
  },
  {
    name: "bindery",
    store: "bindery",
    items: [
      {
        sku: "NB-RULED",
        quantity: 1,
        title: "Sewn notebook",
        variantTitle: "Ruled",
        productUrl: "/item/sewn-notebook?variant=770012",
      },
      { sku: "BF-16", quantity: 3, title: "Bone folder", variantTitle: null, productUrl: "/item/bone-folder" },
    ],
    amountMinor: 6_000,
    chargedMinor: 4_475,
    currency: "GBP",
  },
];

describe.concurrent("every sandbox store accepts an order", () => {
  it.each(ORDERS)("$name", async (order) => {
    const { result, calls, charges } = await fixture.drive(order);
    expect(result).toMatchObject({
      cause: "confirmed",
      confirmation: {
        orderNumber: charges[0]?.orderNumber,
        amountChargedMinor: order.chargedMinor,
        currency: order.currency,
      },
    });
    expect(charges).toMatchObject([{ amountMinor: order.chargedMinor, currency: order.currency, attempts: 1 }]);
    expect(calls).toEqual(["card", "submitting"]);
  });
});
