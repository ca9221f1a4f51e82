// @module-tag postgresql
/** Orders over REST, GraphQL and subscriptions, read from stored rows. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { createClient } from "graphql-ws";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { sealDeliveryAddress } from "../../../src/checkout/orders/delivery-address.ts";
import { publishOrder } from "../../../src/checkout/orders/order-events.ts";
import { transitionOrder } from "../../../src/checkout/orders/states.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type Stack, sharedStack, type TestAccount } from "../../support/stack.ts";
import { addOrder } from "./order-rows.ts";

let stack: Stack;
let account: TestAccount;
let otherAccount: TestAccount;
let merchantId: string;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  otherAccount = await stack.account();
  merchantId = await addMerchant("Harbour Outfitters");
});

const db = () => stack.service.deps.db;
const get = (path: string, token = account.token) => stack.rest(token, "GET", `/api/autofill${path}`);

async function addMerchant(name: string): Promise<string> {
  const id = newId("mer");
  const domain = `${id.toLowerCase()}.example`;
  const place = { currency: "GBP", countryCode: "GB", shipsTo: ["GB"] };
  await db().prisma.merchant.create({
    data: { id, name, domain, pooledDomain: domain, url: `https://${domain}`, rail: "shopify", ...place },
  });
  return id;
}

const CAPS = { maxTotalMinor: 5_000, maxShippingMinor: null, maxSubtotalMinor: null, maxItemMinor: null };
const REQUEST = {
  items: [{ sku: "gid://shopify/ProductVariant/710031", quantity: 2 }],
  fulfillmentOptionId: "fo_1",
  pickupLocation: null,
  pickupLocationId: null,
  constraints: CAPS,
  agentId: null,
};
const ADA = {
  ...{ firstName: "Ada", lastName: "Lovelace", company: null, address1: "12 St James's Square", address2: null },
  ...{ city: "London", provinceCode: null, postalCode: "SW1Y 4JH", countryCode: "GB", phone: null },
};
const ECHO = { recipient: "A. L.", city: "London", provinceCode: null, postalCodePrefix: "SW1Y", countryCode: "GB" };

/** Adds a dispatched order with all columns, a step and an artifact. */
async function addFullOrder() {
  const id = newId("ord");
  const sealed = await sealDeliveryAddress(stack.service.deps.keks, { id, accountId: account.accountId }, ADA);
  const order = await addOrder(db(), account.accountId, {
    ...{
      id,
      merchantId,
      status: "dispatched",
      request: REQUEST,
      ...sealed,
      shipToEcho: ECHO,
      shipToSha256: "5".repeat(64),
    },
    ...{ userPrompt: "Socks, please", userConfirmationText: "Yes", userApprovedAt: new Date(), approvalMode: "policy" },
    ...{ workerJobId: newId("wjb"), submittedAt: new Date(), startedAt: new Date() },
  });
  const screenshot = {
    id: newId("art"),
    orderId: id,
    kind: "screenshot",
    contentType: "image/png",
    sha256: "a".repeat(64),
  };
  await db().prisma.checkoutArtifact.create({
    data: { ...screenshot, redactions: ["card fields"], bytes: new Uint8Array([1]) },
  });
  const step = { orderId: id, at: new Date(), action: "click", outcome: "done", urlOrigin: "https://harbour.example" };
  await db().prisma.checkoutStep.createMany({
    data: [2, 1].map((seq) => ({ ...step, seq, screenshotId: screenshot.id })),
  });
  return order;
}

describe("GET /api/autofill/orders", () => {
  it("lists at most 50 of the account's orders, newest first, including explorations", async () => {
    const busy = await stack.account();
    const ids: string[] = [];
    for (let n = 0; n < 52; n++) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, n));
      ids.unshift((await addOrder(db(), busy.accountId, { createdAt, merchantId })).id);
    }
    const request = { merchantUrl: "https://new.example/shop", goal: "tea", prefs: null, currency: null };
    const explored = await addOrder(db(), busy.accountId, {
      kind: "explored",
      request,
      amountMinor: null,
      currency: null,
    });
    const { status, json } = await get("/orders", busy.token);
    expect(status).toBe(200);
    expect(json.orders.map(({ id }: { id: string }) => id)).toEqual([explored.id, ...ids.slice(0, 49)]);
    expect(json.orders[0]).toEqual({
      ...{ id: explored.id, merchant_id: null, merchant_name: "new.example", status: "pending", kind: "explored" },
      ...{ amount_minor: null, amount_charged_minor: null, currency: null, test: false, completed_at: null },
      ...{ created_at: explored.createdAt.toISOString(), retry_action: "poll" },
    });
    expect((await get("/orders", otherAccount.token)).json).toEqual({ orders: [] });
    expect((await stack.rest(null, "GET", "/api/autofill/orders")).status).toBe(401);
  });
});

describe("GET /api/autofill/orders/{id}", () => {
  it("returns the contract's fields while pending, and the retry action once ended", async () => {
    const order = await addFullOrder();
    const live = await get(`/orders/${order.id}`);
    expect(live.status).toBe(200);
    expect(live.json).toMatchObject({
      ...{ id: order.id, merchant_id: merchantId, merchant_name: "Harbour Outfitters", status: "dispatched" },
      ...{ amount_minor: 2895, amount_charged_minor: null, currency: "GBP", retry_action: "poll", test: false },
      ship_to: {
        recipient: "A. L.",
        city: "London",
        province_code: null,
        postal_code_prefix: "SW1Y",
        country_code: "GB",
      },
      constraints: { max_total_minor: 5000 },
      evidence: { available: false, merchant_order_number: null, submitted_at: order.submittedAt?.toISOString() },
    });
    expect(live.json).not.toHaveProperty("retryable");
    expect(live.text).not.toContain("Lovelace");
    const confirmedAt = new Date();
    const columns = { amountChargedMinor: 2_500n, merchantOrderNumber: "H-1042", confirmedAt };
    await transitionOrder(db().prisma, order.id, "confirmed", { columns });
    const { json } = await get(`/orders/${order.id}`);
    expect(json).toMatchObject({
      ...{ status: "succeeded", amount_charged_minor: 2500, retryable: false, retry_action: "none", error_code: null },
      evidence: { available: true, merchant_order_number: "H-1042", confirmed_at: confirmedAt.toISOString() },
    });
    expect(json.evidence.bundle_url).toBe(`${stack.baseUrl}/api/autofill/orders/${order.id}/evidence`);
  });

  it("returns null for retryable when a charge is possible", async () => {
    const { id } = await addFullOrder();
    await transitionOrder(db().prisma, id, "outcome_unknown");
    const { json } = await get(`/orders/${id}`);
    expect(json).toMatchObject({ status: "payment_unconfirmed", retryable: null, retry_action: "contact_support" });
    expect(json.error_message).toContain("do not order again");
  });

  it("hides another account's order", async () => {
    const { id } = await addFullOrder();
    for (const path of [`/orders/${id}`, `/orders/${id}/evidence`]) {
      const response = await get(path, otherAccount.token);
      expect([response.status, response.json.error]).toEqual([404, "not_found"]);
    }
    const globalId = Buffer.from(`CheckoutOrder:${id}`).toString("base64");
    const query = `{ node(id: "${globalId}") { id } checkoutOrder(id: "${id}") { id } }`;
    const { json } = await stack.graphql(otherAccount.token, query);
    expect(json.data).toEqual({ node: null, checkoutOrder: null });
  });
});

describe("GET /api/autofill/orders/{id}/evidence", () => {
  it("returns the complete bundle with a verifiable digest once the order has ended", async () => {
    const { id } = await addFullOrder();
    expect((await get(`/orders/${id}/evidence`)).status).toBe(404);
    const merchantResponse = { http_status: 200, order_number: "H-7", currency: "GBP" };
    await transitionOrder(db().prisma, id, "confirmed", { columns: { merchantResponse } });
    const { status, json } = await get(`/orders/${id}/evidence`);
    expect(status).toBe(200);
    const { bundle_sha256: digest, signature, ...contents } = json;
    expect(digest).toBe(
      createHash("sha256")
        .update(canonicalize(contents) ?? "")
        .digest("hex"),
    );
    const keys = createRemoteJWKSet(new URL("/.well-known/mandate-keys.json", stack.baseUrl));
    expect((await jwtVerify(signature, keys)).payload).toMatchObject({ order_id: id, bundle_sha256: digest });
    expect((await get(`/orders/${id}/evidence`)).json).toEqual(json);
    expect((await get(`/orders/${id}`)).json.evidence).toMatchObject({ available: true, sha256: digest });
    expect(contents).toMatchObject({
      order_id: id,
      request: { user_prompt: "Socks, please", items: REQUEST.items, constraints: { max_total_minor: 5000 } },
      approval: { user_confirmation_text: "Yes", mode: "policy" },
      execution: { rail: "shopify", steps: [{ seq: 1 }, { seq: 2 }], artifacts: [{ kind: "screenshot" }] },
      merchant_response: merchantResponse,
      ship_to: { first_name: "Ada", last_name: "Lovelace", postal_code: "SW1Y 4JH", country_code: "GB" },
    });
    expect(contents.execution.artifacts[0]).not.toHaveProperty("bytes");
  });
});

describe("GraphQL", () => {
  it("filters orders and returns steps and artifacts without their bytes", async () => {
    const { accountId, token } = await stack.account();
    const one = await addOrder(db(), accountId, { status: "dispatched", isTest: true });
    await addOrder(db(), accountId, { status: "succeeded" });
    await db().prisma.checkoutStep.create({
      data: { orderId: one.id, seq: 1, at: new Date(), action: "open", outcome: "done" },
    });
    const query = `query ($filter: CheckoutOrderFilter) { viewer { orders(filter: $filter) { edges { node {
      orderId status steps { seq action screenshot { artifactId } } artifacts { artifactId sha256 } } } } } }`;
    const listOrders = async (filter: object) =>
      (await stack.graphql(token, query, { filter })).json.data.viewer.orders.edges.map(
        ({ node }: { node: object }) => node,
      );
    const node = {
      orderId: one.id,
      status: "DISPATCHED",
      steps: [{ seq: 1, action: "open", screenshot: null }],
      artifacts: [],
    };
    expect(await listOrders({ statuses: ["DISPATCHED", "PENDING"] })).toEqual([node]);
    expect(await listOrders({ isTest: true })).toEqual([node]);
    expect(await listOrders({ kinds: ["EXPLORED"] })).toEqual([]);
    expect(await listOrders({ createdBefore: one.createdAt })).toEqual([]);
    expect(await listOrders({})).toHaveLength(2);
  });
});

describe("GraphQL values", () => {
  const DETAILS = `amount { amount amountMinor currency } amountCharged { amount } errorCode
    constraints { maxTotal { amount } maxItem { amount } } question { __typename expiresAt }`;
  const readDetails = async (id: string) =>
    (await stack.graphql(account.token, `query ($id: ID!) { checkoutOrder(id: $id) { ${DETAILS} } }`, { id })).json.data
      .checkoutOrder;

  it("states amounts with their currency, and each cause of a failure as an enum value", async () => {
    const { id } = await addFullOrder();
    const STEPS = "query ($id: ID!) { checkoutOrder(id: $id) { steps { screenshot { kind } } } }";
    const { steps } = (await stack.graphql(account.token, STEPS, { id })).json.data.checkoutOrder;
    expect(steps).toEqual([{ screenshot: { kind: "SCREENSHOT" } }, { screenshot: { kind: "SCREENSHOT" } }]);
    expect(await readDetails(id)).toEqual({
      amount: { amount: "28.95", amountMinor: 2_895, currency: "GBP" },
      ...{ amountCharged: null, errorCode: null, question: null },
      constraints: { maxTotal: { amount: "50.00" }, maxItem: null },
    });
    await transitionOrder(db().prisma, id, "card_declined");
    expect(await readDetails(id)).toMatchObject({ errorCode: "CARD_DECLINED" });
  });

  it.each([
    ["three_d_secure", "ThreeDSecureQuestion"],
    ["security_code", "SecurityCodeQuestion"],
  ])("has a type for the question %s, which REST names as before", async (personNeededFor, __typename) => {
    const { id } = await addFullOrder();
    const personNeededUntil = new Date();
    await db().prisma.checkoutOrder.update({ where: { id }, data: { personNeededFor, personNeededUntil } });
    const question = { __typename, expiresAt: personNeededUntil.toISOString() };
    expect(await readDetails(id)).toMatchObject({ question });
    expect((await get(`/orders/${id}`)).json.person_needed_for).toBe(personNeededFor);
  });

  it("accepts global and own ids in look-ups and filters, and no id of another type", async () => {
    const own = await addMerchant("Sewn Books");
    const { id } = await addOrder(db(), account.accountId, { merchantId: own });
    const query = `query ($order: ID!, $merchant: ID!) { checkoutOrder(id: $order) { orderId } merchant(id: $merchant) { name }
      viewer { orders(filter: { merchantId: $merchant }) { edges { node { orderId } } } } }`;
    const toGlobalId = (type: string, ownId: string) => Buffer.from(`${type}:${ownId}`).toString("base64");
    for (const [order, merchant] of [
      [id, own],
      [toGlobalId("CheckoutOrder", id), toGlobalId("Merchant", own)],
    ]) {
      expect((await stack.graphql(account.token, query, { order, merchant })).json.data).toEqual({
        checkoutOrder: { orderId: id },
        merchant: { name: "Sewn Books" },
        viewer: { orders: { edges: [{ node: { orderId: id } }] } },
      });
    }
    const { json } = await stack.graphql(account.token, query, { order: own, merchant: own });
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0]).toMatchObject({ path: ["checkoutOrder"], message: "id is not the id of an order." });
  });

  it("counts failures by cause", async () => {
    const merchant = await addMerchant("Counted Goods");
    const ended = { startedAt: new Date(), completedAt: new Date(), merchantId: merchant };
    await addOrder(db(), otherAccount.accountId, { ...ended, status: "out_of_stock", errorCode: "out_of_stock" });
    const query = "{ checkoutReliability { merchant { merchantId } rail failures { errorCode count } } }";
    const rows = (await stack.graphql(account.token, query)).json.data.checkoutReliability;
    expect(rows.find((row: { merchant: { merchantId: string } }) => row.merchant.merchantId === merchant)).toEqual({
      ...{ merchant: { merchantId: merchant }, rail: "SHOPIFY", failures: [{ errorCode: "OUT_OF_STOCK", count: 1 }] },
    });
  });
});

describe("GET /api/autofill/reliability", () => {
  it("counts recipe-related outcomes by merchant and recipe, without test merchants", async () => {
    const testedMerchantId = await addMerchant("Zebra Goods");
    const startedAt = new Date(Date.now() - 60_000);
    const run = async (status: string, errorCode: string | null, seconds: number, more: object = {}) =>
      addOrder(db(), otherAccount.accountId, {
        ...{ merchantId: testedMerchantId, status, errorCode, startedAt, recipeId: "rcp_1", recipeVersion: 2 },
        ...{ completedAt: new Date(startedAt.getTime() + seconds * 1_000), ...more },
      });
    for (const seconds of [10, 20, 40]) await run("succeeded", null, seconds);
    await run("worker_error", "missing_field", 5);
    await run("payment_unconfirmed", "outcome_unknown", 5);
    await run("out_of_stock", "out_of_stock", 5);
    await run("out_of_stock", "out_of_stock", 5);
    await run("succeeded", null, 5, { isTest: true });
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    await run("succeeded", null, 5, { startedAt: longAgo, completedAt: longAgo });
    const { status, json } = await get("/reliability");
    expect(status).toBe(200);
    expect(json.window_days).toBe(30);
    const [row, ...others] = json.merchants.filter(
      (one: { merchant_id: string }) => one.merchant_id === testedMerchantId,
    );
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ name: "Zebra Goods", rail: "shopify", recipe_id: "rcp_1", recipe_version: 2, runs: 7, successes: 3 },
      ...{ pass_rate: 0.6, p50_seconds: 20, failures: { out_of_stock: 2, missing_field: 1, outcome_unknown: 1 } },
    });
  });
});

interface Update {
  readonly cursor: string;
  readonly order: { readonly orderId: string; readonly status: string };
}

function connect() {
  return createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": account.token },
    retryAttempts: 0,
  });
}

/** Collects updates until `isLast` returns true. Runs `onSubscribed` once the subscription is active. */
async function watch(variables: object, isLast: (update: Update) => boolean, onSubscribed: () => Promise<void>) {
  const client = connect();
  const query =
    "subscription ($id: ID, $statuses: [CheckoutOrderStatus!], $after: String) { update: orderUpdated(id: $id, statuses: $statuses, after: $after) { cursor order { orderId status } } }";
  const seen: Update[] = [];
  try {
    const updates = client.iterate<{ update: Update }>({ query, variables: { ...variables } });
    let waiting = updates.next();
    await onSubscribed();
    for (let next = await waiting; !next.done; next = await waiting) {
      expect(next.value.errors).toBeUndefined();
      const update = next.value.data?.update;
      if (update) seen.push(update);
      if (update && isLast(update)) break;
      waiting = updates.next();
    }
  } finally {
    await client.dispose();
  }
  return seen;
}

describe("subscriptions", () => {
  it("deliver the updates of one order only, and missed updates after a reconnect", async () => {
    const { pubsub } = stack.service.deps;
    const order = await addFullOrder();
    const other = await addFullOrder();
    const cursor = Buffer.from(`${order.updatedAt.getTime()}:${order.id}`).toString("base64url");
    const end = async (id: string) => {
      const updated = await transitionOrder(db().prisma, id, "confirmed");
      if (updated) publishOrder(pubsub, updated);
    };
    const isEnd = ({ order: { orderId, status } }: Update) => orderId === order.id && status === "SUCCEEDED";
    const one = await watch({ id: order.id, after: cursor }, isEnd, async () => {
      await end(other.id);
      await end(order.id);
    });
    expect(new Set(one.map((update) => update.order.orderId))).toEqual(new Set([order.id]));
    const all = await watch({ after: cursor }, isEnd, async () => {});
    expect(all.map((update) => update.order.orderId)).toContain(other.id);
    expect(all.at(-1)?.cursor).toBe(one.at(-1)?.cursor);
  });

  it("deliver the updates of the requested statuses only", async () => {
    const [order, other] = [await addFullOrder(), await addFullOrder()];
    const after = Buffer.from(`${order.updatedAt.getTime()}:${order.id}`).toString("base64url");
    await transitionOrder(db().prisma, order.id, "confirmed");
    const isEnded = ({ order: { orderId } }: Update) => orderId === order.id;
    const seen = await watch({ statuses: ["SUCCEEDED"], after }, isEnded, async () => {});
    expect(seen.map((update) => update.order.orderId)).not.toContain(other.id);
    expect(seen.at(-1)?.order.status).toBe("SUCCEEDED");
  });

  it("resume from the list's cursor, also without an earlier event", async () => {
    const { json } = await stack.graphql(account.token, "{ viewer { orders(first: 1) { updatesCursor } } }");
    const order = await addFullOrder();
    const isAdded = (update: Update) => update.order.orderId === order.id;
    const updates = await watch({ after: json.data.viewer.orders.updatesCursor }, isAdded, async () => {});
    expect(updates.at(-1)?.order).toEqual({ orderId: order.id, status: "DISPATCHED" });
  });

  it("refuse unknown and foreign ids at once", async () => {
    const foreign = await addOrder(db(), otherAccount.accountId, {});
    const query = "subscription ($id: ID) { orderUpdated(id: $id) { cursor } }";
    for (const id of [foreign.id, "ord_1_none"]) {
      const client = connect();
      const { value } = await client.iterate({ query, variables: { id } }).next();
      expect(value.errors).toMatchObject([{ extensions: { code: "not_found" } }]);
      await client.dispose();
    }
  });
});
