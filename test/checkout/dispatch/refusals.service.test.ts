/** Rejected dispatches: no order is stored, no card is used and the policy counts nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Buyer, SOCKS } from "./buyer.ts";
import { BABBAGE, type DispatchFixture, openDispatchFixture } from "./dispatch-fixture.ts";

let fixture: DispatchFixture;
let buyer: Buyer;
beforeAll(async () => {
  fixture = await openDispatchFixture();
  buyer = await fixture.openBuyer();
  await buyer.signPolicy();
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;

/** Dispatches and asserts that no order is stored and the policy counts nothing. */
async function dispatchRejected(body: object, by = buyer) {
  const { status, json } = await by.dispatch(body);
  expect(await prisma().checkoutOrder.count({ where: { accountId: by.accountId } })).toBe(0);
  const policy = await prisma().checkoutPolicy.findFirst({ where: { accountId: by.accountId } });
  expect(policy?.dayUsedMinor ?? 0n).toBe(0n);
  return { status, ...json };
}

describe("an invalid body", () => {
  it.each<[string, object, string]>([
    ["without a merchant", { merchant_id: undefined }, "merchant_id"],
    ["without items", { items: [] }, "items"],
    ["with a quantity of zero", { items: [{ sku: SOCKS, quantity: 0 }] }, "items[0].quantity"],
    ["without an amount", { amount_minor: undefined }, "amount_minor"],
    ["with a fractional amount", { amount_minor: 28.95 }, "amount_minor"],
    ["with a negative amount", { amount_minor: -1 }, "amount_minor"],
    ["with an amount of type string", { amount_minor: "2895" }, "amount_minor"],
    ["without the confirmation text", { user_confirmation_text: " " }, "user_confirmation_text"],
    ["without the approval time", { user_approved_at_iso: undefined }, "user_approved_at_iso"],
    ["with an invalid time", { user_approved_at_iso: "yesterday" }, "user_approved_at_iso"],
    [
      "with a time in 1970, from seconds read as milliseconds",
      { user_approved_at_iso: "1970-01-21T18:00:00Z" },
      "user_approved_at_iso",
    ],
    ["with a time long ago", { user_approved_at_iso: "2020-01-01T00:00:00Z" }, "user_approved_at_iso"],
    ["with an empty card id", { card_alias_id: "" }, "card_alias_id"],
    ["with an empty token", { approval_token: "" }, "approval_token"],
    ["with an invalid currency", { currency: "pounds" }, "currency"],
    ["with an unknown card", { card_alias_id: "card_1_x" }, "card_alias_id"],
    ["with an unknown approval token", { approval_token: "satchel_ap_x" }, "approval_token"],
    ["with a malformed fulfilment option", { fulfillment_option_id: "fast" }, "fulfillment_option_id"],
    ["without a required fulfilment choice", { fulfillment_option_id: undefined }, "fulfillment_option_id"],
    ["with text that cannot be stored", { user_prompt: "x\0y" }, "user_prompt"],
  ])("%s", async (_what, change, field) => {
    expect(await dispatchRejected(fixture.createDispatch(change))).toMatchObject({
      status: 400,
      error: "invalid_request",
      field,
    });
  });

  it("is rejected for an incomplete address and an invalid cap", async () => {
    const { postal_code: _gone, ...short } = BABBAGE;
    expect(await dispatchRejected(fixture.createDispatch({ ship_to: short }))).toMatchObject({
      ...{ status: 400, error: "ship_to_invalid", detail: "postal_code" },
    });
    for (const cap of [-1, 1.5, "9"]) {
      const response = await dispatchRejected(fixture.createDispatch({ constraints: { max_shipping_minor: cap } }));
      expect(response).toMatchObject({ status: 400, error: "constraints_invalid" });
    }
  });
});

it("rejects a dispatch with a token restricted to other recipients", async () => {
  const restricted = await fixture.openBuyer();
  await restricted.signPolicy();
  const setRecipientRules = (rules: object) =>
    prisma().apiToken.updateMany({ where: { accountId: restricted.accountId }, data: rules });
  await setRecipientRules({ allowedHosts: ["merchant.example"] });
  expect(await dispatchRejected(fixture.createDispatch(), restricted)).toMatchObject({
    status: 403,
    error: "forbidden",
  });
  await setRecipientRules({ allowedHosts: [], allowedPayees: [`0x${"1".repeat(40)}`] });
  expect(await dispatchRejected(fixture.createDispatch(), restricted)).toMatchObject({
    status: 403,
    error: "forbidden",
  });
  await setRecipientRules({ allowedHosts: [new URL(fixture.findStoreUrl("harbour")).hostname], allowedPayees: [] });
  expect((await restricted.dispatch(fixture.createDispatch())).status).toBe(200);
});

describe("a cart that differs from its quote", () => {
  afterEach(() => fixture.clearFaults("harbour"));

  it("is rejected for an unknown merchant", async () => {
    expect(await dispatchRejected(fixture.createDispatch({ merchant_id: "mer_1_x" }))).toMatchObject({
      status: 404,
      error: "not_found",
    });
  });

  it("is rejected for an unknown item with the nearest matches", async () => {
    const response = await dispatchRejected(fixture.createDispatch({ items: [{ sku: "wool socks" }] }));
    expect(response).toMatchObject({ status: 422, error: "sku_not_found", nearest: expect.any(Array) });
  });

  it.each([
    [{ amount_minor: 2_894 }, 2_895],
    [{ amount_minor: 2_896 }, 2_895],
    [{ currency: "USD" }, 2_895],
    [{ fulfillment_option_id: "fo_AAAAAAAAAAAAAAAAAAAAAA" }, null],
  ])("is rejected as a changed amount for %j", async (change, expected) => {
    expect(await dispatchRejected(fixture.createDispatch(change))).toMatchObject({
      ...{ status: 409, error: "shopify_amount_changed", expected_amount_minor: expected, currency: "GBP" },
    });
  });

  it.each([
    [{ max_total_minor: 2_894 }, "constraint_total_exceeded", 2_894, 2_895],
    [{ max_shipping_minor: 394 }, "constraint_shipping_exceeded", 394, 395],
    [{ max_subtotal_minor: 2_499 }, "constraint_subtotal_exceeded", 2_499, 2_500],
    [{ max_item_minor: 1_249 }, "constraint_item_exceeded", 1_249, 1_250],
  ])("is rejected when %j is exceeded", async (constraints, violation, allowed, found) => {
    expect(await dispatchRejected(fixture.createDispatch({ constraints }))).toMatchObject({
      ...{ status: 409, error: "constraint_violated", violation, allowed_minor: allowed, found_minor: found },
    });
  });

  it("is rejected for an ambiguous or unknown store", async () => {
    const response = await dispatchRejected(
      fixture.createDispatch({ fulfillment_option_id: undefined, pickup_location: "London" }),
    );
    expect(response).toMatchObject({ status: 409, error: "pickup_location_unresolved" });
    expect(response.pickup_resolution.status).not.toBe("resolved");
    const unknownStore = await dispatchRejected(
      fixture.createDispatch({ fulfillment_option_id: undefined, pickup_location: "Atlantis" }),
    );
    expect(unknownStore.pickup_resolution).toMatchObject({ status: "not_found", candidates: expect.any(Array) });
  });

  it("is rejected with both collection and delivery, or with an address at a worker merchant", async () => {
    const both = await dispatchRejected(fixture.createDispatch({ ship_to: BABBAGE, pickup_location: "Leeds" }));
    expect(both).toMatchObject({ status: 409, error: "ship_to_with_pickup" });
    const quarry = await fixture.findMerchantId("quarry");
    await prisma().merchant.update({ where: { id: quarry }, data: { onboardedAt: new Date() } });
    const unsupported = await dispatchRejected(fixture.createDispatch({ merchant_id: quarry, ship_to: BABBAGE }));
    expect(unsupported).toMatchObject({ status: 409, error: "ship_to_unsupported" });
    // The same applies after a quote of the cart, which cannot have had a destination.
    const other = await fixture.openBuyer();
    await other.signPolicy();
    const { merchant_id, items } = fixture.createDispatch() as { merchant_id: string; items: object[] };
    await other.quote({ merchant_id, items });
    const bothAgain = await dispatchRejected(
      fixture.createDispatch({ ship_to: BABBAGE, pickup_location: "Leeds" }),
      other,
    );
    expect(bothAgain).toMatchObject({ status: 409, error: "ship_to_with_pickup" });
  });
});

describe("a destination or caps that differ from the quote", () => {
  it("are rejected without any quote", async () => {
    const other = await fixture.openBuyer();
    await other.signPolicy();
    const elsewhere = await dispatchRejected(fixture.createDispatch({ ship_to: BABBAGE }), other);
    expect(elsewhere).toMatchObject({ status: 409, error: "ship_to_mismatch" });
    const capped = await dispatchRejected(fixture.createDispatch({ constraints: { max_total_minor: 5_000 } }), other);
    expect(capped).toMatchObject({ status: 409, error: "constraint_violated", violation: null });
  });

  it("are rejected with an address field that would be dropped", async () => {
    for (const [name, value] of [
      ["address2", 12],
      ["phone", { home: 1 }],
      ["apartment", "Flat 4"],
    ] as const) {
      const response = await dispatchRejected(fixture.createDispatch({ ship_to: { ...BABBAGE, [name]: value } }));
      expect(response).toMatchObject({ status: 400, error: "ship_to_invalid", detail: name });
    }
  });

  it("are rejected with an approval time in the future", async () => {
    const future = new Date(Date.now() + 600_000).toISOString();
    const response = await dispatchRejected(fixture.createDispatch({ user_approved_at_iso: future }));
    expect(response).toMatchObject({ status: 400, error: "invalid_request", field: "user_approved_at_iso" });
  });

  it("are rejected when they differ by one character or by presence", async () => {
    const other = await fixture.openBuyer();
    await other.signPolicy();
    const { merchant_id, items } = fixture.createDispatch() as { merchant_id: string; items: object[] };
    const caps = { max_total_minor: 5_000 };
    const { json } = await other.quote({ merchant_id, items, ship_to: BABBAGE, constraints: caps });
    const asQuoted = { ship_to: BABBAGE, constraints: caps };
    for (const ship_to of [{ ...BABBAGE, address1: "2 Dorset Street" }, { ...BABBAGE, company: "X" }, undefined]) {
      const response = await dispatchRejected(fixture.createDispatch({ ...asQuoted, ship_to }), other);
      expect(response).toMatchObject({ status: 409, error: "ship_to_mismatch" });
    }
    for (const constraints of [{ max_total_minor: 5_001 }, { ...caps, max_item_minor: 9_000 }, undefined]) {
      const response = await dispatchRejected(fixture.createDispatch({ ...asQuoted, constraints }), other);
      expect(response).toMatchObject({ status: 409, error: "constraint_violated", violation: null });
    }
    const named = { ship_to_sha256: `${json.ship_to_sha256.slice(0, -1)}_` };
    expect(await dispatchRejected(fixture.createDispatch({ ...asQuoted, ...named }), other)).toMatchObject({
      error: "ship_to_mismatch",
    });
    const matching = fixture.createDispatch({ ...asQuoted, ship_to_sha256: json.ship_to_sha256 });
    expect((await other.dispatch(matching)).status).toBe(200);
  });

  it("are rejected when a later quote of the cart to the same address replaced the caps", async () => {
    const other = await fixture.openBuyer();
    await other.signPolicy();
    const { merchant_id, items } = fixture.createDispatch() as { merchant_id: string; items: object[] };
    const quoteWithin = (max_total_minor: number, ship_to = BABBAGE) =>
      other.quote({ merchant_id, items, ship_to, constraints: { max_total_minor } });
    const dispatchWithin = (max_total_minor: number) =>
      fixture.createDispatch({ ship_to: BABBAGE, constraints: { max_total_minor } });
    await quoteWithin(5_000);
    await quoteWithin(3_000);
    await quoteWithin(9_000, { ...BABBAGE, address1: "2 Dorset Street" });
    const replaced = await dispatchRejected(dispatchWithin(5_000), other);
    expect(replaced).toMatchObject({ status: 409, error: "constraint_violated", violation: null });
    await quoteWithin(5_000);
    expect(await dispatchRejected(dispatchWithin(3_000), other)).toMatchObject({ error: "constraint_violated" });
    expect((await other.dispatch(dispatchWithin(5_000))).status).toBe(200);
  });
});

describe("a buyer who cannot pay", () => {
  it("is rejected without a usable card or an email address", async () => {
    const otherBuyer = await fixture.openBuyer();
    const change = (data: object) => prisma().paymentCard.update({ where: { id: otherBuyer.cardId }, data });
    for (const data of [{ status: "disabled" }, { status: "active", expYear: 2020 }]) {
      await change(data);
      expect(await dispatchRejected(fixture.createDispatch(), otherBuyer)).toMatchObject({
        status: 400,
        field: "card_alias_id",
      });
    }
    await change({ status: "active", expYear: 2099 });
    await prisma().account.update({ where: { id: otherBuyer.accountId }, data: { email: null } });
    expect(await dispatchRejected(fixture.createDispatch(), otherBuyer)).toMatchObject({
      status: 400,
      error: "invalid_request",
    });
    await change({ removedAt: new Date(), defaultSlot: null });
    expect(await dispatchRejected(fixture.createDispatch(), otherBuyer)).toMatchObject({
      status: 400,
      field: "card_alias_id",
    });
  });

  it("is rejected without a credential or with another account's card", async () => {
    expect((await fixture.stack.rest(null, "POST", "/api/autofill/dispatch", fixture.createDispatch())).status).toBe(
      401,
    );
    const { cardId } = await fixture.openBuyer();
    expect(await dispatchRejected(fixture.createDispatch({ card_alias_id: cardId }))).toMatchObject({
      field: "card_alias_id",
    });
  });
});
