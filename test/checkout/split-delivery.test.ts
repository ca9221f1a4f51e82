/** Pricing of a cart whose items ship apart, at a server that responds as the Storefront API. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PricingDeps } from "../../src/checkout/deps.ts";
import type { MerchantView } from "../../src/checkout/merchants/merchants.ts";
import type { CartRequest } from "../../src/checkout/order-request.ts";
import { priceCart } from "../../src/checkout/quote/price-cart.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";

const gbp = (amount: string) => ({ amount, currencyCode: "GBP" });
const HOME = checkShipTo({
  ...{ firstName: "Ada", lastName: "Lovelace", address1: "12 St James's Square", city: "London" },
  ...{ postalCode: "SW1Y 4JH", countryCode: "GB" },
});
const ITEMS = ["1", "2"].map((sku) => ({ sku, quantity: 1 }));

type Rate = readonly [title: string, amount: string];
/** Rates of each delivery group. */
let groups: readonly (readonly Rate[])[] = [];
/** Total of the cart once its delivery is selected. */
let total = "0.00";
let selections: { deliveryGroupId: string; deliveryOptionHandle: string }[][] = [];

const gid = (number: string) => `gid://shopify/ProductVariant/${number}`;
const createVariant = (number: string) => ({
  ...{ id: gid(number), sku: null, title: "Default Title", availableForSale: true, requiresShipping: true },
  ...{ price: gbp("10.00"), selectedOptions: [] },
  product: { id: `gid://shopify/Product/${number}`, handle: `product-${number}`, title: `Product ${number}` },
});
const createLine = (number: string) => ({
  ...{ id: `gid://shopify/CartLine/${number}`, quantity: 1 },
  ...{ cost: { subtotalAmount: gbp("10.00"), totalAmount: gbp("10.00") }, merchandise: createVariant(number) },
});

/** Responds to the operations of a quote. */
function respond({ query, variables }: { query: string; variables: Record<string, never> }): object {
  const operation = /^(?:query|mutation) (\w+)/.exec(query)?.[1];
  if (operation === "Variants") return { nodes: ["1", "2"].map(createVariant) };
  if (operation === "CartCreate") {
    const cost = { subtotalAmount: gbp("20.00"), totalAmount: gbp("20.00") };
    const cart = { id: "gid://shopify/Cart/1?key=1", checkoutUrl: "https://store.example/cart/c/1", cost };
    const lines = { nodes: ["1", "2"].map(createLine) };
    return { cartCreate: { cart: { ...cart, discountAllocations: [], lines }, userErrors: [], warnings: [] } };
  }
  if (operation === "Rates") {
    const nodes = groups.map((rates, group) => ({
      id: `group-${group}`,
      deliveryOptions: rates.map(([title, amount]) => ({
        ...{ handle: `${group}-${title}`, title, code: title, deliveryMethodType: "SHIPPING" },
        estimatedCost: gbp(amount),
      })),
    }));
    return { cart: { deliveryGroups: { nodes } } };
  }
  selections.push(variables["options"] as never);
  const cart = { cost: { totalAmount: gbp(total) }, discountAllocations: [] };
  return { cartSelectedDeliveryOptionsUpdate: { cart, userErrors: [] } };
}

const egress = createEgress({ allowLoopback: true });
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: respond(JSON.parse(Buffer.concat(chunks).toString())) }));
});
let merchant: MerchantView;

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const facts = { id: "mer_1", url, rail: "shopify", currency: "GBP", countryCode: "GB", taxPolicy: "included" };
  merchant = { ...facts, pooledDomain: "store.example", shipsTo: [] } as unknown as MerchantView;
});
beforeEach(() => {
  selections = [];
});
afterAll(async () => {
  await egress.close();
  server.close();
});

async function price(fulfillmentOptionId: string | null = null) {
  const cart = {
    merchantId: "mer_1",
    items: ITEMS,
    fulfillmentOptionId,
    shipTo: null,
    pickup: null,
    constraints: null,
  };
  return await priceCart({ egress } as PricingDeps, cart as CartRequest, { merchant, home: HOME });
}

describe("a cart whose items ship apart", () => {
  it("requires no choice where each group has one option", async () => {
    groups = [[["Standard", "3.95"]], [["Freight", "40.00"]]];
    total = "63.95";
    expect(await price()).toMatchObject({
      ...{ requiresChoice: false, expectedMinor: 6_395, isFinal: true },
      options: [{ title: "Standard + Freight", amountMinor: 4_395 }],
    });
    expect(selections).toEqual([
      [
        { deliveryGroupId: "group-0", deliveryOptionHandle: "0-Standard" },
        { deliveryGroupId: "group-1", deliveryOptionHandle: "1-Freight" },
      ],
    ]);
  });

  it("selects the chosen service in every group", async () => {
    groups = [
      [
        ["Standard", "3.95"],
        ["Next day", "7.95"],
      ],
      [
        ["Standard", "2.95"],
        ["Next day", "9.95"],
      ],
    ];
    total = "37.90";
    const open = await price();
    expect(open).toMatchObject({ requiresChoice: true, expectedMinor: null });
    expect(open.options.map(({ title, amountMinor }) => [title, amountMinor])).toEqual([
      ["Standard", 690],
      ["Next day", 1_790],
    ]);
    const nextDay = open.options.find(({ title }) => title === "Next day");
    expect(await price(nextDay?.id)).toMatchObject({
      selectedOptionId: nextDay?.id,
      expectedMinor: 3_790,
      isFinal: true,
    });
    expect(selections.at(-1)?.map((selection) => selection.deliveryOptionHandle)).toEqual(["0-Next day", "1-Next day"]);
  });

  it("has a ceiling if the cart's total leaves out one group's delivery", async () => {
    groups = [[["Standard", "3.95"]], [["Freight", "40.00"]]];
    total = "23.95";
    expect(await price()).toMatchObject({ expectedMinor: 6_395, isFinal: false });
  });

  it("cannot be served if a group has no options", async () => {
    groups = [[["Standard", "3.95"]], []];
    expect(await price()).toMatchObject({ unfulfillable: { code: "no_rates" }, expectedMinor: null, options: [] });
  });
});
