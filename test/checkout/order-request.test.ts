/** Parsing of order requests. Digests of stored requests must not change: orders, quotes and approvals are looked up by them. */
import { expect, it } from "vitest";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { priceDispatch } from "../../src/checkout/dispatch/price-dispatch.ts";
import { createOrderTerms, createPurchaseDocument, type Purchase } from "../../src/checkout/dispatch/purchase.ts";
import {
  type OrderInput,
  type OrderRequest,
  parseCartRequest,
  parseOrderRequest,
} from "../../src/checkout/order-request.ts";
import { storeQuotedTerms } from "../../src/checkout/quote/quoted-terms.ts";
import { checkShipTo, toDeliveryAddress } from "../../src/checkout/quote/ship-to.ts";

const LONDON = { city: "London", countryCode: "GB" };
const BABBAGE = { firstName: " Charles ", lastName: "Babbage", address1: "1 Dorset Street", postalCode: "W1U 4EE" };
const LOVELACE = { firstName: "Ada", lastName: "Lovelace", address1: "12 St James's Square", postalCode: "SW1Y 4JH" };
const HOME = toDeliveryAddress(checkShipTo({ ...LOVELACE, ...LONDON }));

const CONFIRMATION = { userConfirmationText: "Yes, order it", userApprovedAt: new Date("2024-11-20T17:29:16Z") };
const DELIVERED = {
  merchantId: "mer_1",
  items: [{ sku: " socks ", quantity: 1 }, { sku: "hat" }, { sku: "socks", quantity: 2 }],
  fulfillmentOptionId: "fo_AAAAAAAAAAAAAAAAAAAAAA",
  shipTo: { ...BABBAGE, ...LONDON },
  constraints: { maxTotalMinor: 5_000, maxItemMinor: null },
  ...{ amountMinor: 2_895, currency: "GBP", cardId: "card_1", ...CONFIRMATION, userPrompt: "Socks, please." },
  ...{ approvalToken: "satchel_ap_x", idempotencyKey: "key" },
} satisfies OrderInput;
const COLLECTED = {
  merchantId: "mer_1",
  items: [{ sku: "hat", quantity: 1 }],
  ...{ fulfillmentOptionId: "", pickupLocation: " Leeds  ", pickupLocationId: "", amountMinor: 2_895 },
  ...{ ...CONFIRMATION, userPrompt: "" },
} satisfies OrderInput;
const UNDELIVERED = {
  ...COLLECTED,
  items: [{ sku: " hat ", quantity: 2 }, { sku: "hat" }],
  pickupLocation: null,
  ...{ constraints: { maxItemMinor: 2_000 }, amountMinor: 6_000 },
} satisfies OrderInput;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Returns the digests of cart, terms and address, as a quote row stores them. */
async function quotedDigests(request: OrderRequest) {
  const rows: unknown[][] = [];
  const db = { query: async (_statement: object, values: unknown[]) => void rows.push(values) };
  await storeQuotedTerms(db as never, "account", request);
  return rows[0]?.slice(1).map((value) => (value instanceof Uint8Array ? hex(value) : value));
}

// Digests of rows that an earlier version of the parser stored. They must never change.
it.each([
  [
    "delivered to another address, within caps",
    DELIVERED,
    "89a69d14e13aa34f60e03086aa07686c7da10a79fde6c203dc95b6a494562e8b",
    "0e15f618f2d3f5702a6064ee48f105ecea93564c410450f7820b9da1f70180c4",
    "eeb1c0fc7c760c353531eae24e816276d616d586de03d0f2a30f52c594d8d395",
    "6b267954054745a70baafb34c69c8d3fb15fe25fadbe5f7b7fc7f4bbe6f516a6",
  ],
  [
    "collected, with empty texts",
    COLLECTED,
    "e11f9e90e563a01bab1da732819e94c888d6e1987bdf6973a96616909e944608",
    "11308e1bb34d6552a874f79407ab91e458e711d9b399520c9a7722071cbba778",
    "dce650b16a419991ecf6ca014a2b92207a6a80c0e452fd8baa0572bbd4f1a676",
    null,
  ],
  [
    "with one cap",
    UNDELIVERED,
    "65242ac28b47a367e60254e8f05c7b4ea58c5af8d68e0200cb898c6027aba12d",
    "0316a939389032a7e08b4eb9fead1c5d1e96dcb4030f225a789034cec2493668",
    "f4a7ef195afc399cc7f833194675be520548e997ab18d89d669bd4adde715983",
    null,
  ],
])(
  "an order %s has stable digests of its dispatch, cart, terms and address",
  async (_what, input, dispatch, ...quoted) => {
    const request = parseOrderRequest(input);
    expect(hex(request.dispatchSha256)).toBe(dispatch);
    expect(await quotedDigests(request)).toEqual(quoted);
  },
);

it("excludes approval token, idempotency key and compared digest from an order's identity", () => {
  const { approvalToken: _token, idempotencyKey: _key, ...rest } = DELIVERED;
  const { shipTo, dispatchSha256 } = parseOrderRequest(DELIVERED);
  const named = parseOrderRequest({ ...rest, shipToSha256: shipTo?.sha256.toUpperCase() });
  expect(named).toMatchObject({ approvalToken: null, idempotencyKey: null });
  expect(hex(named.dispatchSha256)).toBe(hex(dispatchSha256));
  for (const change of [{ amountMinor: 2_896 }, { userPrompt: "Hats" }, { cardId: null }, { pickupLocation: " " }]) {
    expect(hex(parseOrderRequest({ ...DELIVERED, ...change }).dispatchSha256)).not.toBe(hex(dispatchSha256));
  }
});

it("parses a quote and its order to the same cart", () => {
  const { pickupLocation: _location, pickupLocationId: _id, ...order } = parseOrderRequest(DELIVERED);
  const cart = parseCartRequest(DELIVERED);
  expect(order).toMatchObject(cart);
  expect(cart).toEqual({
    merchantId: "mer_1",
    items: [
      { sku: "socks", quantity: 3 },
      { sku: "hat", quantity: 1 },
    ],
    fulfillmentOptionId: "fo_AAAAAAAAAAAAAAAAAAAAAA",
    pickup: null,
    shipTo: {
      address: {
        ...{ ...BABBAGE, ...LONDON, firstName: "Charles" },
        ...{ company: null, address2: null, provinceCode: null, phone: null },
      },
      sha256: "6b267954054745a70baafb34c69c8d3fb15fe25fadbe5f7b7fc7f4bbe6f516a6",
      echo: { recipient: "C. B.", city: "London", provinceCode: null, postalCodePrefix: "W1U", countryCode: "GB" },
    },
    constraints: { maxTotalMinor: 5_000, maxShippingMinor: null, maxSubtotalMinor: null, maxItemMinor: null },
  });
});

it("trims a store name, stores it as sent and treats blanks as absent", () => {
  const collected = parseOrderRequest(COLLECTED);
  expect(collected).toMatchObject({ pickup: { name: "Leeds", locationId: null }, pickupLocation: " Leeds  " });
  expect(collected).toMatchObject({ fulfillmentOptionId: null, pickupLocationId: null, userPrompt: null });
  expect(parseOrderRequest({ ...COLLECTED, pickupLocationId: "l1" }).pickup).toEqual({
    name: "Leeds",
    locationId: "l1",
  });
  for (const none of [{ pickupLocation: "  " }, { pickupLocation: null }]) {
    expect(parseOrderRequest({ ...COLLECTED, ...none }).pickup).toBeNull();
    expect(parseCartRequest({ ...COLLECTED, ...none }).pickup).toBeNull();
  }
});

function readFailure(input: OrderInput): string {
  try {
    parseOrderRequest(input);
  } catch (error) {
    const { code, field, detail } = error as { code: string; field?: string; detail?: string };
    return [code, field ?? detail ?? ""].join(" ").trim();
  }
  return "accepted";
}

it("names the first invalid field in the order of the checks", () => {
  const long = "x".repeat(10_001);
  const allWrong = {
    ...{ merchantId: "mer_1", items: [], amountMinor: 0.5, currency: "XXQ", cardId: "", approvalToken: "" },
    ...{ userConfirmationText: long, userApprovedAt: new Date(8e15), userPrompt: long, fulfillmentOptionId: long },
    ...{ pickupLocation: "\0", pickupLocationId: long, shipToSha256: long },
    shipTo: { ...DELIVERED.shipTo, phone: "?" },
    constraints: { maxFee: 1 },
  };
  const corrections: readonly (readonly [failure: string, correction: Partial<OrderInput>])[] = [
    ["invalid_request amountMinor", { amountMinor: 1 }],
    ["invalid_request userConfirmationText", { userConfirmationText: " " }],
    ["invalid_request userConfirmationText", { userConfirmationText: "Yes" }],
    ["invalid_request userApprovedAt", { userApprovedAt: new Date(0) }],
    ["invalid_request userApprovedAt", { userApprovedAt: new Date() }],
    ["invalid_request cardId", { cardId: long }],
    ["invalid_request approvalToken", { approvalToken: null }],
    ["invalid_request items", { items: [{ sku: " " }] }],
    ["invalid_request items[0].sku", { items: [{ sku: "hat", quantity: 0 }] }],
    ["invalid_request items[0].quantity", { items: [{ sku: "hat" }] }],
    ["invalid_request currency", { currency: null }],
    ["invalid_request cardId", { cardId: "card_1" }],
    ["invalid_request userPrompt", { userPrompt: null }],
    ["invalid_request fulfillmentOptionId", { fulfillmentOptionId: null }],
    ["invalid_request pickupLocation", { pickupLocation: null }],
    ["invalid_request pickupLocationId", { pickupLocationId: null }],
    ["ship_to_invalid phone", { shipTo: DELIVERED.shipTo }],
    ["constraints_invalid constraints.maxFee", { constraints: null }],
    ["invalid_request shipToSha256", { shipToSha256: "0".repeat(64) }],
    ["ship_to_mismatch", { shipToSha256: null }],
  ];
  let input: OrderInput = allWrong;
  for (const [failure, correction] of corrections) {
    expect(readFailure(input)).toBe(failure);
    input = { ...input, ...correction };
  }
  expect(readFailure(input)).toBe("accepted");
});

it("reports errors of a cart in the order address, caps, items", () => {
  const cart = { ...DELIVERED, items: [], shipTo: {}, constraints: { maxItemMinor: -1 } };
  expect(() => parseCartRequest(cart)).toThrow(expect.objectContaining({ code: "ship_to_invalid" }));
  expect(() => parseCartRequest({ ...cart, shipTo: null })).toThrow(
    expect.objectContaining({ code: "constraints_invalid" }),
  );
  expect(() => parseCartRequest({ ...cart, shipTo: null, constraints: null })).toThrow(
    expect.objectContaining({ code: "invalid_request", field: "items" }),
  );
});

it("stored, mandated and signed documents of a purchase have stable digests", async () => {
  const merchant = {
    ...{ id: "mer_1", name: "Quarry", domain: "quarry.example", url: "https://quarry.example", rail: "worker" },
    ...{ currency: "GBP", countryCode: "GB", isTest: true, pooledDomain: null },
  };
  const hat = { sku: "hat", productId: "p1", title: "Hat", variantTitle: "Red", priceMinor: 1_000n, currency: "GBP" };
  const product = { ...hat, available: true, imageUrl: null, productUrl: "https://quarry.example/hat" };
  const checkoutOrder = { findUnique: async () => null };
  const deps = { db: { prisma: { merchantProduct: { findMany: async () => [product] }, checkoutOrder } } };
  const request = parseOrderRequest(UNDELIVERED);
  const parties = { merchant, home: HOME.address };
  const quote = await priceDispatch(deps as never, request, parties as never);
  const card = { id: "card_1", brand: "visa", last4: "4242" };
  const purchase = {
    ...{ request, merchant, quote, deliverTo: HOME, viewer: { accountId: "account" } },
    cardEntry: { pageOrigins: ["https://quarry.example"], frameOrigins: null },
    cardholder: { card, home: HOME, agentId: "agt_1", requesterName: "agent" },
  } as unknown as Purchase;
  const quoteSha256 = "01ab06153340e22f4b44a765bddfaaa51852f693b91e067f630833d295678049";
  expect(quote.snapshotSha256).toBe(quoteSha256);
  expect(hex(canonicalDigest(createPurchaseDocument(purchase)))).toBe(
    "ffa0fcdc14ce9b72ad4fa135130a6184d832b7f8b590b6882030afdf771340f0",
  );
  expect(createOrderTerms("ord_1", purchase)).toEqual({
    id: "ord_1",
    accountId: "account",
    dispatchSha256: request.dispatchSha256,
    request: {
      items: [{ sku: "hat", quantity: 3 }],
      ...{ fulfillmentOptionId: null, pickupLocation: null, pickupLocationId: null, agentId: "agt_1" },
      constraints: { maxTotalMinor: null, maxShippingMinor: null, maxSubtotalMinor: null, maxItemMinor: 2_000 },
    },
    amountMinor: 6_000n,
    amountIsFinal: false,
    currency: "GBP",
    quoteSha256,
    shipToSha256: null,
  });
});

it("the document of a purchase to another address has a stable digest, and the order stores the address digest", () => {
  const request = parseOrderRequest(DELIVERED);
  const line = { sku: "socks", title: "Socks", variantTitle: null, quantity: 3, totalMinor: 1_500 };
  const option = { type: "shipping", title: "Standard", amountMinor: 395, location: null };
  const purchase = {
    ...{ request, deliverTo: request.shipTo, viewer: { accountId: "account" } },
    merchant: {
      id: "mer_1",
      name: "Harbour",
      domain: "harbour.example",
      isTest: true,
      pooledDomain: "harbour.example",
    },
    quote: { lines: [line], option, isFinal: true, currency: "GBP" },
    cardEntry: { pageOrigins: ["https://harbour.example"], frameOrigins: ["https://pay.example"] },
    cardholder: {
      card: { id: "card_1", brand: "visa", last4: "4242" },
      home: HOME,
      agentId: null,
      requesterName: "agent",
    },
  } as unknown as Purchase;
  expect(hex(canonicalDigest(createPurchaseDocument(purchase)))).toBe(
    "5803e62d8e302e273a18094476888314ae5ace6a0f29a165d524f56472cbf64b",
  );
  expect(createOrderTerms("ord_1", purchase).shipToSha256).toBe(
    "6b267954054745a70baafb34c69c8d3fb15fe25fadbe5f7b7fc7f4bbe6f516a6",
  );
});
