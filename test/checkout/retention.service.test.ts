// @module-tag postgresql
/** Retention of cards, of orders' artifacts and of their personal data. What is signed verifies afterwards. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { beforeAll, expect, it } from "vitest";
import { buildMandateChain } from "../../src/checkout/mandates/mandate-chain.ts";
import { sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { newId } from "../../src/platform/ids.ts";
import { enforceRules } from "../support/retention.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { type AccountOwner, addCard, HOME, openAccountOwner } from "./account-owner.ts";
import { addMerchant, addOrder } from "./orders/order-rows.ts";

const DAY_MS = 86_400_000;
let stack: Stack;
let owner: AccountOwner;
let merchantId: string;
let cardId: string;
beforeAll(async () => {
  stack = await sharedStack();
  owner = await openAccountOwner(stack);
  cardId = (await addCard(owner)).card.cardId;
  merchantId = await addMerchant(stack.service.deps.db);
});

const db = () => stack.service.deps.db;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const get = (path: string) => stack.rest(owner.token, "GET", `/api/autofill${path}`);
const SECRETS = /Lovelace|St James|A\. L\.|Socks, please|Yes, buy|Dear Ada|thanks\?key/;

/** Adds an order, approved with a passkey, that ended `days` ago, with a screenshot and a signed bundle. */
async function addEndedOrder(days: number) {
  const id = newId("ord");
  const { accountId } = owner;
  const card = await db().prisma.paymentCard.findUniqueOrThrow({ where: { id: cardId } });
  const sealed = await sealDeliveryAddress(stack.service.deps.keks, { id, accountId }, checkShipTo(HOME));
  const document = {
    ...{ order_id: id, user_prompt: "Socks, please", amount_minor: 2_895 },
    destination: { kind: "other", sha256: "5".repeat(64), recipient: "A. L.", city: "London", country_code: "GB" },
  };
  const signature = { type: "webauthn", credential_id: "a" };
  const request = { items: [{ sku: "sku-1", quantity: 1 }], constraints: null, agentId: null };
  const mandateChain = await buildMandateChain(stack.service.deps, {
    ...{ id, accountId, dispatchSha256: new Uint8Array(32), request, quoteSha256: null, shipToSha256: "5".repeat(64) },
    ...{ amountMinor: 2_895n, currency: "GBP", amountIsFinal: true, card },
    merchant: { id: merchantId, name: "Shop", url: "https://shop.example" },
    consent: { mode: "passkey", approval: { document, signature, expiresAt: ago(-1) } },
  });
  await addOrder(db(), accountId, {
    ...{ id, merchantId, cardId, request, ...sealed, shipToSha256: "5".repeat(64), status: "succeeded" },
    shipToEcho: { recipient: "A. L.", city: "London", provinceCode: null, postalCodePrefix: "SW1Y", countryCode: "GB" },
    quote: { rail: "worker", shipToEcho: { recipient: "A. L." } },
    ...{ userPrompt: "Socks, please", userConfirmationText: "Yes, buy", approvalMode: "passkey" },
    mandateChain: JSON.parse(JSON.stringify(mandateChain)),
    confirmationUrl: "https://shop.example/thanks?key=1",
    merchantResponse: {
      order_number: "H-7",
      text_excerpt: "Dear Ada",
      confirmation_url: "https://shop.example/thanks?key=1",
    },
    ...{ merchantOrderNumber: "H-7", completedAt: ago(days), updatedAt: ago(days) },
  });
  await db().prisma.checkoutApproval.create({
    data: {
      ...{ id: newId("apr"), orderId: id, accountId, requesterId: owner.tokenId, tokenHash: Buffer.from(id) },
      ...{ dispatchSha256: new Uint8Array(32), reason: "no policy", document, signature, status: "consumed" },
      expiresAt: ago(days),
    },
  });
  const artifactId = newId("art");
  await db().prisma.checkoutArtifact.create({
    data: {
      ...{ id: artifactId, orderId: id, kind: "screenshot", contentType: "image/png", sha256: "a".repeat(64) },
      ...{ redactions: [], bytes: new Uint8Array([1]), createdAt: ago(days) },
    },
  });
  return { id, artifactId, bundle: (await get(`/orders/${id}/evidence`)).json };
}

async function expectVerifiable(bundle: Record<string, unknown> & { signature: string; bundle_sha256: string }) {
  const { bundle_sha256: digest, signature, ...contents } = bundle;
  expect(digest).toBe(
    createHash("sha256")
      .update(canonicalize(contents) ?? "")
      .digest("hex"),
  );
  const keys = createRemoteJWKSet(new URL("/.well-known/mandate-keys.json", stack.baseUrl));
  expect((await jwtVerify(signature, keys)).payload).toMatchObject({ bundle_sha256: digest });
  return keys;
}

it("deletes artifacts after 180 days; the bundle remains unchanged and the download says so", async () => {
  const [old, young] = [await addEndedOrder(181), await addEndedOrder(179)];
  expect((await get(`/orders/${old.id}/artifacts/${old.artifactId}`)).status).toBe(200);
  await enforceRules(db(), ["order-artifacts"]);
  const missing = await get(`/orders/${old.id}/artifacts/${old.artifactId}`);
  expect([missing.status, missing.json.error]).toEqual([404, "not_found"]);
  expect(missing.json.message).toContain("at the end of its retention");
  expect((await get(`/orders/${young.id}/artifacts/${young.artifactId}`)).status).toBe(200);
  expect((await get(`/orders/${old.id}/evidence`)).json).toEqual(old.bundle);
  const row = await db().prisma.checkoutArtifact.findUniqueOrThrow({ where: { id: old.artifactId } });
  expect(row.bytes.length).toBe(0);
  const query = `{ checkoutOrder(id: "${old.id}") { artifacts { removedAt } } }`;
  expect((await stack.graphql(owner.token, query)).json.data.checkoutOrder.artifacts).toEqual([
    { removedAt: row.removedAt?.toISOString() },
  ]);
});

it("removes personal data after 540 days; the bundle states it, is signed again, and refers to the complete one", async () => {
  const [old, young] = [await addEndedOrder(541), await addEndedOrder(539)];
  expect(JSON.stringify(old.bundle)).toMatch(SECRETS);
  await enforceRules(db(), ["order-data"]);
  const { status, json: bundle } = await get(`/orders/${old.id}/evidence`);
  expect(status).toBe(200);
  const keys = await expectVerifiable(bundle);
  expect(bundle.removed).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    members: [
      "request.user_prompt",
      "approval.user_confirmation_text",
      "mandate_chain",
      "merchant_response.text_excerpt",
      "merchant_response.confirmation_url",
      "ship_to",
    ],
    original: { bundle_sha256: old.bundle.bundle_sha256, signature: old.bundle.signature },
  });
  // A copy from before verifies with the digest and the signature that the bundle still contains.
  await expectVerifiable({ ...old.bundle, ...bundle.removed.original });
  const [removed, ...others] = bundle.mandate_chain;
  expect(removed).toEqual({
    role: "intent",
    vct: "mandate.checkout.open.1",
    sha256: old.bundle.mandate_chain[0].sha256,
  });
  expect(others).toEqual(old.bundle.mandate_chain.slice(1));
  await jwtVerify(others[0].sd_jwt.split("~")[0], keys);
  expect(bundle.merchant_response).toEqual({ order_number: "H-7", text_excerpt: null, confirmation_url: null });

  const { prisma } = db();
  const order = await prisma.checkoutOrder.findUniqueOrThrow({ where: { id: old.id }, include: { approval: true } });
  const { mandateChain, ...columns } = order;
  const payloads = (mandateChain as { sd_jwt?: string }[]).map(({ sd_jwt = "" }) =>
    Buffer.from(sd_jwt.split(".")[1] ?? "", "base64url").toString(),
  );
  const text = JSON.stringify([columns, mandateChain, payloads], (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(text).not.toMatch(SECRETS);
  expect(order).toMatchObject({ sealedShipTo: null, wrappedDataKey: null, shipToSha256: "5".repeat(64) });
  // A later change would be published and delivered again.
  expect(Date.now() - order.updatedAt.getTime()).toBeGreaterThan(540 * DAY_MS);
  expect((await get(`/orders/${old.id}`)).json).toMatchObject({ status: "succeeded", ship_to: null });
  expect((await get(`/orders/${young.id}/evidence`)).json).toEqual(young.bundle);
});

it("removes the goal of an exploration", async () => {
  const request = { merchantUrl: "https://new.example/", goal: "tea for Ada", prefs: "blue", currency: null };
  const completedAt = ago(541);
  const { id } = await addOrder(db(), owner.accountId, { kind: "explored", status: "explored", request, completedAt });
  await enforceRules(db(), ["order-data"]);
  expect((await db().prisma.checkoutOrder.findUniqueOrThrow({ where: { id } })).request).toEqual({
    ...{ merchantUrl: "https://new.example/", goal: "", prefs: null, currency: null },
  });
  const bundle = (await stack.graphql(owner.token, `{ checkoutOrder(id: "${id}") { evidenceBundle } }`)).json.data
    .checkoutOrder.evidenceBundle;
  expect(bundle.removed.members).toEqual(["request.exploration.goal"]);
  expect(bundle.removed.original).toEqual({ bundle_sha256: null, signature: null });
});

it("removes name and address of a removed card, which orders still display", async () => {
  const other = await openAccountOwner(stack);
  const otherCardId = (await addCard(other)).card.cardId;
  const { id, accountId } = await db().prisma.paymentCard.findUniqueOrThrow({ where: { id: otherCardId } });
  const { id: orderId } = await addOrder(db(), accountId, { cardId: id, status: "succeeded", completedAt: new Date() });
  await enforceRules(db(), ["removed-cards"]);
  const read = async () =>
    (
      await other.visitor.graphql(
        `{ checkoutOrder(id: "${orderId}") { card { last4 cardholderName billingCountry billingAddress { city } } } }`,
      )
    ).checkoutOrder.card;
  expect(await read()).toMatchObject({ cardholderName: "Ada Lovelace", billingAddress: { city: "London" } });
  const globalId = Buffer.from(`PaymentCard:${id}`).toString("base64");
  await other.visitor.graphql(`mutation ($id: ID!) { removeCard(input: { id: $id }) { __typename } }`, {
    id: globalId,
  });
  await enforceRules(db(), ["removed-cards"], { REMOVED_CARD_DAYS: 1 });
  expect((await db().prisma.paymentCard.findUniqueOrThrow({ where: { id } })).cardholderName).toBe("Ada Lovelace");
  await enforceRules(db(), ["removed-cards"]);
  expect(await read()).toEqual({ last4: "4242", cardholderName: "", billingCountry: "GB", billingAddress: null });
  const row = await db().prisma.paymentCard.findUniqueOrThrow({ where: { id } });
  expect([row.billingAddress, row.nickname]).toEqual([{ countryCode: "GB" }, null]);
});
