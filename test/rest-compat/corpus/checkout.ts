/** Merchants, products, quotes, orders and approvals of the checkout. */
import { randomBytes } from "node:crypto";
import { expect, vi } from "vitest";
import { requestApproval } from "../../../src/checkout/approvals/approvals.ts";
import { sealDeliveryAddress } from "../../../src/checkout/orders/delivery-address.ts";
import { publishOrder } from "../../../src/checkout/orders/order-events.ts";
import { type Cause, TRANSITIONS, transitionOrder } from "../../../src/checkout/orders/states.ts";
import { APPROVAL_REASONS } from "../../../src/checkout/policy/evaluate-policy.ts";
import { newId } from "../../../src/platform/ids.ts";
import { openBuyer, SOCKS, SOCKS_MINOR } from "../../checkout/dispatch/buyer.ts";
import { createExploration } from "../../checkout/merchants/explored.ts";
import { addOrder, addSealedCard } from "../../checkout/orders/order-rows.ts";
import { createWorkerClient } from "../../checkout/orders/worker-client.ts";
import type { TestAccount } from "../../support/stack.ts";
import { createScopedAccount, exhaust, recordEvent, reopenKey, type Scenario } from "./scenario.ts";

const MERCHANTS = "GET /api/autofill/merchants";
const MERCHANT = "GET /api/autofill/merchants/{id}";
const SEARCH = "GET /api/autofill/products/search";
const LOOKUP = "GET /api/autofill/products/lookup";
const QUOTE = "POST /api/autofill/shopify/quote";
const DISPATCH = "POST /api/autofill/dispatch";
const DRY_RUN = "POST /api/autofill/dry-run";
const EXPLORE = "POST /api/autofill/explore";
const ORDERS = "GET /api/autofill/orders";
const ORDER = "GET /api/autofill/orders/{id}";
const EVIDENCE = "GET /api/autofill/orders/{id}/evidence";
const ARTIFACT = "GET /api/autofill/orders/{id}/artifacts/{artifact_id}";
const ANSWER = "POST /api/autofill/questions/{question_id}/answer";
const RELIABILITY = "GET /api/autofill/reliability";
const CARDS = "GET /api/autofill/cards";
const APPROVAL = "GET /api/autofill/approvals/{approval_token}";

const ADA = {
  ...{ first_name: "Ada", last_name: "Lovelace", address1: "12 St James's Square", city: "London" },
  ...{ postal_code: "SW1Y 4JH", country_code: "GB" },
};
const TOKYO = { ...ADA, city: "Tokyo", province_code: "JP-13", postal_code: "100-0001", country_code: "JP" };

interface Stores {
  readonly account: TestAccount;
  readonly harbour: string;
  readonly quarry: string;
  findUrl(name: string): string;
  fault(store: string, fault: string | null): Promise<void>;
}

export async function recordCheckout(scenario: Scenario): Promise<void> {
  const { stack } = scenario;
  const account = await stack.account();
  const { stores, adminUrl } = stack.sandbox;
  const findUrl = (name: string) => stores.find((store) => store.name === name)?.url ?? "";
  const findId = async (name: string) => {
    const pooledDomain = new URL(findUrl(name)).host;
    return (await stack.service.deps.db.prisma.merchant.findUniqueOrThrow({ where: { pooledDomain } })).id;
  };
  const fault = async (store: string, name: string | null) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(name === null ? { fault: null } : { fault: name, times: 1 });
    await fetch(`${adminUrl}/stores/${store}/fault`, { method: "POST", headers, body });
  };
  const sandboxStores = { account, harbour: await findId("harbour"), quarry: await findId("quarry"), findUrl, fault };
  await recordProducts(scenario, sandboxStores);
  await recordQuotes(scenario, sandboxStores);
  await recordExplorations(scenario, sandboxStores);
  await recordDispatches(scenario, sandboxStores);
  await recordOrders(scenario, sandboxStores);
  await recordApprovals(scenario);
  await recordQuestions(scenario);
  await recordCards(scenario);
}

async function recordProducts({ stack, send }: Scenario, { account, harbour, findUrl, fault }: Stores) {
  const { token } = account;
  const { prisma } = stack.service.deps.db;
  await send(MERCHANTS, "200 found", { token, query: { q: "HARBOUR" } });
  await send(MERCHANT, "200", { token, path: { id: harbour } });
  await send(MERCHANT, "404", { token, path: { id: "mer_0_none" } });
  const unknown = { id: "mer_0_unknown_tax", name: "Tax Unknown", domain: "tax.example", url: "https://tax.example" };
  await prisma.merchant.create({
    data: {
      ...unknown,
      accountId: account.accountId,
      rail: "worker",
      currency: "GBP",
      countryCode: "GB",
      onboardedAt: new Date(),
    },
  });
  await send(MERCHANTS, "200", { token });
  await send(MERCHANT, "200 of the account, unknown tax", { token, path: { id: unknown.id } });
  const words = { q: "wool", country: "GB" };
  await vi.waitFor(async () => expect(await prisma.catalogueIndex.count({ where: { readAt: null } })).toBe(0), 30_000);
  await send(SEARCH, "200", { token, query: { ...words, limit: 3 } });
  await send(SEARCH, "200 to be explored", { token, query: { q: "bread", country: "US", limit: 3 } });
  await send(SEARCH, "400 no words", { token, query: { country: "GB" } });
  await send(SEARCH, "400 country", { token, query: { ...words, country: "FR" } });
  await send(SEARCH, "400 limit", { token, query: { ...words, limit: 101 } });
  await prisma.catalogueIndex.updateMany({ data: { readAt: new Date(0) } });
  await send(SEARCH, "502", { token, query: words });
  const page = `${findUrl("harbour")}/products/wool-socks`;
  const lookups = {
    "200 a variant": `${page}?variant=710032`,
    "200 no variant": page,
    "400 no url": "",
    "400 url": "ftp://merchant.example/products/x",
    "400 url not allowed": "http://10.0.0.1/products/x",
    "400 no product": `${findUrl("harbour")}/collections/all`,
    "404 variant": `${page}?variant=1`,
    "409 no Shopify": `${findUrl("quarry")}/products/stone-hammer`,
  };
  for (const [name, url] of Object.entries(lookups)) await send(LOOKUP, name, { token, query: { url } });
  await fault("harbour", "api_5xx");
  await send(LOOKUP, "502", { token, query: { url: page } });
  await fault("harbour", null);
}

async function recordQuotes({ stack, send }: Scenario, { account, harbour, quarry, findUrl, fault }: Stores) {
  const { token } = account;
  const body = { merchant_id: harbour, items: [{ sku: SOCKS, quantity: 2 }] };
  const { json } = await send(QUOTE, "200 a choice", { token, body: { ...body, ship_to: ADA } });
  const next = json.fulfillment_options.find(({ title }: { title: string }) => title === "Next day").id;
  const delivered = { ...body, ship_to: ADA, fulfillment_option_id: next };
  const cases: Record<string, object> = {
    "200 chosen": delivered,
    "200 within caps": { ...delivered, constraints: { max_total_minor: 5_000, max_shipping_minor: 800 } },
    "200 digital": { ...body, items: [{ sku: "gid://shopify/ProductVariant/710041" }] },
    "200 pickup resolved": { ...body, pickup_location: "Glasgow" },
    "200 pickup by id": { ...body, pickup_location_id: "glasgow" },
    "200 pickup ambiguous": { ...body, pickup_location: "Leith" },
    "200 pickup not found": { ...body, pickup_location: "Aberdeen" },
    "200 undeliverable": { ...body, ship_to: TOKYO },
    "200 sold out": { ...body, ship_to: ADA, items: [{ sku: "gid://shopify/ProductVariant/710013" }] },
    "400 no merchant": { items: body.items },
    "400 no items": { ...body, items: [] },
    "400 option": { ...delivered, fulfillment_option_id: "fo_gone" },
    "400 address": { ...body, ship_to: { ...ADA, postal_code: "" } },
    "400 address member": { ...body, ship_to: { ...ADA, apartment: "4" } },
    "400 caps": { ...body, constraints: { max_total_minor: -1 } },
    "400 unknown cap": { ...body, constraints: { max_totl_minor: 1 } },
    "404": { ...body, merchant_id: "mer_0_none" },
    "409 address with pickup": { ...body, ship_to: ADA, pickup_location: "Glasgow" },
    "409 total": { ...delivered, constraints: { max_total_minor: 3_294 } },
    "409 shipping": { ...delivered, constraints: { max_shipping_minor: 794 } },
    "409 subtotal": { ...delivered, constraints: { max_subtotal_minor: 2_499 } },
    "409 item": { ...delivered, constraints: { max_item_minor: 1_249 } },
    "422": { ...body, items: [{ sku: "SO-X" }] },
  };
  for (const [name, change] of Object.entries(cases)) await send(QUOTE, name, { token, body: change });
  await send(QUOTE, "413 too large", { token, body: { ...body, pickup_location: "x".repeat(2 ** 20) } });
  await fault("harbour", "no_rates");
  await send(QUOTE, "200 no rates", { token, body: { ...body, ship_to: ADA } });
  await fault("harbour", "api_5xx");
  await send(QUOTE, "502", { token, body });
  await fault("harbour", null);

  const { prisma } = stack.service.deps.db;
  const catalogue = { id: newId("cat"), merchantId: quarry, accountId: account.accountId, readAt: new Date() };
  await prisma.merchantCatalogue.create({ data: catalogue });
  const product = { productId: "76001", title: "Stone hammer", priceMinor: 4_200n, currency: "USD", available: true };
  const productUrl = `${findUrl("quarry")}/products/stone-hammer`;
  await prisma.merchantProduct.create({ data: { ...product, catalogueId: catalogue.id, sku: "HAM-2", productUrl } });
  const hammer = { merchant_id: quarry, items: [{ sku: "HAM-2" }] };
  await send(MERCHANT, "200 with its catalogue", { token, path: { id: quarry } });
  await send(QUOTE, "200 of a worker merchant", { token, body: hammer });
  await send(QUOTE, "200 pickup unavailable", { token, body: { ...hammer, pickup_location: "Counter" } });
  await send(QUOTE, "409 address not supported", { token, body: { ...hammer, ship_to: ADA } });
  const closed = { id: "mer_0_no_api", name: "No API", domain: "no-api.example", url: findUrl("quarry") };
  await prisma.merchant.create({
    data: {
      ...closed,
      accountId: account.accountId,
      rail: "shopify",
      currency: "GBP",
      countryCode: "GB",
      onboardedAt: new Date(),
    },
  });
  await send(QUOTE, "409 no Shopify", { token, body: { ...body, merchant_id: closed.id } });
  await send(QUOTE, "409 caps not verifiable", { token, body: { ...hammer, constraints: { max_total_minor: 9_000 } } });
}

async function recordExplorations(scenario: Scenario, { findUrl, fault }: Stores) {
  const { stack, send } = scenario;
  const account = await stack.account();
  const { token, accountId } = account;
  const worker = createWorkerClient(stack);
  const url = "http://127.0.0.1:9/shop";
  const body = { merchant_url: url, goal: "a hammer", prefs: "by post", currency: "usd" };
  const { json } = await send(EXPLORE, "200 started", { token, body });
  await send(ORDER, "200 exploration", { token, path: { id: json.order_id } });
  const { lease } = await worker.claimNext();
  const exploration = createExploration("http://127.0.0.1:9");
  await worker.send(lease, "finish", { cause: "explored", exploration });
  await send(ORDER, "200 explored by a worker", { token, path: { id: json.order_id } });
  await recordEvent(scenario, account, "order.explored");
  await send(EXPLORE, "200 explored at once", { token, body: { merchant_url: findUrl("harbour"), goal: "socks" } });
  await send(EXPLORE, "400 no goal", { token, body: { merchant_url: url, goal: "" } });
  await send(EXPLORE, "400 currency", { token, body: { ...body, currency: "pounds" } });
  await send(EXPLORE, "400 url not allowed", { token, body: { ...body, merchant_url: "http://10.0.0.1/" } });
  await send(EXPLORE, "413 too large", { token, body: { ...body, goal: "x".repeat(2 ** 20) } });
  await fault("harbour", "api_5xx");
  await send(EXPLORE, "502", { token, body: { merchant_url: findUrl("harbour"), goal: "gloves" } });
  await fault("harbour", null);
  const scoped = await createScopedAccount(stack, []);
  await send(EXPLORE, "403 scope", { token: scoped.token, body });
  await exhaust(stack, "explore", accountId, 60, 3_600).catch(() => {});
  await send(EXPLORE, "429", { token, body: { ...body, goal: "a chisel" } });
}

async function recordDispatches(scenario: Scenario, { account, harbour, quarry, findUrl, fault }: Stores) {
  const { stack, send } = scenario;
  const { prisma } = stack.service.deps.db;
  const buyer = await openBuyer(stack.service);
  const { token, accountId } = buyer;
  const items = [{ sku: SOCKS, quantity: 2 }];
  // Another account's quote: a dispatch must repeat the address of its own quotes.
  const cart = { merchant_id: harbour, items, ship_to: ADA };
  const { json: quote } = await stack.rest(account.token, "POST", "/api/autofill/shopify/quote", cart);
  const standard = quote.fulfillment_options.find(({ title }: { title: string }) => title === "Standard").id;
  const body = {
    ...{ merchant_id: harbour, items, fulfillment_option_id: standard, amount_minor: SOCKS_MINOR, currency: "GBP" },
    ...{ user_confirmation_text: "Yes, order it", user_approved_at_iso: "2024-11-20T17:29:16Z" },
    user_prompt: "Two pairs of wool socks, please.",
  };
  const pending = await send(DISPATCH, "202 approval required", { token, body });
  await send(APPROVAL, "200 pending", { token, path: { approval_token: pending.json.approval_token } });
  await send(ORDER, "200 approval required", { token, path: { id: pending.json.order_id } });
  await recordEvent(scenario, buyer, "order.approval_required");
  await buyer.approve(pending);
  await send(APPROVAL, "200 approved", { token, path: { approval_token: pending.json.approval_token } });
  await send(DISPATCH, "200 approved", { token, body: { ...body, approval_token: pending.json.approval_token } });
  await send(APPROVAL, "200 consumed", { token, path: { approval_token: pending.json.approval_token } });
  await createWorkerClient(stack).claimNext();
  await recordEvent(scenario, buyer, "order.dispatched");
  const denied = await buyer.dispatch({ ...body, user_confirmation_text: "Yes (2)" });
  await buyer.deny(denied);
  await send(APPROVAL, "200 denied", { token, path: { approval_token: denied.json.approval_token } });
  await send(DISPATCH, "200 denied", { token, body: { ...body, user_confirmation_text: "Yes (2)" } });
  await recordEvent(scenario, buyer, "order.failed");
  await buyer.signPolicy();
  const key = { "idempotency-key": "ordered-once" };
  const covered = { ...body, user_confirmation_text: "Yes (3)" };
  await send(DISPATCH, "200 within the policy", { token, body: covered, headers: key });
  await send(DISPATCH, "422 another request with the key", {
    token,
    body: { ...covered, user_prompt: "Other" },
    headers: key,
  });
  await reopenKey(stack, { accountId }, key["idempotency-key"]);
  await send(DISPATCH, "409 the key's first request is in flight", { token, body: covered, headers: key });

  for (const retryAction of ["re_preview", "handoff", "contact_support"]) {
    const data = {
      status: "worker_error",
      retryAction,
      retryable: false,
      errorCode: "recipe_broken",
      completedAt: new Date(),
    };
    await prisma.checkoutOrder.updateMany({ where: { accountId, userConfirmationText: "Yes (3)" }, data });
    await send(DISPATCH, `200 ended with ${retryAction}`, { token, body: covered });
  }

  const other = await openBuyer(stack.service);
  await other.signPolicy();
  await other.quote({ merchant_id: harbour, items });
  const own = { token: other.token };
  const cases: Record<string, object> = {
    "400 no merchant": { merchant_id: undefined },
    "400 amount": { amount_minor: "2895" },
    "400 time": { user_approved_at_iso: "yesterday" },
    "400 no choice": { fulfillment_option_id: undefined },
    "400 address": { ship_to: { ...ADA, postal_code: "" } },
    "400 caps": { constraints: { max_shipping_minor: -1 } },
    "404": { merchant_id: "mer_1_x" },
    "409 amount": { amount_minor: 2_894 },
    "409 item sold out": { items: [{ sku: "gid://shopify/ProductVariant/710013", quantity: 2 }] },
    "409 caps": { constraints: { max_total_minor: 2_894 } },
    "409 caps of another quote": { constraints: { max_total_minor: 5_000 } },
    "409 address": { ship_to: ADA },
    "409 address with pickup": { ship_to: ADA, pickup_location: "Leeds" },
    "409 pickup": { fulfillment_option_id: undefined, pickup_location: "London" },
    "422": { items: [{ sku: "wool socks" }] },
  };
  for (const [name, change] of Object.entries(cases))
    await send(DISPATCH, name, { ...own, body: { ...body, ...change } });
  await prisma.merchant.update({ where: { id: quarry }, data: { onboardedAt: new Date() } });
  await send(DISPATCH, "409 address not supported", { ...own, body: { ...body, merchant_id: quarry, ship_to: ADA } });
  await send(DISPATCH, "413 too large", { ...own, body: { ...body, user_prompt: "x".repeat(2 ** 20) } });
  const place = { rail: "shopify", currency: "GBP", countryCode: "GB", onboardedAt: new Date() };
  const closed = { id: "mer_0_closed", name: "No API", domain: "closed.example", url: findUrl("quarry") };
  await prisma.merchant.create({ data: { ...closed, ...place, accountId: other.accountId } });
  await send(DISPATCH, "409 no Shopify", { ...own, body: { ...body, merchant_id: closed.id } });
  const restrict = (allowedHosts: string[]) =>
    prisma.apiToken.updateMany({ where: { accountId: other.accountId }, data: { allowedHosts } });
  await restrict(["merchant.example"]);
  await send(DISPATCH, "403 hosts", { ...own, body });
  await restrict([]);
  const dry = { merchant_id: harbour, items, fulfillment_option_id: standard };
  const started = await send(DRY_RUN, "200", { ...own, body: dry });
  const result = { isAtPayment: true, totalMinor: 2_895, taxMinor: 482, currency: "GBP" };
  const missingFields = [{ purpose: "phone", label: "Phone" }];
  await prisma.checkoutOrder.update({
    where: { id: started.json.order_id },
    data: { status: "explored", completedAt: new Date(), dryRun: { ...result, missingFields } },
  });
  await send(ORDER, "200 dry run", { ...own, path: { id: started.json.order_id } });
  const dryCases: Record<string, object> = {
    "400 address": { ship_to: { ...ADA, postal_code: "" } },
    "400 caps": { constraints: { max_shipping_minor: -1 } },
    "404": { merchant_id: "mer_1_x" },
    "409 total above the cap": { constraints: { max_total_minor: 2_894 } },
    "409 address with pickup": { ship_to: ADA, pickup_location: "Leeds" },
    "409 address not supported": { merchant_id: quarry, ship_to: ADA },
    "409 cap not verifiable": {
      ...{ merchant_id: quarry, items: [{ sku: "HAM-2" }], fulfillment_option_id: undefined },
      constraints: { max_total_minor: 9_000 },
    },
    "422": { items: [{ sku: "wool socks" }] },
    "409 no Shopify": { merchant_id: closed.id },
  };
  for (const [name, change] of Object.entries(dryCases))
    await send(DRY_RUN, name, { ...own, body: { ...dry, ...change } });
  await fault("harbour", "api_5xx");
  await send(DISPATCH, "502", { ...own, body });
  await fault("harbour", "api_5xx");
  await send(DRY_RUN, "502", { ...own, body: { ...dry, items: [{ sku: SOCKS, quantity: 3 }] } });
  await fault("harbour", null);
  await restrict(["merchant.example"]);
  await send(DRY_RUN, "403 hosts", { ...own, body: dry });
  await restrict([]);
  await send(DRY_RUN, "413 too large", { ...own, body: { ...dry, pickup_location: "x".repeat(2 ** 20) } });
  await exhaust(stack, "explore", other.accountId, 60, 3_600).catch(() => {});
  await send(DRY_RUN, "429", { ...own, body: dry });
  await exhaust(stack, "dispatch", other.accountId, 120).catch(() => {});
  await send(DISPATCH, "429", { ...own, body });
}

const ECHO = { recipient: "A. L.", city: "London", provinceCode: null, postalCodePrefix: "SW1Y", countryCode: "GB" };
const ADDRESS = {
  ...{ firstName: "Ada", lastName: "Lovelace", company: null, address1: "12 St James's Square", address2: null },
  ...{ city: "London", provinceCode: null, postalCode: "SW1Y 4JH", countryCode: "GB", phone: null },
};

/** Records orders in each state, from stored rows. */
async function recordOrders(scenario: Scenario, { harbour, quarry }: Stores) {
  const { stack, send } = scenario;
  const { deps } = stack.service;
  const account = await stack.account();
  const { token, accountId } = account;
  await send(ORDERS, "200 none", { token });
  await send(RELIABILITY, "200", { token });
  const caps = { maxTotalMinor: 5_000, maxShippingMinor: null, maxSubtotalMinor: null, maxItemMinor: null };
  const add = async (more: object = {}, cause: Cause | null = null) => {
    const id = newId("ord");
    const sealed = await sealDeliveryAddress(deps.keks, { id, accountId }, ADDRESS);
    const needsSubmission = cause !== null && TRANSITIONS[cause].card === "submitted";
    return await addOrder(deps.db, accountId, {
      ...{ id, merchantId: harbour, status: "dispatched", ...sealed, shipToEcho: ECHO, shipToSha256: "5".repeat(64) },
      request: {
        items: [{ sku: SOCKS, quantity: 2 }],
        fulfillmentOptionId: "fo_1",
        pickupLocation: null,
        pickupLocationId: null,
        constraints: caps,
        agentId: null,
      },
      ...{ userPrompt: "Socks", userConfirmationText: "Yes", userApprovedAt: new Date(), approvalMode: "policy" },
      ...{ workerJobId: newId("wjb"), startedAt: new Date(), submittedAt: needsSubmission ? new Date() : null },
      ...more,
    });
  };
  const order = await add();
  const step = { orderId: order.id, seq: 1, at: new Date(), action: "open", outcome: "done" };
  await deps.db.prisma.checkoutStep.create({ data: step });
  const artifact = {
    id: newId("art"),
    orderId: order.id,
    kind: "screenshot",
    contentType: "image/png",
    sha256: "a".repeat(64),
  };
  await deps.db.prisma.checkoutArtifact.create({
    data: { ...artifact, redactions: ["card fields"], bytes: new Uint8Array([1]) },
  });
  await send(ORDER, "200 dispatched", { token, path: { id: order.id } });
  await send(EVIDENCE, "404 not ended", { token, path: { id: order.id } });
  await send(ARTIFACT, "200", { token, path: { id: order.id, artifact_id: artifact.id } });
  await send(ARTIFACT, "404", { token, path: { id: order.id, artifact_id: "art_1_none" } });
  await add({ status: "pending" });
  await add({ status: "approval_required" });
  const waiting = await add({ personNeededFor: "three_d_secure", personNeededUntil: new Date(Date.now() + 600_000) });
  await send(ORDER, "200 three_d_secure", { token, path: { id: waiting.id } });
  for (const [cause, { from, to, kinds }] of Object.entries(TRANSITIONS) as [Cause, (typeof TRANSITIONS)[Cause]][]) {
    if (to === "dispatched") continue;
    const { id } = await add({ status: from.at(-1), kind: kinds[0] }, cause);
    const columns =
      cause === "confirmed"
        ? { amountChargedMinor: 2_500n, merchantOrderNumber: "H-1042", confirmedAt: new Date() }
        : {};
    const ended = await transitionOrder(deps.db.prisma, id, cause, { columns });
    if (!ended) throw new Error(`The order did not end: ${cause}`);
    await send(ORDER, `200 ${cause}`, { token, path: { id } });
    if (cause !== "confirmed") continue;
    await send(EVIDENCE, "200", { token, path: { id } });
    const single = await stack.account();
    await deps.db.prisma.checkoutOrder.update({
      where: { id },
      data: { accountId: single.accountId, updatedAt: new Date() },
    });
    publishOrder(deps.pubsub, { ...ended, accountId: single.accountId });
    await recordEvent(scenario, single, "order.succeeded");
    await deps.db.prisma.checkoutOrder.update({ where: { id }, data: { accountId } });
  }
  const signed = await add({ approvalMode: "passkey" }, "confirmed");
  await transitionOrder(deps.db.prisma, signed.id, "confirmed");
  await send(EVIDENCE, "200 approved with a passkey", { token, path: { id: signed.id } });
  const ofWorker = await add({ merchantId: quarry, createdAt: new Date(0) });
  await transitionOrder(deps.db.prisma, ofWorker.id, "time_spent");
  await send(ORDERS, "200", { token });
  await send(ORDER, "404", { token, path: { id: "ord_1_none" } });
  await send(EVIDENCE, "404", { token, path: { id: "ord_1_none" } });
  await send(RELIABILITY, "200 with failures", { token, volatile: ["p50_seconds", "pass_rate"] });
  const scoped = await createScopedAccount(stack, []);
  await send(ARTIFACT, "403 scope", { token: scoped.token, path: { id: order.id, artifact_id: artifact.id } });
}

/** Records the question of an order, and its answers. */
async function recordQuestions({ stack, send }: Scenario) {
  const { deps } = stack.service;
  const { accountId, token, tokenId: credentialId } = await stack.account();
  const addQuestion = async (question: {
    purpose: string;
    kind: string;
    choices?: { id: string; label: string }[];
  }) => {
    const expiresAt = new Date(Date.now() + 600_000);
    const order = await addOrder(deps.db, accountId, {
      ...{
        credentialId,
        status: "dispatched",
        workerJobId: newId("wjb"),
        leasedUntil: expiresAt,
        personNeededFor: "question",
      },
    });
    const id = newId("qst");
    const names = { id, orderId: order.id, accountId, openSlot: order.id, status: "open", expiresAt };
    const bounds = { merchantText: "Field *", minLength: 1, maxLength: 40 };
    await deps.db.prisma.orderQuestion.create({ data: { choices: [], ...bounds, ...names, ...question } });
    return { id, orderId: order.id };
  };
  const choices = [{ id: "f", label: "Frau" }];
  const salutation = await addQuestion({ purpose: "salutation", kind: "choice", choices });
  const company = await addQuestion({ purpose: "company", kind: "text" });
  const birthdate = await addQuestion({ purpose: "date_of_birth", kind: "date" });
  const consent = await addQuestion({ purpose: "consent", kind: "yes_no" });
  for (const [kind, { orderId }] of Object.entries({
    choice: salutation,
    text: company,
    date: birthdate,
    yes_no: consent,
  }))
    await send(ORDER, `200 question ${kind}`, { token, path: { id: orderId } });
  await send(ANSWER, "200 text", { token, path: { question_id: company.id }, body: { answer: "Engines Ltd" } });
  const path = { question_id: salutation.id };
  await send(ANSWER, "400", { token, path, body: { answer: "Frau" } });
  await send(ANSWER, "200", { token, path, body: { answer: "f" } });
  await send(ANSWER, "409 answered", { token, path, body: { answer: "f" } });
  await send(ANSWER, "413 too large", { token, path, body: { answer: "x".repeat(2 ** 20) } });
  await send(ANSWER, "403", { token, path: { question_id: birthdate.id }, body: { answer: "1990-12-10" } });
  await send(ANSWER, "404", { token, path: { question_id: "qst_1_none" }, body: { answer: "f" } });
}

/** Records approvals with each reason and status, from stored rows. */
async function recordApprovals({ stack, send }: Scenario) {
  const { deps } = stack.service;
  const { token, accountId, tokenId: credentialId } = await stack.account();
  for (const reason of Object.keys(APPROVAL_REASONS) as (keyof typeof APPROVAL_REASONS)[]) {
    const dispatchSha256 = new Uint8Array(randomBytes(32));
    const { id: orderId } = await addOrder(deps.db, accountId, {
      credentialId,
      dispatchSha256,
      status: "approval_required",
    });
    const names = { orderId, accountId, requesterId: credentialId, dispatchSha256 };
    const document = { merchant: "Harbour Outfitters", amount_minor: 2_895, currency: "GBP", lines: [] };
    const pending = await deps.db.prisma.$transaction((tx) =>
      requestApproval(tx, deps, { ...names, reason, document }),
    );
    await send(APPROVAL, `200 ${reason}`, { token, path: { approval_token: pending.token } });
    if (reason !== "no_policy") continue;
    await deps.db.prisma.checkoutApproval.update({ where: { orderId }, data: { expiresAt: new Date(0) } });
    await send(APPROVAL, "200 expired", { token, path: { approval_token: pending.token } });
  }
  await send(APPROVAL, "404", { token, path: { approval_token: `satchel_ap_${"0".repeat(43)}` } });
  await send(APPROVAL, "400", { token, path: { approval_token: "x y" } });
}

async function recordCards({ stack, send }: Scenario) {
  const { token, accountId } = await stack.account();
  await send(CARDS, "200 none", { token });
  const { db, keks } = stack.service.deps;
  const cards = [
    { funding: "credit", nickname: "Work" },
    { funding: "debit", status: "disabled" },
    { funding: "prepaid", expYear: 2020 },
    { funding: "unknown", brand: "mastercard" },
  ];
  for (const [at, card] of cards.entries()) {
    const id = await addSealedCard(db, keks, accountId);
    const data = {
      expYear: 2099,
      ...card,
      fingerprint: randomBytes(16),
      createdAt: new Date(Date.UTC(2026, 0, at + 1)),
    };
    await db.prisma.paymentCard.update({ where: { id }, data: { ...data, defaultSlot: at === 1 ? accountId : null } });
  }
  await send(CARDS, "200", { token });
}
