/** Mandates of an order, verified with the published keys and a library that shares no code with the signer. */
import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { beforeAll, expect, it } from "vitest";
import {
  buildMandateChain,
  createReceipt,
  type MandatedOrder,
  signBundle,
} from "../../src/checkout/mandates/mandate-chain.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { type AccountOwner, addCard, openAccountOwner } from "./account-owner.ts";

let stack: Stack;
let owner: AccountOwner;
let cardId: string;
const SIGNATURE = {
  type: "webauthn",
  credential_id: "a",
  authenticator_data: "b",
  client_data_json: "c",
  signature: "d",
};
const merchant = { id: "mer_1", name: "Harbour", url: "https://harbour.example" };

beforeAll(async () => {
  stack = await sharedStack();
  owner = await openAccountOwner(stack);
  cardId = (await addCard(owner)).card.cardId;
});

async function createOrder(isApproved = true): Promise<MandatedOrder> {
  const { prisma } = stack.service.deps.db;
  const card = await prisma.paymentCard.findUniqueOrThrow({ where: { id: cardId } });
  const document = { order_id: "ord_1", amount_minor: 2_895 };
  const approval = { document, signature: isApproved ? SIGNATURE : null, expiresAt: new Date(Date.now() + 60_000) };
  return {
    id: "ord_1",
    accountId: owner.accountId,
    dispatchSha256: new Uint8Array(randomBytes(32)),
    request: { items: [{ sku: "gid://shopify/ProductVariant/1", quantity: 1 }] },
    ...{ quoteSha256: "cd".repeat(32), shipToSha256: null },
    ...{ amountMinor: 2_895n, currency: "GBP", amountIsFinal: true },
    ...{ merchant, card, consent: { mode: "passkey", approval } },
  };
}

const keys = () => createRemoteJWKSet(new URL("/.well-known/mandate-keys.json", stack.baseUrl));
const issuer = () => stack.service.deps.site.baseUrl();

it("verify individually, each with a reference to its parent mandate", async () => {
  const { deps } = stack.service;
  const { id: orderId } = await createOrder();
  const chain = await buildMandateChain(deps, await createOrder());
  expect(chain.map(({ role, vct }) => [role, vct])).toEqual([
    ["intent", "mandate.checkout.open.1"],
    ["intent", "mandate.payment.open.1"],
    ["cart", "mandate.checkout.1"],
    ["payment", "mandate.payment.1"],
  ]);
  for (const { sd_jwt, sha256, vct } of chain) {
    expect(createHash("sha256").update(sd_jwt).digest("hex")).toBe(sha256);
    const [jwt = "", rest] = sd_jwt.split("~");
    expect(rest).toBe("");
    const { payload, protectedHeader } = await jwtVerify(jwt, keys(), { issuer: issuer(), typ: "dc+sd-jwt" });
    expect([payload["vct"], protectedHeader.alg]).toEqual([vct, "ES256"]);
    const [head, body = "", signature] = jwt.split(".");
    const forged = Buffer.from(body, "base64url").toString().replace(issuer(), "https://evil.example");
    const tampered = [head, Buffer.from(forged).toString("base64url"), signature].join(".");
    await expect(jwtVerify(tampered, keys())).rejects.toThrow("signature verification failed");
  }
  const [openCheckout, openPayment, cart, payment] = chain;
  expect(cart).toMatchObject({ merchant_signed: false, open_mandate_sha256: openCheckout?.sha256 });
  const checkoutJwt = cart?.["checkout_jwt"] as string;
  expect(cart?.["checkout_hash"]).toBe(createHash("sha256").update(checkoutJwt).digest("base64url"));
  const { payload } = await jwtVerify(checkoutJwt, keys(), { issuer: issuer() });
  expect(payload).toMatchObject({ order_id: orderId, total: { amount: 2_895, currency: "GBP", is_final: true } });
  expect(payment).toMatchObject({
    transaction_id: cart?.["checkout_hash"],
    payee: { id: "mer_1", website: "https://harbour.example" },
    payment_amount: { amount: 2_895, currency: "GBP" },
    payment_instrument: { type: "card", id: cardId, description: "visa 4242" },
    open_mandate_sha256: openPayment?.sha256,
  });
  expect(decodeJwt(openCheckout?.sd_jwt.split("~")[0] ?? "")).toMatchObject({
    constraints: { purchase: { order_id: orderId, amount_minor: 2_895 } },
    consent: { mode: "passkey", webauthn: SIGNATURE },
  });
  expect(JSON.stringify(chain)).not.toContain("4242424242424242");
});

it("are not created for an order without an approval", async () => {
  await expect(buildMandateChain(stack.service.deps, await createOrder(false))).rejects.toThrow(
    "has no signed approval",
  );
});

it("sign the bundle digest with the same keys and state the outcome in a receipt", async () => {
  const sha256 = "ab".repeat(32);
  const { payload } = await jwtVerify(await signBundle(stack.service.deps, "ord_1", sha256), keys());
  expect(payload).toMatchObject({ order_id: "ord_1", bundle_sha256: sha256, iss: issuer() });
  const ended = { id: "ord_1", status: "succeeded", merchantOrderNumber: "#1001" };
  expect(createReceipt(ended)).toEqual({ role: "receipt", status: "succeeded", reference: "#1001", order_id: "ord_1" });
});
