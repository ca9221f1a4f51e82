// @module-tag postgresql
/** Orders within the standing policy: the same dispatch is the same order, and nothing is ordered twice. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME } from "../person.ts";
import { type Buyer, SOCKS_MINOR } from "./buyer.ts";
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
const ordersOf = ({ accountId }: Buyer) => prisma().checkoutOrder.count({ where: { accountId } });

describe("a dispatch within the policy", () => {
  it("is an order at once, with all that a worker needs and its mandates", async () => {
    const body = desk.socks({ ship_to: BABBAGE, constraints: { max_total_minor: 5_000 } });
    await buyer.quoteFor(body);
    const { status, json } = await buyer.dispatch(body);
    expect(status).toBe(200);
    expect(json).toEqual({
      order_id: expect.stringMatching(/^ord_/),
      status: "pending",
      worker_job_id: json.order_id.replace("ord_", "wjb_"),
      order_url: `${desk.stack.service.deps.site.browserUrl()}/orders/${json.order_id}`,
      live_view_url: expect.stringContaining(`/live/${json.order_id}?token=`),
      retry_action: "poll",
    });
    const row = await desk.read(json.order_id);
    const { constraints, ...rest } = body as { constraints: object };
    const canonical = { ...rest, constraints, user_approved_at_iso: "2024-11-20T17:29:16.000Z" };
    const digest = createHash("sha256")
      .update(canonicalize(canonical) ?? "")
      .digest("hex");
    expect(Buffer.from(row.dispatchSha256).toString("hex")).toBe(digest);
    expect(row).toMatchObject({ status: "pending", approvalMode: "policy", amountMinor: 2_895n, amountIsFinal: true });
    expect(row).toMatchObject({ isTest: true, cardId: buyer.cardId, policyDay: expect.any(Date) });
    expect((row.mandateChain as { role: string }[]).map(({ role }) => role)).toEqual([
      ...["intent", "intent", "cart", "payment"],
    ]);
    const kept = JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
    for (const secret of ["4242424242424242", "Dorset Street", "Babbage", "Cart/"]) expect(kept).not.toContain(secret);

    const job = await desk.worker.take();
    expect(job).toMatchObject({
      ...{ orderId: json.order_id, lease: json.worker_job_id, kind: "purchase", amountMinor: 2_895, currency: "GBP" },
      deliverTo: { firstName: "Charles", address1: "1 Dorset Street", postalCode: "W1U 4EE" },
      contact: { firstName: "Ada", lastName: "Lovelace", email: `${buyer.accountId}@people.example`, phone: null },
      fulfillment: { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null },
      basketUrl: `${desk.urlOf("harbour")}/cart/710031:2`,
      items: [{ quantity: 2, title: expect.any(String) }],
      needsSecurityCode: false,
    });
  });

  it("goes to the cardholder unless told otherwise, whatever becomes of the card's address", async () => {
    const { json } = await buyer.dispatch(desk.socks());
    expect(await desk.read(json.order_id)).toMatchObject({ shipToSha256: null, shipToEcho: null });
    const { billingAddress } = await prisma().paymentCard.findUniqueOrThrow({ where: { id: buyer.cardId } });
    const moved = { ...(billingAddress as object), address1: "9 Elsewhere Road" };
    await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: moved } });
    expect((await desk.worker.take())["deliverTo"]).toMatchObject(HOME);
    const back = billingAddress as object;
    await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: back } });
  });

  it("is not repeated by what names another destination, with a key or without", async () => {
    const body = desk.socks({ ship_to: BABBAGE });
    const { json: quote } = await buyer.quote(body);
    const named = { ...body, ship_to_sha256: quote.ship_to_sha256 };
    const key = { "idempotency-key": "named" };
    const first = await buyer.dispatch(named, key);
    const orders = await ordersOf(buyer);
    for (const ship_to_sha256 of ["0".repeat(64), `${quote.ship_to_sha256.slice(0, -1)}_`]) {
      for (const headers of [{}, key]) {
        const { status, json } = await buyer.dispatch({ ...named, ship_to_sha256 }, headers);
        expect([status, json.error]).toEqual([409, "ship_to_mismatch"]);
      }
    }
    for (const same of [body, named]) expect((await buyer.dispatch(same, key)).json.order_id).toBe(first.json.order_id);
    expect(await ordersOf(buyer)).toBe(orders);
  });

  it("sent 50 times at once is one order, whichever the way", async () => {
    const eager = await desk.openBuyer();
    await eager.signPolicy();
    const body = desk.socks();
    const answers = await Promise.all(Array.from({ length: 50 }, () => eager.dispatch(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.order_id)).size).toBe(1);
    expect(await ordersOf(eager)).toBe(1);
    const policy = await prisma().checkoutPolicy.findFirstOrThrow({ where: { accountId: eager.accountId } });
    expect(policy.dayUsedMinor).toBe(BigInt(SOCKS_MINOR));
    // Written otherwise, it is the same.
    const again = await eager.dispatch({ ...body, user_approved_at_iso: "2024-11-20T18:29:16+01:00", ship_to: null });
    expect(again.json.order_id).toBe(answers[0]?.json.order_id);
    const { merchant_id, items, fulfillment_option_id, amount_minor, user_confirmation_text, user_prompt } =
      body as Record<string, unknown>;
    const input = {
      ...{ merchantId: merchant_id, items, fulfillmentOptionId: fulfillment_option_id, amountMinor: amount_minor },
      ...{ currency: "GBP", userConfirmationText: user_confirmation_text, userPrompt: user_prompt },
      userApprovedAt: "2024-11-20T17:29:16Z",
    };
    const DISPATCH = `mutation ($input: DispatchOrderInput!) { dispatchOrder(input: $input) {
      ... on DispatchOrderSuccess { order { orderId } workerJobId requiredApproval { reason } } } }`;
    const { json } = await desk.stack.graphql(eager.token, DISPATCH, { input });
    expect(json.data.dispatchOrder).toMatchObject({
      ...{ order: { orderId: again.json.order_id }, workerJobId: again.json.worker_job_id, requiredApproval: null },
    });
  });

  it("that has ended is answered as it ended", async () => {
    const body = desk.socks();
    const { json } = await buyer.dispatch(body);
    for (let job = await desk.worker.take(); ; job = await desk.worker.take()) {
      await desk.worker.say(job.lease, "finish", { cause: "out_of_stock" });
      if (job.orderId === json.order_id) break;
    }
    expect((await buyer.dispatch(body)).json).toMatchObject({
      ...{ order_id: json.order_id, status: "out_of_stock", retry_action: "re_preview", retryable: false },
      error_code: "out_of_stock",
    });
  });

  it("with an Idempotency-Key is done once for it, and never for another body", async () => {
    const body = desk.socks();
    const key = { "idempotency-key": `key-${Date.now()}` };
    const first = await buyer.dispatch(body, key);
    expect(first.status).toBe(200);
    expect((await buyer.dispatch(body, key)).json.order_id).toBe(first.json.order_id);
    const other = await buyer.dispatch(desk.socks(), key);
    expect([other.status, other.json.error]).toEqual([422, "idempotency_key_reused"]);
  });
});
