/**
 * Servers of the reference packages (`@x402/express`, `@x402/extensions`) verify payments of version 2. They compare each payment
 * with their offer, and their facilitator settles it on anvil or LiteSVM. The server of version 1, `x402-express`, would install
 * several hundred megabytes of wallet front ends. `reference-packages.test.ts` uses the facilitators of version 1.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import type { AddressInfo } from "node:net";
import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from "@x402/core/server";
import type { PaymentPayload } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { UptoEvmScheme } from "@x402/evm/upto/server";
import { paymentMiddlewareFromHTTPServer, setSettlementOverrides } from "@x402/express";
import {
  bazaarResourceServerExtension,
  builderCodeResourceServerExtension,
  createJWSOfferReceiptIssuer,
  createOfferReceiptExtension,
  createSIWxResourceServerExtension,
  declareBuilderCodeExtension,
  declareDiscoveryExtension,
  declareEip2612GasSponsoringExtension,
  declareErc20ApprovalGasSponsoringExtension,
  declareOfferReceiptExtension,
  declarePaymentIdentifierExtension,
  declareSIWxExtension,
  extractAndValidatePaymentIdentifier,
  InMemorySIWxStorage,
  PAYMENT_IDENTIFIER,
  paymentIdentifierResourceServerExtension,
  validatePaymentIdentifierRequirement,
} from "@x402/extensions";
import { ExactSvmScheme } from "@x402/svm/exact/server";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sellerEvmAddress, sellerSolana } from "../../sandbox/identities.ts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { waitUntilSettled } from "../e2e/reconcile.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const EVM = NETWORKS["base-sepolia"];
const SOLANA = NETWORKS["solana-devnet"];
const PRICE_ATOMIC = "10000";

const onEvm = (extra: object = {}, scheme = "exact") => ({
  scheme,
  network: EVM.caip2,
  payTo: sellerEvmAddress,
  maxTimeoutSeconds: 60,
  price: { asset: EVM.usdc, amount: PRICE_ATOMIC, extra: { ...EVM.usdcDomain, ...extra } },
});
const onSolana = {
  scheme: "exact",
  network: SOLANA.caip2,
  payTo: sellerSolana.address,
  maxTimeoutSeconds: 60,
  price: { asset: SOLANA.usdc, amount: PRICE_ATOMIC },
};
const permit2 = { assetTransferMethod: "permit2" };

const identifier = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(true) };
const bazaar = declareDiscoveryExtension({
  input: { city: "Riverside" },
  inputSchema: { properties: { city: { type: "string" } }, required: ["city"] },
  output: { example: { high: "9 °C" } },
} as never);
const signIn = declareSIWxExtension({ statement: "Sign in to read your purchases." });
const sponsoring = { ...declareEip2612GasSponsoringExtension(), ...declareErc20ApprovalGasSponsoringExtension() };
const receipts = declareOfferReceiptExtension({ includeTxHash: true });
const builderCode = { "builder-code": declareBuilderCodeExtension("riverside_weather") };

const ROUTES = {
  "exact on EVM": { accepts: onEvm() },
  "exact on Solana": { accepts: onSolana },
  "exact on EVM by Permit2": { accepts: onEvm(permit2), extensions: sponsoring },
  "upto on EVM by Permit2": { accepts: onEvm({}, "upto"), extensions: sponsoring },
  "payment-identifier, required": { accepts: onEvm(), extensions: identifier },
  bazaar: { accepts: onEvm(), extensions: bazaar },
  "sign-in-with-x": { accepts: onEvm(), extensions: signIn },
  "offer-receipt": { accepts: onEvm(), extensions: receipts },
  "builder-code": { accepts: onEvm(), extensions: builderCode },
  "every extension on EVM": {
    accepts: onEvm(permit2),
    extensions: { ...identifier, ...bazaar, ...signIn, ...receipts, ...builderCode, ...sponsoring },
  },
  "every extension on Solana": {
    accepts: onSolana,
    extensions: { ...identifier, ...bazaar, ...signIn, ...receipts, ...builderCode },
  },
};
type Name = keyof typeof ROUTES;
const names = Object.keys(ROUTES) as Name[];
const declaredBy = (name: Name): object => (ROUTES[name] as { extensions?: object }).extensions ?? {};
const pathOf = (name: Name) => `/r${names.indexOf(name)}`;

let stack: OwnStack;
let account: TestAccount;
let seller: Awaited<ReturnType<typeof startReferenceServer>>;
/** Payments as the server decoded them, by path. */
const received = new Map<string, PaymentPayload>();

interface VerifiedRequest {
  readonly paymentPayload: PaymentPayload;
  readonly transportContext: { readonly request: { readonly path: string } };
}

/** Creates middleware of the reference packages that requires what each route declares. */
async function createGate(facilitatorUrl: string, origin: string): Promise<express.RequestHandler> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwsSigner = {
    kid: "did:web:merchant.example#key-1",
    algorithm: "ES256",
    format: "jws",
    sign: async (bytes: Uint8Array) =>
      sign("sha256", bytes, { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url"),
  };
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }))
    .register(EVM.caip2, new ExactEvmScheme())
    .register(EVM.caip2, new UptoEvmScheme())
    .register(SOLANA.caip2, new ExactSvmScheme())
    .registerExtension(paymentIdentifierResourceServerExtension)
    .registerExtension(bazaarResourceServerExtension)
    .registerExtension(createSIWxResourceServerExtension({ storage: new InMemorySIWxStorage(), origin }))
    .registerExtension(createOfferReceiptExtension(createJWSOfferReceiptIssuer(jwsSigner.kid, jwsSigner as never)))
    .registerExtension(builderCodeResourceServerExtension);
  server.onBeforeVerify(async (context) => {
    const { paymentPayload, transportContext } = context as never as VerifiedRequest;
    const { path } = transportContext.request;
    received.set(path, paymentPayload);
    const isRequired = PAYMENT_IDENTIFIER in declaredBy(names[Number(path.slice(2))] as Name);
    const presence = validatePaymentIdentifierRequirement(paymentPayload, isRequired);
    const fault = [presence, extractAndValidatePaymentIdentifier(paymentPayload).validation].find((it) => !it.valid);
    return fault ? { abort: true as const, reason: fault.errors?.join(" ") ?? "invalid" } : undefined;
  });
  const routes = names.map((name) => [
    `GET ${pathOf(name)}`,
    { description: name, mimeType: "application/json", ...ROUTES[name] },
  ]);
  const gate = new x402HTTPResourceServer(server, Object.fromEntries(routes));
  await gate.initialize();
  return paymentMiddlewareFromHTTPServer(gate, undefined, undefined, false);
}

/** Starts the server; its own URL is part of its offers. */
async function startReferenceServer(facilitatorUrl: string) {
  const app = express();
  const listener = app.listen(0, "127.0.0.1");
  await new Promise<void>((listening) => listener.once("listening", listening));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  app.use(await createGate(facilitatorUrl, url));
  app.get("/:route", (request, response) => {
    if (request.path === pathOf("upto on EVM by Permit2")) setSettlementOverrides(response, { amount: "1858" });
    response.json({ sold: true });
  });
  return { url, close: () => void listener.close() };
}

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia", "solana-devnet"] });
  account = await stack.account();
  // A permit needs the account's own wallet.
  await stack.fund(account, "1000000");
  seller = await startReferenceServer(stack.sandbox?.facilitatorUrl ?? "");
}, 120_000);
afterAll(async () => {
  seller?.close();
  await stack?.stop();
});

const buy = (name: Name, headers: Record<string, string> = {}) =>
  stack.rest(
    account.token,
    "POST",
    `/api/x402/fetch?url=${encodeURIComponent(seller.url + pathOf(name))}`,
    undefined,
    headers,
  );

describe("a server of the reference packages accepts and settles a payment", () => {
  it.each(names)("with %s", async (name) => {
    const response = await buy(name, { "idempotency-key": `order${pathOf(name)}` });
    expect(response).toMatchObject({ status: 200, json: { sold: true } });
    // The next permit of the wallet can only be signed after this one has been used.
    const row = await waitUntilSettled(stack.service, response.headers.get("x-satchel-payment-id") ?? "");
    expect(row.settledMicroUsd).toBe(name.startsWith("upto") ? 1_858n : 10_000n);
    const settlement = JSON.parse(
      Buffer.from(response.headers.get("payment-response") ?? "", "base64").toString("utf8"),
    );
    expect(settlement).toMatchObject({ success: true, transaction: expect.stringMatching(/./) });
    expect(Object.keys(received.get(pathOf(name))?.extensions ?? {}).toSorted()).toEqual(
      Object.keys(declaredBy(name)).toSorted(),
    );
  });

  it("requested with a browser's headers", async () => {
    const browser = { accept: "text/html,*/*;q=0.8", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140" };
    expect(await buy("bazaar", browser)).toMatchObject({ status: 200, json: { sold: true } });
  });
});

it("the same server refuses an echo with a changed member", async () => {
  const offer = await fetch(seller.url + pathOf("payment-identifier, required"));
  const required = JSON.parse(Buffer.from(offer.headers.get("payment-required") ?? "", "base64").toString("utf8"));
  required.extensions[PAYMENT_IDENTIFIER].info.required = false;
  const requestData = { url: seller.url, method: "GET" };
  const { json } = await stack.rest(account.token, "POST", "/api/sign-payment", {
    paymentRequirements: required,
    requestData,
  });
  const response = await fetch(seller.url + pathOf("payment-identifier, required"), {
    headers: { "payment-signature": json.paymentHeader },
  });
  expect(response.status).toBe(402);
  const { error } = JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString("utf8"));
  expect(error).toBe("extension_echo_mismatch");
});
