/** Orders outside the policy require the account owner's approval. The approved purchase is placed once, or not at all. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { createClient } from "graphql-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { storeApiToken } from "../../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../../src/accounts/viewer.ts";
import type { TestResponse } from "../../support/stack.ts";
import { HOME } from "../account-owner.ts";
import type { Buyer } from "./buyer.ts";
import { BABBAGE, type DispatchFixture, openDispatchFixture } from "./dispatch-fixture.ts";

let fixture: DispatchFixture;
let buyer: Buyer;
beforeAll(async () => {
  fixture = await openDispatchFixture();
  buyer = await fixture.openBuyer();
});
afterAll(() => fixture?.stop());
afterEach(() => fixture.clearFaults("harbour"));

const prisma = () => fixture.stack.service.deps.db.prisma;
const findApproval = (orderId: string) => prisma().checkoutApproval.findUniqueOrThrow({ where: { orderId } });
const poll = (token: string) => fixture.stack.rest(buyer.token, "GET", `/api/autofill/approvals/${token}`);

async function createApprovedDispatch(more: object = {}) {
  const body = fixture.createDispatch(more);
  await buyer.quoteFor(body);
  const pending = await buyer.dispatch(body);
  await buyer.approve(pending);
  return { orderId: pending.json.order_id as string, body: { ...body, approval_token: pending.json.approval_token } };
}

it("requests approval of the displayed terms and places one order for repeated dispatches", async () => {
  const body = fixture.createDispatch({ constraints: { max_shipping_minor: 500 } });
  await buyer.quoteFor(body);
  const pending = await buyer.dispatch(body);
  expect(pending.status).toBe(202);
  const { order_id: orderId, approval_token: token } = pending.json;
  expect(pending.json).toEqual({
    order_id: expect.stringMatching(/^ord_/),
    status: "approval_required",
    approval_required: true,
    approval_token: expect.stringMatching(/^satchel_ap_/),
    approval_url: expect.stringContaining("/approve/apr_"),
    expires_in: expect.any(Number),
    reason: "no_policy",
    order_url: expect.stringContaining(orderId),
  });
  const { document } = await findApproval(orderId);
  const schema = await (await fetch(`${fixture.stack.baseUrl}/schemas/checkout-purchase.json`)).json();
  expect(Object.keys(document as object).toSorted()).toEqual((schema as { required: string[] }).required.toSorted());
  expect(document).toMatchObject({
    type: "checkout.purchase.2",
    asked_by: "agent",
    user_prompt: "Two pairs of wool socks, please.",
    merchant: { id: fixture.harbour, is_test: true, is_pooled: true },
    lines: [{ quantity: 2, total_minor: 2_500 }],
    delivery: { type: "shipping", title: "Standard", amount_minor: 395 },
    destination: { kind: "cardholder", recipient: "A. L.", city: HOME.city },
    ...{ amount_minor: 2_895, amount_is_final: true, currency: "GBP", card: { brand: "visa", last4: "4242" } },
    card_entry: { page_origins: [fixture.findStoreUrl("harbour")], frame_origins: null },
    constraints: { max_shipping_minor: 500, max_total_minor: null },
  });
  expect((await fixture.worker.claim()).json).toEqual({ job: null });

  // Not approved yet: the same response, with the token of the request.
  const undecided = await buyer.dispatch({ ...body, approval_token: token });
  expect([undecided.status, undecided.json.approval_token]).toEqual([202, token]);
  await buyer.approve(pending);
  expect((await poll(token)).json.status).toBe("approved");
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => buyer.dispatch({ ...body, approval_token: token })),
  );
  expect(new Set(responses.map(({ status, json }) => `${status} ${json.order_id}`))).toEqual(
    new Set([`200 ${orderId}`]),
  );
  const row = await fixture.readOrder(orderId);
  expect(row).toMatchObject({ status: "dispatched", approvalMode: "passkey", policyId: null, workerJobId: null });
  expect(row.mandateChain).toHaveLength(4);
  expect((await poll(token)).json.status).toBe("consumed");
  const job = await fixture.worker.claimNext();
  expect(job).toMatchObject({ orderId, amountMinor: 2_895, deliverTo: HOME });
  expect((await fixture.worker.claim()).json).toEqual({ job: null });
  await fixture.worker.submit(job.lease);
  const confirmation = { orderNumber: "H-1", amountChargedMinor: 2_895, currency: "GBP" };
  await fixture.worker.send(job.lease, "finish", { cause: "confirmed", confirmation });
  const ended = await buyer.dispatch(body);
  expect(ended.json).toMatchObject({ order_id: orderId, status: "succeeded", retryable: false, retry_action: "none" });

  const { json: bundle } = await fixture.stack.rest(buyer.token, "GET", `/api/autofill/orders/${orderId}/evidence`);
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

it("accepts a cap of -0, as some clients serialise 0", async () => {
  const giftCard = { items: [{ sku: "gid://shopify/ProductVariant/710041" }], fulfillment_option_id: undefined };
  const body = fixture.createDispatch({ ...giftCard, amount_minor: 2_500, constraints: { max_shipping_minor: 0 } });
  await buyer.quoteFor(body);
  const dispatch = async (more: object) => {
    const text = JSON.stringify({ ...body, ...more }).replace('"max_shipping_minor":0', '"max_shipping_minor":-0');
    expect(text).toContain("-0");
    const headers = { "content-type": "application/json", "x-service-token": buyer.token };
    const url = `${fixture.stack.service.baseUrl}/api/autofill/dispatch`;
    const response = await fetch(url, { method: "POST", headers, body: text });
    return { status: response.status, headers: response.headers, text: "", json: await response.json() };
  };
  const pending = await dispatch({});
  expect(pending).toMatchObject({ status: 202, json: { status: "approval_required" } });
  await buyer.approve(pending);
  expect(await dispatch({ approval_token: pending.json.approval_token })).toMatchObject({
    ...{ status: 200, json: { order_id: pending.json.order_id, status: "dispatched" } },
  });
  expect((await fixture.worker.claimNext()).orderId).toBe(pending.json.order_id);
});

it("reissues the approval token to the same caller and to no other", async () => {
  const body = fixture.createDispatch();
  const first = await buyer.dispatch(body);
  const second = await buyer.dispatch(body);
  expect([second.status, second.json.order_id]).toEqual([202, first.json.order_id]);
  expect((await poll(first.json.approval_token)).status).toBe(404);
  expect((await poll(second.json.approval_token)).json.status).toBe("pending");
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
  const { secret } = await storeApiToken(fixture.stack.service.deps.db, buyer.accountId, {
    ...{ name: "other", limits, scopes: SCOPES, networks: [], allowedHosts: [], allowedPayees: [], expiresAt: null },
  });
  const other = await fixture.stack.rest(secret, "POST", "/api/autofill/dispatch", body);
  expect([other.status, other.json.status]).toEqual([200, "approval_required"]);
  expect(other.json).not.toHaveProperty("approval_token");
  const replayed = { ...body, approval_token: second.json.approval_token };
  const rejected = await fixture.stack.rest(secret, "POST", "/api/autofill/dispatch", replayed);
  expect([rejected.status, rejected.json.field]).toEqual([400, "approval_token"]);
});

it("requests approval once per Idempotency-Key and stores no token with the key", async () => {
  const [body, key] = [fixture.createDispatch(), { "idempotency-key": "asks-once" }];
  const first = await buyer.dispatch(body, key);
  const again = await buyer.dispatch(body, key);
  expect([again.status, again.json.order_id]).toEqual([202, first.json.order_id]);
  const records = await prisma().idempotencyRecord.findMany({ where: { accountId: buyer.accountId } });
  expect(JSON.stringify(records)).not.toContain("satchel_ap_");
});

it("publishes each request for approval, and those since the list was read", async () => {
  const LIST = "{ viewer { purchaseApprovals(first: 1) { updatesCursor } } }";
  const own = await fixture.openBuyer();
  const { viewer } = await own.visitor.graphql(LIST);
  const client = createClient({
    url: `${fixture.stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": own.token },
    retryAttempts: 0,
  });
  const query = `subscription ($after: String) { approvalRequested(after: $after) { approval {
    __typename approvalId status ... on PurchaseApproval { reason order { orderId amount { amount } } } } } }`;
  const subscribe = () => {
    const variables = { after: viewer.purchaseApprovals.updatesCursor };
    const events = client.iterate<{ approvalRequested: { approval: object } }>({ query, variables });
    return async () => (await events.next()).value.data.approvalRequested.approval;
  };
  const toApproval = ({ json }: TestResponse) => ({
    ...{ __typename: "PurchaseApproval", status: "PENDING", reason: "NO_POLICY" },
    approvalId: json.approval_url.split("/").at(-1),
    order: { orderId: json.order_id, amount: { amount: "28.95" } },
  });
  try {
    const first = await own.dispatch(fixture.createDispatch());
    const nextApproval = subscribe();
    expect(await nextApproval()).toEqual(toApproval(first));
    const second = await own.dispatch(fixture.createDispatch());
    expect(await nextApproval()).toEqual(toApproval(second));
    await own.deny(first);
    expect(await subscribe()()).toEqual(toApproval(second));
  } finally {
    await client.dispose();
  }
});

describe("an approval token with terms that were not approved", () => {
  it("is rejected with a specific error, and the approved terms are still accepted", async () => {
    const { orderId, body } = await createApprovedDispatch({
      ship_to: BABBAGE,
      constraints: { max_total_minor: 5_000 },
    });
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
      expect(await fixture.readOrder(orderId)).toMatchObject({ status: "approval_required" });
    }
    expect(await prisma().checkoutOrder.count({ where: { accountId: buyer.accountId, status: "pending" } })).toBe(0);
    expect((await buyer.dispatch(body)).json).toMatchObject({ order_id: orderId, status: "dispatched" });
    expect((await fixture.worker.claimNext()).orderId).toBe(orderId);
  });

  it("is rejected when the price or the card's address has changed since", async () => {
    const { orderId, body } = await createApprovedDispatch();
    await fixture.configureFault("harbour", "price_change_cart");
    const changed = await buyer.dispatch(body);
    expect([changed.status, changed.json.error]).toEqual([409, "shopify_amount_changed"]);
    await fixture.clearFaults("harbour");
    const { billingAddress } = await prisma().paymentCard.findUniqueOrThrow({ where: { id: buyer.cardId } });
    const changeAddress = (address: object) =>
      prisma().paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress: address } });
    await changeAddress({ ...(billingAddress as object), address1: "9 Elsewhere Road" });
    expect((await buyer.dispatch(body)).json).toMatchObject({ error: "ship_to_mismatch" });
    await changeAddress(billingAddress as object);
    expect(await fixture.readOrder(orderId)).toMatchObject({ status: "approval_required" });
    expect((await buyer.dispatch(body)).json).toMatchObject({ status: "dispatched" });
    await fixture.worker.claimNext();
  });
});

it("ends a denied or expired order without a purchase", async () => {
  const denied = fixture.createDispatch();
  const pending = await buyer.dispatch(denied);
  await buyer.deny(pending);
  const token = { approval_token: pending.json.approval_token };
  for (const body of [denied, { ...denied, ...token }]) {
    expect((await buyer.dispatch(body)).json).toMatchObject({
      ...{ order_id: pending.json.order_id, status: "payment_gate_hit", retry_action: "none", retryable: false },
    });
  }
  const { orderId, body } = await createApprovedDispatch();
  await prisma().checkoutApproval.update({ where: { orderId }, data: { expiresAt: new Date(Date.now() - 1) } });
  const expired = await buyer.dispatch(body);
  expect(expired.json.status).not.toBe("dispatched");
  await expect.poll(async () => (await fixture.readOrder(orderId)).status).toBe("timeout");
  expect((await buyer.dispatch(body)).json).toMatchObject({ order_id: orderId, retry_action: "re_preview" });
  expect((await fixture.worker.claim()).json).toEqual({ job: null });
  // The evidence is signed without a request for it.
  const readSignature = async () => (await fixture.readOrder(orderId)).bundleSignature;
  await expect.poll(readSignature).toEqual(expect.any(String));
});
