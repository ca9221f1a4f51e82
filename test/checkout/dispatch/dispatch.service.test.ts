// @module-tag postgresql
/** Dispatches covered by the policy: identical dispatches are one order. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME } from "../account-owner.ts";
import { type Buyer, cartOf, SOCKS_MINOR } from "./buyer.ts";
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
const countOrders = ({ accountId }: Buyer) => prisma().checkoutOrder.count({ where: { accountId } });

describe("a dispatch within the policy", () => {
  it("creates an order immediately, with its worker job and mandates", async () => {
    const body = fixture.createDispatch({ ship_to: BABBAGE, constraints: { max_total_minor: 5_000 } });
    await buyer.quoteFor(body);
    const { status, json } = await buyer.dispatch(body);
    expect(status).toBe(200);
    expect(json).toEqual({
      order_id: expect.stringMatching(/^ord_/),
      status: "pending",
      worker_job_id: json.order_id.replace("ord_", "wjb_"),
      order_url: `${fixture.stack.service.deps.site.browserUrl()}/orders/${json.order_id}`,
      live_view_url: expect.stringContaining(`/live/${json.order_id}?token=`),
      retry_action: "poll",
    });
    const row = await fixture.readOrder(json.order_id);
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
    const stored = JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
    for (const secret of ["4242424242424242", "Dorset Street", "Babbage", "Cart/"])
      expect(stored).not.toContain(secret);

    const job = await fixture.worker.claimNext();
    expect(job).toMatchObject({
      ...{ orderId: json.order_id, lease: json.worker_job_id, kind: "purchase", amountMinor: 2_895, currency: "GBP" },
      deliverTo: { firstName: "Charles", address1: "1 Dorset Street", postalCode: "W1U 4EE" },
      contact: { firstName: "Ada", lastName: "Lovelace", email: `${buyer.accountId}@people.example`, phone: null },
      fulfillment: { type: "shipping", title: "Standard", amountMinor: 395, pickupLocation: null },
      basketUrl: `${fixture.findStoreUrl("harbour")}/cart/710031:2`,
      items: [{ quantity: 2, title: expect.any(String) }],
      needsSecurityCode: false,
    });
  });

  it("is delivered to the cardholder's address at dispatch time by default", async () => {
    const { json } = await buyer.dispatch(fixture.createDispatch());
    expect(await fixture.readOrder(json.order_id)).toMatchObject({ shipToSha256: null, shipToEcho: null });
    const { billingAddress } = await prisma().paymentCard.findUniqueOrThrow({ where: { id: buyer.cardId } });
    const changedAddress = { ...(billingAddress as object), address1: "9 Elsewhere Road" };
    await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: changedAddress } });
    expect((await fixture.worker.claimNext())["deliverTo"]).toMatchObject(HOME);
    const originalAddress = billingAddress as object;
    await prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: originalAddress } });
  });

  it("is not matched by a request with another destination digest, with or without a key", async () => {
    const body = fixture.createDispatch({ ship_to: BABBAGE });
    const { json: quote } = await buyer.quote(cartOf(body));
    const named = { ...body, ship_to_sha256: quote.ship_to_sha256 };
    const key = { "idempotency-key": "named" };
    const first = await buyer.dispatch(named, key);
    const orders = await countOrders(buyer);
    for (const ship_to_sha256 of ["0".repeat(64), `${quote.ship_to_sha256.slice(0, -1)}_`]) {
      for (const headers of [{}, key]) {
        const { status, json } = await buyer.dispatch({ ...named, ship_to_sha256 }, headers);
        expect([status, json.error]).toEqual([409, "ship_to_mismatch"]);
      }
    }
    for (const same of [body, named]) expect((await buyer.dispatch(same, key)).json.order_id).toBe(first.json.order_id);
    expect(await countOrders(buyer)).toBe(orders);
  });

  it("creates one order for 50 concurrent requests over REST and GraphQL", async () => {
    const otherBuyer = await fixture.openBuyer();
    await otherBuyer.signPolicy();
    const body = fixture.createDispatch();
    const responses = await Promise.all(Array.from({ length: 50 }, () => otherBuyer.dispatch(body)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ json }) => json.order_id)).size).toBe(1);
    expect(await countOrders(otherBuyer)).toBe(1);
    const policy = await prisma().checkoutPolicy.findFirstOrThrow({ where: { accountId: otherBuyer.accountId } });
    expect(policy.dayUsedMinor).toBe(BigInt(SOCKS_MINOR));
    // Equivalent values in another notation identify the same order.
    const again = await otherBuyer.dispatch({
      ...body,
      user_approved_at_iso: "2024-11-20T18:29:16+01:00",
      ship_to: null,
    });
    expect(again.json.order_id).toBe(responses[0]?.json.order_id);
    const { merchant_id, items, fulfillment_option_id, amount_minor, user_confirmation_text, user_prompt } =
      body as Record<string, unknown>;
    const input = {
      ...{ merchantId: merchant_id, items, fulfillmentOptionId: fulfillment_option_id, amountMinor: amount_minor },
      ...{ currency: "GBP", userConfirmationText: user_confirmation_text, userPrompt: user_prompt },
      userApprovedAt: "2024-11-20T17:29:16Z",
    };
    const DISPATCH = `mutation ($input: DispatchOrderInput!) { dispatchOrder(input: $input) {
      ... on DispatchOrderSuccess { order { orderId } workerJobId requiredApproval { reason } } } }`;
    const { json } = await fixture.stack.graphql(otherBuyer.token, DISPATCH, { input });
    expect(json.data.dispatchOrder).toMatchObject({
      ...{ order: { orderId: again.json.order_id }, workerJobId: again.json.worker_job_id, requiredApproval: null },
    });
  });

  it("returns the final status once its order has ended", async () => {
    const body = fixture.createDispatch();
    const { json } = await buyer.dispatch(body);
    for (let job = await fixture.worker.claimNext(); ; job = await fixture.worker.claimNext()) {
      await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
      if (job.orderId === json.order_id) break;
    }
    expect((await buyer.dispatch(body)).json).toMatchObject({
      ...{ order_id: json.order_id, status: "out_of_stock", retry_action: "re_preview", retryable: false },
      error_code: "out_of_stock",
    });
  });

  it("is executed once per Idempotency-Key, and the key is rejected for another body", async () => {
    const body = fixture.createDispatch();
    const key = { "idempotency-key": `key-${Date.now()}` };
    const first = await buyer.dispatch(body, key);
    expect(first.status).toBe(200);
    expect((await buyer.dispatch(body, key)).json.order_id).toBe(first.json.order_id);
    const other = await buyer.dispatch(fixture.createDispatch(), key);
    expect([other.status, other.json.error]).toEqual([422, "idempotency_key_reused"]);
  });
});
