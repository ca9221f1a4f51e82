/** Every reason for which an order is not placed: told before any card is used, with nothing ordered and nothing kept. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Buyer, SOCKS } from "./buyer.ts";
import { BABBAGE, type Desk, openDesk } from "./desk.ts";

let desk: Desk;
let buyer: Buyer;
beforeAll(async () => {
  desk = await openDesk();
  buyer = await desk.openBuyer();
  await buyer.signPolicy();
});
afterAll(() => desk?.stop());

const prisma = () => desk.stack.service.deps.db.prisma;

/** Dispatches, and finds neither an order nor anything counted on the policy. */
async function refused(body: object, by = buyer) {
  const { status, json } = await by.dispatch(body);
  expect(await prisma().checkoutOrder.count({ where: { accountId: by.accountId } })).toBe(0);
  const policy = await prisma().checkoutPolicy.findFirst({ where: { accountId: by.accountId } });
  expect(policy?.dayUsedMinor ?? 0n).toBe(0n);
  return { status, ...json };
}

describe("a body that is not valid", () => {
  it.each<[string, object, string]>([
    ["without a merchant", { merchant_id: undefined }, "merchant_id"],
    ["without items", { items: [] }, "items"],
    ["with a quantity of none", { items: [{ sku: SOCKS, quantity: 0 }] }, "items[0].quantity"],
    ["without an amount", { amount_minor: undefined }, "amount_minor"],
    ["with an amount that is no integer", { amount_minor: 28.95 }, "amount_minor"],
    ["with an amount below nothing", { amount_minor: -1 }, "amount_minor"],
    ["with an amount as text", { amount_minor: "2895" }, "amount_minor"],
    ["without the person's words", { user_confirmation_text: " " }, "user_confirmation_text"],
    ["without the time", { user_approved_at_iso: undefined }, "user_approved_at_iso"],
    ["with a time that is none", { user_approved_at_iso: "yesterday" }, "user_approved_at_iso"],
    [
      "with a time in seconds taken for milliseconds",
      { user_approved_at_iso: "1970-01-21T18:00:00Z" },
      "user_approved_at_iso",
    ],
    ["with an empty card", { card_alias_id: "" }, "card_alias_id"],
    ["with an empty token", { approval_token: "" }, "approval_token"],
    ["with a currency that is none", { currency: "pounds" }, "currency"],
    ["with a card that is not there", { card_alias_id: "card_1_x" }, "card_alias_id"],
    ["with a token that nobody gave", { approval_token: "satchel_ap_x" }, "approval_token"],
    ["with a delivery that is none", { fulfillment_option_id: "fast" }, "fulfillment_option_id"],
    ["without the choice that the shop gives", { fulfillment_option_id: undefined }, "fulfillment_option_id"],
    ["with text that cannot be kept", { user_prompt: "x\0y" }, "user_prompt"],
  ])("%s", async (_what, change, field) => {
    expect(await refused(desk.socks(change))).toMatchObject({ status: 400, error: "invalid_request", field });
  });

  it("names the field of the address, and the cap", async () => {
    const { postal_code: _gone, ...short } = BABBAGE;
    expect(await refused(desk.socks({ ship_to: short }))).toMatchObject({
      ...{ status: 400, error: "ship_to_invalid", detail: "postal_code" },
    });
    for (const cap of [-1, 1.5, "9"]) {
      const answer = await refused(desk.socks({ constraints: { max_shipping_minor: cap } }));
      expect(answer).toMatchObject({ status: 400, error: "constraints_invalid" });
    }
  });
});

it("is of a token that may pay some recipients alone", async () => {
  const narrowed = await desk.openBuyer();
  await narrowed.signPolicy();
  const narrow = (rules: object) =>
    prisma().apiToken.updateMany({ where: { accountId: narrowed.accountId }, data: rules });
  await narrow({ allowedHosts: ["shop.example"] });
  expect(await refused(desk.socks(), narrowed)).toMatchObject({ status: 403, error: "forbidden" });
  await narrow({ allowedHosts: [], allowedPayees: [`0x${"1".repeat(40)}`] });
  expect(await refused(desk.socks(), narrowed)).toMatchObject({ status: 403, error: "forbidden" });
  await narrow({ allowedHosts: [new URL(desk.urlOf("harbour")).hostname], allowedPayees: [] });
  expect((await narrowed.dispatch(desk.socks())).status).toBe(200);
});

describe("a cart that is not what was quoted", () => {
  afterEach(() => desk.clearFaults("harbour"));

  it("is of a shop that is not there", async () => {
    expect(await refused(desk.socks({ merchant_id: "mer_1_x" }))).toMatchObject({ status: 404, error: "not_found" });
  });

  it("has an item that nobody sells, and is told what comes close", async () => {
    const answer = await refused(desk.socks({ items: [{ sku: "wool socks" }] }));
    expect(answer).toMatchObject({ status: 422, error: "sku_not_found", nearest: expect.any(Array) });
  });

  it.each([
    [{ amount_minor: 2_894 }, 2_895],
    [{ amount_minor: 2_896 }, 2_895],
    [{ currency: "USD" }, 2_895],
    [{ fulfillment_option_id: "fo_AAAAAAAAAAAAAAAAAAAAAA" }, null],
  ])("%j is another amount", async (change, expected) => {
    expect(await refused(desk.socks(change))).toMatchObject({
      ...{ status: 409, error: "shopify_amount_changed", expected_amount_minor: expected, currency: "GBP" },
    });
  });

  it.each([
    [{ max_total_minor: 2_894 }, "constraint_total_exceeded", 2_894, 2_895],
    [{ max_shipping_minor: 394 }, "constraint_shipping_exceeded", 394, 395],
    [{ max_subtotal_minor: 2_499 }, "constraint_subtotal_exceeded", 2_499, 2_500],
    [{ max_item_minor: 1_249 }, "constraint_item_exceeded", 1_249, 1_250],
  ])("%j is passed", async (constraints, violation, allowed, found) => {
    expect(await refused(desk.socks({ constraints }))).toMatchObject({
      ...{ status: 409, error: "constraint_violated", violation, allowed_minor: allowed, found_minor: found },
    });
  });

  it("is collected from a store that is not clear", async () => {
    const answer = await refused(desk.socks({ fulfillment_option_id: undefined, pickup_location: "London" }));
    expect(answer).toMatchObject({ status: 409, error: "pickup_location_unresolved" });
    expect(answer.pickup_resolution.status).not.toBe("resolved");
    const nowhere = await refused(desk.socks({ fulfillment_option_id: undefined, pickup_location: "Atlantis" }));
    expect(nowhere.pickup_resolution).toMatchObject({ status: "not_found", candidates: expect.any(Array) });
  });

  it("is both collected and delivered, or delivered where the shop cannot be told", async () => {
    const both = await refused(desk.socks({ ship_to: BABBAGE, pickup_location: "Leeds" }));
    expect(both).toMatchObject({ status: 409, error: "ship_to_with_pickup" });
    const quarry = await desk.merchantId("quarry");
    await prisma().merchant.update({ where: { id: quarry }, data: { onboardedAt: new Date() } });
    const unsupported = await refused(desk.socks({ merchant_id: quarry, ship_to: BABBAGE }));
    expect(unsupported).toMatchObject({ status: 409, error: "ship_to_unsupported" });
    // Also where the same cart was quoted, which can only have been without a destination.
    const other = await desk.openBuyer();
    await other.signPolicy();
    const { merchant_id, items } = desk.socks() as { merchant_id: string; items: object[] };
    await other.quote({ merchant_id, items });
    const bothAgain = await refused(desk.socks({ ship_to: BABBAGE, pickup_location: "Leeds" }), other);
    expect(bothAgain).toMatchObject({ status: 409, error: "ship_to_with_pickup" });
  });
});

describe("another destination or other caps than were quoted", () => {
  it("where nothing was quoted at all", async () => {
    const other = await desk.openBuyer();
    await other.signPolicy();
    const elsewhere = await refused(desk.socks({ ship_to: BABBAGE }), other);
    expect(elsewhere).toMatchObject({ status: 409, error: "ship_to_mismatch" });
    const capped = await refused(desk.socks({ constraints: { max_total_minor: 5_000 } }), other);
    expect(capped).toMatchObject({ status: 409, error: "constraint_violated", violation: null });
  });

  it("by an address of which a part would be lost", async () => {
    for (const [name, value] of [
      ["address2", 12],
      ["phone", { home: 1 }],
      ["apartment", "Flat 4"],
    ] as const) {
      const answer = await refused(desk.socks({ ship_to: { ...BABBAGE, [name]: value } }));
      expect(answer).toMatchObject({ status: 400, error: "ship_to_invalid", detail: name });
    }
  });

  it("as a word that nobody can have said yet", async () => {
    const future = new Date(Date.now() + 600_000).toISOString();
    const answer = await refused(desk.socks({ user_approved_at_iso: future }));
    expect(answer).toMatchObject({ status: 400, error: "invalid_request", field: "user_approved_at_iso" });
  });

  it("by one character, or by being there at all", async () => {
    const other = await desk.openBuyer();
    await other.signPolicy();
    const { merchant_id, items } = desk.socks() as { merchant_id: string; items: object[] };
    const caps = { max_total_minor: 5_000 };
    const { json } = await other.quote({ merchant_id, items, ship_to: BABBAGE, constraints: caps });
    const asQuoted = { ship_to: BABBAGE, constraints: caps };
    for (const ship_to of [{ ...BABBAGE, address1: "2 Dorset Street" }, { ...BABBAGE, company: "X" }, undefined]) {
      const answer = await refused(desk.socks({ ...asQuoted, ship_to }), other);
      expect(answer).toMatchObject({ status: 409, error: "ship_to_mismatch" });
    }
    for (const constraints of [{ max_total_minor: 5_001 }, { ...caps, max_item_minor: 9_000 }, undefined]) {
      const answer = await refused(desk.socks({ ...asQuoted, constraints }), other);
      expect(answer).toMatchObject({ status: 409, error: "constraint_violated", violation: null });
    }
    const named = { ship_to_sha256: `${json.ship_to_sha256.slice(0, -1)}_` };
    expect(await refused(desk.socks({ ...asQuoted, ...named }), other)).toMatchObject({ error: "ship_to_mismatch" });
    const right = desk.socks({ ...asQuoted, ship_to_sha256: json.ship_to_sha256 });
    expect((await other.dispatch(right)).status).toBe(200);
  });
});

describe("whoever cannot pay", () => {
  it("has no card, one that is turned off or over, or no address to write to", async () => {
    const poor = await desk.openBuyer();
    const change = (data: object) => prisma().paymentCard.update({ where: { id: poor.cardId }, data });
    for (const data of [{ status: "disabled" }, { status: "active", expYear: 2020 }]) {
      await change(data);
      expect(await refused(desk.socks(), poor)).toMatchObject({ status: 400, field: "card_alias_id" });
    }
    await change({ status: "active", expYear: 2099 });
    await prisma().account.update({ where: { id: poor.accountId }, data: { email: null } });
    expect(await refused(desk.socks(), poor)).toMatchObject({ status: 400, error: "invalid_request" });
    await change({ removedAt: new Date(), defaultSlot: null });
    expect(await refused(desk.socks(), poor)).toMatchObject({ status: 400, field: "card_alias_id" });
  });

  it("is nobody, or asks with the card of somebody else", async () => {
    expect((await desk.stack.rest(null, "POST", "/api/autofill/dispatch", desk.socks())).status).toBe(401);
    const { cardId } = await desk.openBuyer();
    expect(await refused(desk.socks({ card_alias_id: cardId }))).toMatchObject({ field: "card_alias_id" });
  });
});
