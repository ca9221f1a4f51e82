/** Orders outside of the policy: their person is asked, and what they approved is bought once, or nothing is. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storeApiToken } from "../../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../../src/accounts/viewer.ts";
import { HOME } from "../person.ts";
import type { Buyer } from "./buyer.ts";
import { BABBAGE, type Desk, openDesk } from "./desk.ts";

let desk: Desk;
let buyer: Buyer;
beforeAll(async () => {
  desk = await openDesk();
  buyer = await desk.openBuyer();
});
afterAll(() => desk?.stop());
afterEach(() => desk.clearFaults("harbour"));

const prisma = () => desk.stack.service.deps.db.prisma;
const approvalOf = (orderId: string) => prisma().checkoutApproval.findUniqueOrThrow({ where: { orderId } });
const poll = (token: string) => desk.stack.rest(buyer.token, "GET", `/api/autofill/approvals/${token}`);

async function approved(more: object = {}) {
  const body = desk.socks(more);
  await buyer.quoteFor(body);
  const asked = await buyer.dispatch(body);
  await buyer.approve(asked);
  return { orderId: asked.json.order_id as string, body: { ...body, approval_token: asked.json.approval_token } };
}

it("asks, is approved exactly as shown, and is bought once however often it is dispatched", async () => {
  const body = desk.socks({ constraints: { max_shipping_minor: 500 } });
  await buyer.quoteFor(body);
  const asked = await buyer.dispatch(body);
  expect(asked.status).toBe(202);
  const { order_id: orderId, approval_token: token } = asked.json;
  expect(asked.json).toEqual({
    order_id: expect.stringMatching(/^ord_/),
    status: "approval_required",
    approval_required: true,
    approval_token: expect.stringMatching(/^satchel_ap_/),
    approval_url: expect.stringContaining("/approve/apr_"),
    expires_in: expect.any(Number),
    reason: "no_policy",
    order_url: expect.stringContaining(orderId),
  });
  expect((await approvalOf(orderId)).document).toMatchObject({
    type: "checkout.purchase.1",
    asked_by: "agent",
    user_prompt: "Two pairs of wool socks, please.",
    merchant: { id: desk.harbour, is_test: true },
    lines: [{ quantity: 2, total_minor: 2_500 }],
    delivery: { type: "shipping", title: "Standard", amount_minor: 395 },
    destination: { kind: "cardholder", recipient: "A. L.", city: HOME.city },
    ...{ amount_minor: 2_895, amount_is_final: true, currency: "GBP", card: { brand: "visa", last4: "4242" } },
    constraints: { max_shipping_minor: 500, max_total_minor: null },
  });
  expect((await desk.worker.claim()).json).toEqual({ job: null });

  // Not approved yet: the same answer, with the token that was sent.
  const early = await buyer.dispatch({ ...body, approval_token: token });
  expect([early.status, early.json.approval_token]).toEqual([202, token]);
  await buyer.approve(asked);
  expect((await poll(token)).json.status).toBe("approved");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => buyer.dispatch({ ...body, approval_token: token })),
  );
  expect(new Set(answers.map(({ status, json }) => `${status} ${json.order_id}`))).toEqual(new Set([`200 ${orderId}`]));
  const row = await desk.read(orderId);
  expect(row).toMatchObject({ status: "dispatched", approvalMode: "passkey", policyId: null, workerJobId: null });
  expect(row.mandateChain).toHaveLength(4);
  expect((await poll(token)).json.status).toBe("consumed");
  const job = await desk.worker.take();
  expect(job).toMatchObject({ orderId, amountMinor: 2_895, deliverTo: HOME });
  expect((await desk.worker.claim()).json).toEqual({ job: null });
  await desk.worker.submit(job.lease);
  const confirmation = { orderNumber: "H-1", amountChargedMinor: 2_895, currency: "GBP" };
  await desk.worker.say(job.lease, "finish", { cause: "confirmed", confirmation });
  const ended = await buyer.dispatch(body);
  expect(ended.json).toMatchObject({ order_id: orderId, status: "succeeded", retryable: false, retry_action: "none" });

  const { json: bundle } = await desk.stack.rest(buyer.token, "GET", `/api/autofill/orders/${orderId}/evidence`);
  const { bundle_sha256: digest, signature, ...contents } = bundle;
  expect(
    createHash("sha256")
      .update(canonicalize(contents) ?? "")
      .digest("hex"),
  ).toBe(digest);
  expect(signature).toEqual(expect.any(String));
  expect(contents.approval).toMatchObject({ mode: "passkey", webauthn: { type: "webauthn" } });
  expect(contents.mandate_chain.at(-1)).toMatchObject({ role: "receipt", status: "succeeded", reference: "H-1" });
  expect(JSON.stringify(bundle)).not.toContain("4242424242424242");
});

it("with a cap of -0, as some programs write 0, is bought as approved", async () => {
  const giftCard = { items: [{ sku: "gid://shopify/ProductVariant/710041" }], fulfillment_option_id: undefined };
  const body = desk.socks({ ...giftCard, amount_minor: 2_500, constraints: { max_shipping_minor: 0 } });
  await buyer.quoteFor(body);
  const dispatch = async (more: object) => {
    const text = JSON.stringify({ ...body, ...more }).replace('"max_shipping_minor":0', '"max_shipping_minor":-0');
    expect(text).toContain("-0");
    const headers = { "content-type": "application/json", "x-service-token": buyer.token };
    const url = `${desk.stack.service.baseUrl}/api/autofill/dispatch`;
    const response = await fetch(url, { method: "POST", headers, body: text });
    return { status: response.status, headers: response.headers, text: "", json: await response.json() };
  };
  const asked = await dispatch({});
  expect(asked).toMatchObject({ status: 202, json: { status: "approval_required" } });
  await buyer.approve(asked);
  expect(await dispatch({ approval_token: asked.json.approval_token })).toMatchObject({
    ...{ status: 200, json: { order_id: asked.json.order_id, status: "dispatched" } },
  });
  expect((await desk.worker.take()).orderId).toBe(asked.json.order_id);
});

it("asked for again gives a new token to the same caller, and none to another", async () => {
  const body = desk.socks();
  const first = await buyer.dispatch(body);
  const second = await buyer.dispatch(body);
  expect([second.status, second.json.order_id]).toEqual([202, first.json.order_id]);
  expect((await poll(first.json.approval_token)).status).toBe(404);
  expect((await poll(second.json.approval_token)).json.status).toBe("pending");
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
  const { secret } = await storeApiToken(desk.stack.service.deps.db, buyer.accountId, {
    ...{ name: "other", limits, scopes: SCOPES, networks: [], allowedHosts: [], allowedPayees: [], expiresAt: null },
  });
  const other = await desk.stack.rest(secret, "POST", "/api/autofill/dispatch", body);
  expect([other.status, other.json.status]).toEqual([200, "approval_required"]);
  expect(other.json).not.toHaveProperty("approval_token");
  const stolen = { ...body, approval_token: second.json.approval_token };
  const refused = await desk.stack.rest(secret, "POST", "/api/autofill/dispatch", stolen);
  expect([refused.status, refused.json.field]).toEqual([400, "approval_token"]);
});

it("repeated with its Idempotency-Key is asked for once, and no token is kept with the key", async () => {
  const [body, key] = [desk.socks(), { "idempotency-key": "asks-once" }];
  const first = await buyer.dispatch(body, key);
  const again = await buyer.dispatch(body, key);
  expect([again.status, again.json.order_id]).toEqual([202, first.json.order_id]);
  const kept = await prisma().idempotencyRecord.findMany({ where: { accountId: buyer.accountId } });
  expect(JSON.stringify(kept)).not.toContain("satchel_ap_");
});

describe("with the token, anything else than was approved", () => {
  it("is refused by what it is, and the right one still goes through", async () => {
    const { orderId, body } = await approved({ ship_to: BABBAGE, constraints: { max_total_minor: 5_000 } });
    const others: [object, string][] = [
      [{ ship_to: { ...BABBAGE, postal_code: "W1U 4EF" } }, "ship_to_mismatch"],
      [{ ship_to: undefined }, "ship_to_mismatch"],
      [{ constraints: { max_total_minor: 5_001 } }, "constraint_violated"],
      [{ constraints: undefined }, "constraint_violated"],
      [{ amount_minor: 2_896 }, "shopify_amount_changed"],
      [{ user_prompt: "Ten pairs" }, "invalid_request"],
      [{ items: [{ sku: "gid://shopify/ProductVariant/710031", quantity: 3 }] }, "invalid_request"],
    ];
    for (const [change, error] of others) {
      const { status, json } = await buyer.dispatch({ ...body, ...change });
      expect([status, json.error]).toEqual([error === "invalid_request" ? 400 : 409, error]);
      expect(await desk.read(orderId)).toMatchObject({ status: "approval_required" });
    }
    expect(await prisma().checkoutOrder.count({ where: { accountId: buyer.accountId, status: "pending" } })).toBe(0);
    expect((await buyer.dispatch(body)).json).toMatchObject({ order_id: orderId, status: "dispatched" });
    expect((await desk.worker.take()).orderId).toBe(orderId);
  });

  it("is refused when the shop or the card's address changed since", async () => {
    const { orderId, body } = await approved();
    await desk.fault("harbour", "price_change_cart");
    const dearer = await buyer.dispatch(body);
    expect([dearer.status, dearer.json.error]).toEqual([409, "shopify_amount_changed"]);
    await desk.clearFaults("harbour");
    const { billingAddress } = await prisma().paymentCard.findUniqueOrThrow({ where: { id: buyer.cardId } });
    const move = (address: object) =>
      prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: address } });
    await move({ ...(billingAddress as object), address1: "9 Elsewhere Road" });
    expect((await buyer.dispatch(body)).json).toMatchObject({ error: "ship_to_mismatch" });
    await move(billingAddress as object);
    expect(await desk.read(orderId)).toMatchObject({ status: "approval_required" });
    expect((await buyer.dispatch(body)).json).toMatchObject({ status: "dispatched" });
    await desk.worker.take();
  });
});

it("denied or too late, it ends, and is never bought", async () => {
  const denied = desk.socks();
  const asked = await buyer.dispatch(denied);
  await buyer.deny(asked);
  const token = { approval_token: asked.json.approval_token };
  for (const body of [denied, { ...denied, ...token }]) {
    expect((await buyer.dispatch(body)).json).toMatchObject({
      ...{ order_id: asked.json.order_id, status: "payment_gate_hit", retry_action: "none", retryable: false },
    });
  }
  const { orderId, body } = await approved();
  await prisma().checkoutApproval.update({ where: { orderId }, data: { expiresAt: new Date(Date.now() - 1) } });
  const late = await buyer.dispatch(body);
  expect(late.json.status).not.toBe("dispatched");
  await expect.poll(async () => (await desk.read(orderId)).status).toBe("timeout");
  expect((await buyer.dispatch(body)).json).toMatchObject({ order_id: orderId, retry_action: "re_preview" });
  expect((await desk.worker.claim()).json).toEqual({ job: null });
  // Its evidence is signed though nobody looks at it.
  const signed = async () => (await desk.read(orderId)).bundleSignature;
  await expect.poll(signed).toEqual(expect.any(String));
});
