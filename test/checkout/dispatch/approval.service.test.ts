/** Orders outside the policy require the account owner's approval. The approved purchase is placed once, or not at all. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { createClient } from "graphql-ws";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { storeApiToken } from "../../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../../src/accounts/viewer.ts";
import {
  createClient as createOAuthClient,
  obtainTokens,
  openSignedInBrowser,
  refreshTokens,
} from "../../support/oauth.ts";
import type { TestResponse } from "../../support/stack.ts";
import { HOME } from "../account-owner.ts";
import { type Buyer, SOCKS, SOCKS_MINOR } from "./buyer.ts";
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
  await buyer.quoteFor(body);
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

it("stays with the grant of an app when its access token is refreshed", async () => {
  const { stack } = fixture;
  const [app, otherApp] = [await createOAuthClient(stack), await createOAuthClient(stack)];
  const browser = await openSignedInBrowser(stack, buyer.accountId);
  const tokens = await obtainTokens(stack, browser, app);
  const other = await obtainTokens(stack, browser, otherApp);
  const dispatch = (token: string, body: object) => stack.rest(token, "POST", "/api/autofill/dispatch", body);
  const pollAs = (token: string, { json }: TestResponse) =>
    stack.rest(token, "GET", `/api/autofill/approvals/${json.approval_token}`);
  const body = fixture.createDispatch();
  await buyer.quoteFor(body);
  const requested = await dispatch(tokens.access_token, body);
  expect(requested.status).toBe(202);
  const { json: refreshed } = await refreshTokens(stack, app, tokens.refresh_token);
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect((await pollAs(refreshed.access_token, requested)).json.status).toBe("pending");
  const again = await dispatch(refreshed.access_token, body);
  expect([again.status, again.json.order_id]).toEqual([202, requested.json.order_id]);
  expect((await pollAs(other.access_token, again)).status).toBe(404);
  await buyer.approve(again);
  const approved = { ...body, approval_token: again.json.approval_token };
  expect((await dispatch(other.access_token, approved)).status).toBe(400);
  const placed = await dispatch(refreshed.access_token, approved);
  expect([placed.status, placed.json.status]).toEqual([200, "dispatched"]);
  await fixture.worker.claimNext();
});

it("requests approval once per Idempotency-Key and stores no token with the key", async () => {
  const [body, key] = [fixture.createDispatch(), { "idempotency-key": "asks-once" }];
  const first = await buyer.dispatch(body, key);
  const again = await buyer.dispatch(body, key);
  expect([again.status, again.json.order_id]).toEqual([202, first.json.order_id]);
  const records = await prisma().idempotencyRecord.findMany({ where: { accountId: buyer.accountId } });
  expect(JSON.stringify(records)).not.toContain("satchel_ap_");
});

describe("a repetition of a purchase with an unknown outcome", () => {
  let own: Buyer;
  beforeEach(async () => {
    own = await fixture.openBuyer();
    await own.signPolicy();
  });

  /** Places an order and ends it with this cause after the card was submitted. */
  async function endOrder(body: object, cause: string): Promise<string> {
    const { json } = await own.dispatch(body);
    const { lease } = await fixture.worker.claimNext();
    await fixture.worker.submit(lease);
    const confirmation = { orderNumber: "H-2", amountChargedMinor: 2_895, currency: "GBP" };
    await fixture.worker.send(lease, "finish", { cause, ...(cause === "confirmed" ? { confirmation } : {}) });
    return json.order_id;
  }

  it("requires an approval, which places it", async () => {
    const unknownId = await endOrder(fixture.createDispatch(), "outcome_unknown");
    expect((await fixture.readOrder(unknownId)).status).toBe("payment_unconfirmed");
    const body = fixture.createDispatch();
    const repeated = await own.dispatch(body);
    expect(repeated).toMatchObject({ status: 202, json: { approval_required: true, reason: "outcome_unknown" } });
    expect((await fixture.worker.claim()).json).toEqual({ job: null });
    await own.deny(repeated);
    const next = fixture.createDispatch();
    const afterDenial = await own.dispatch(next);
    expect(afterDenial.json.reason).toBe("outcome_unknown");
    await own.approve(afterDenial);
    const placed = await own.dispatch({ ...next, approval_token: afterDenial.json.approval_token });
    expect([placed.status, placed.json.status]).toEqual([200, "dispatched"]);
    const { lease } = await fixture.worker.claimNext();
    await fixture.worker.submit(lease);
    const confirmation = { orderNumber: "H-3", amountChargedMinor: 2_895, currency: "GBP" };
    await fixture.worker.send(lease, "finish", { cause: "confirmed", confirmation });
    expect((await own.dispatch(fixture.createDispatch())).status).toBe(200);
    await fixture.worker.claimNext();
  });

  it("requires another approval if the outcome became unknown after the first one", async () => {
    const body = fixture.createDispatch({ constraints: { max_total_minor: 4_000 } });
    await own.quoteFor(body);
    await prisma().checkoutPolicy.updateMany({ where: { accountId: own.accountId }, data: { activeSlot: null } });
    const early = await own.dispatch(body);
    await own.approve(early);
    await own.signPolicy();
    await endOrder(fixture.createDispatch({ constraints: { max_total_minor: 4_000 } }), "outcome_unknown");
    const approved = { ...body, approval_token: early.json.approval_token };
    const again = await own.dispatch(approved);
    expect(again).toMatchObject({ status: 202, json: { reason: "outcome_unknown", order_id: early.json.order_id } });
    expect((await fixture.worker.claim()).json).toEqual({ job: null });
    await own.approve(again);
    const placed = await own.dispatch(approved);
    expect([placed.status, placed.json.status]).toEqual([200, "dispatched"]);
    await fixture.worker.claimNext();
  });

  it("requires an approval of another quantity, and of the items of an order that was submitted and has not ended", async () => {
    const { json } = await own.dispatch(fixture.createDispatch());
    const { lease } = await fixture.worker.claimNext();
    const single = { items: [{ sku: SOCKS, quantity: 1 }], amount_minor: SOCKS_MINOR - 1_250 };
    await own.quoteFor(fixture.createDispatch(single));
    await fixture.worker.submit(lease);
    const inFlight = await own.dispatch(fixture.createDispatch(single));
    expect(inFlight).toMatchObject({ status: 202, json: { reason: "outcome_unknown" } });
    await fixture.worker.send(lease, "finish", { cause: "outcome_unknown" });
    const ended = await own.dispatch(fixture.createDispatch(single));
    expect(ended).toMatchObject({ status: 202, json: { reason: "outcome_unknown" } });
    const completedAt = new Date(Date.now() - 86_400_001);
    await prisma().checkoutOrder.update({ where: { id: json.order_id }, data: { completedAt } });
    expect((await own.dispatch(fixture.createDispatch(single))).status).toBe(200);
    await fixture.worker.claimNext();
  });

  it("is within the policy for other items, another account, after 24 hours and after a known outcome", async () => {
    const unknownId = await endOrder(fixture.createDispatch(), "three_d_secure_abandoned");
    const one = { items: [{ sku: SOCKS.replace("710031", "710032"), quantity: 2 }] };
    const other = fixture.createDispatch(one);
    await own.quoteFor(other);
    expect((await own.dispatch(other)).status).toBe(200);
    const otherAccount = await fixture.openBuyer();
    await otherAccount.signPolicy();
    expect((await otherAccount.dispatch(fixture.createDispatch())).status).toBe(200);
    expect((await own.dispatch(fixture.createDispatch())).status).toBe(202);
    const completedAt = new Date(Date.now() - 86_400_001);
    await prisma().checkoutOrder.update({ where: { id: unknownId }, data: { completedAt } });
    expect((await own.dispatch(fixture.createDispatch())).status).toBe(200);
    for (let waiting = 0; waiting < 3; waiting++) await fixture.worker.claimNext();
    await endOrder(fixture.createDispatch(), "outcome_unknown");
    await prisma().checkoutOrder.updateMany({
      where: { accountId: own.accountId, status: "payment_unconfirmed" },
      data: { status: "payment_gate_hit", retryable: false },
    });
    expect((await own.dispatch(fixture.createDispatch())).status).toBe(200);
    await fixture.worker.claimNext();
  });
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
