// @module-tag postgresql
/** "Pay Now": creation of a purchase token and payment with it, as one idempotent operation. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createToken, fetchWithToken, openTarget, respondWith402 } from "./purchase-token.ts";

const PAY = `mutation ($input: PayPurchaseTokenInput!) { payPurchaseToken(input: $input) { __typename
  ... on PayPurchaseTokenSuccess {
    transaction { transactionId status amountUsd resource purchaseToken { purchaseTokenId } }
    purchaseToken { purchaseTokenId status merchantUrl network maxAmountUsd }
    answer { status contentType text isTruncated } }
  ... on Error { code message } ... on InvalidRequestError { field }
  ... on TargetUnreachableError { paidTransactionId } } }`;

let stack: OwnStack;
let owner: TestAccount;
beforeAll(async () => {
  // The whole database is audited. The chain is unavailable, so payments come from credit and none settles.
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
  owner = await stack.account();
});
afterAll(async () => {
  const audited = await auditLedger(stack.service.deps.db);
  await stack.stop();
  expect(audited).toEqual([]);
});

async function payNow(
  {
    id,
    idempotencyKey,
    ...terms
  }: { id?: string; idempotencyKey?: string; merchantUrl?: string; maxAmountUsd?: string },
  credential: string | null = owner.token,
) {
  const purchaseToken = { ...(id ? { id } : {}), ...(terms.merchantUrl === undefined ? {} : { terms }) };
  const { json } = await stack.graphql(credential, PAY, { input: { purchaseToken, idempotencyKey } });
  return json.data?.payPurchaseToken ?? json.errors[0];
}
const bounds = (merchantUrl: string, more: object = {}) => ({
  merchantUrl,
  network: "base-sepolia",
  maxAmountUsd: "0.50",
  ...more,
});
const idOf = (tokenId: string) => Buffer.from(`PurchaseToken:${tokenId}`).toString("base64");
const prisma = () => stack.service.deps.db.prisma;

it("pays and returns the receipt and the merchant's response", async () => {
  const target = await openTarget((_request, response, isPaid) => {
    if (isPaid) response.setHeader("content-type", "text/plain; charset=utf-8").end("très bien");
    else respondWith402(response);
  });
  const paid = await payNow(bounds(`${target.origin}/report?day=1`));
  expect(paid).toMatchObject({
    transaction: { status: "SIGNED", amountUsd: "0.001", resource: `${target.origin}/report?day=1` },
    purchaseToken: { status: "CONSUMED", merchantUrl: `${target.origin}/report?day=1`, maxAmountUsd: "0.50" },
    answer: { status: 200, contentType: "text/plain; charset=utf-8", text: "très bien", isTruncated: false },
  });
  expect(paid.transaction.purchaseToken.purchaseTokenId).toBe(paid.purchaseToken.purchaseTokenId);
  expect(target.requests).toEqual(["GET /report?day=1", "GET /report?day=1"]);
});

it("returns no transaction if the merchant requires no payment, and at most 64 KiB of the body", async () => {
  const target = await openTarget((request, response) => {
    if (request.url === "/bytes") response.end(Buffer.from([0xff, 0xfe, 0x00]));
    else response.end("é".repeat(50_000));
  });
  const free = await payNow(bounds(`${target.origin}/long`));
  expect(free).toMatchObject({ transaction: null, purchaseToken: { status: "UNUSED" }, answer: { isTruncated: true } });
  expect(free.answer.text).toBe("é".repeat(32_768));
  expect((await payNow(bounds(`${target.origin}/bytes`))).answer).toMatchObject({ text: null, isTruncated: false });
});

describe("rejects", () => {
  it.each([
    [{ maxAmountUsd: "0" }, "maxAmountUsd"],
    [{ merchantUrl: "merchant.example" }, "purchaseToken.terms.merchantUrl"],
  ])("%j with the field %s", async (changes, field) => {
    const refused = await payNow(bounds("https://merchant.example/", changes));
    expect(refused).toMatchObject({ code: "INVALID_REQUEST", field });
  });

  it("neither a token nor terms, and both", async () => {
    for (const input of [{}, bounds("https://merchant.example/", { id: idOf("pt_1_x") })]) {
      expect((await payNow(input)).message).toContain("Exactly one key must be specified for OneOf type");
    }
    const id = Buffer.from("ApiToken:tok_1").toString("base64");
    expect(await payNow({ id })).toMatchObject({ code: "INVALID_REQUEST", field: "purchaseToken.id" });
  });

  it("credentials without account:manage, and purchase tokens", async () => {
    const weak = await stack.account({ token: { scopes: ["payments:sign"] } });
    expect(await payNow(bounds("https://merchant.example/"), weak.token)).toMatchObject({ code: "FORBIDDEN" });
    const { token } = await createToken(stack, owner.token, { merchantUrl: "https://merchant.example/" });
    for (const credential of [token, null]) {
      expect((await payNow(bounds("https://merchant.example/"), credential)).extensions.code).toBe("unauthorized");
    }
  });

  it("prices above the token's cap or the account's limit", async () => {
    const target = await openTarget((_request, response) => respondWith402(response, { maxAmountRequired: "500001" }));
    expect(await payNow(bounds(target.origin))).toMatchObject({ code: "SPENDING_LIMIT_EXCEEDED" });
    const small = await stack.account({ limits: { dailyMicroUsd: 500_000n } });
    const refused = await payNow(bounds(target.origin, { maxAmountUsd: "5" }), small.token);
    expect(refused).toMatchObject({ code: "SPENDING_LIMIT_EXCEEDED" });
    expect(target.payments).toEqual([]);
  });

  it("unreachable merchants, revokes the new token and reports that no payment was made", async () => {
    const { accountId, token } = await stack.account();
    const target = await openTarget((request) => request.socket.destroy());
    const mine = await createToken(stack, token, { merchantUrl: target.origin });
    for (const input of [
      bounds(target.origin),
      bounds(target.origin, { idempotencyKey: "gone" }),
      { id: idOf(mine.tokenId) },
    ]) {
      const refused = await payNow(input, token);
      expect(refused).toMatchObject({ code: "TARGET_UNREACHABLE", paidTransactionId: null });
      expect(refused.message).toMatch(/No payment was made\.$/);
    }
    const left = await prisma().purchaseToken.findMany({ where: { accountId, revokedAt: null } });
    expect(left.map(({ id }) => id)).toEqual([mine.tokenId]);
    expect(await prisma().purchaseToken.count({ where: { accountId } })).toBe(3);
  });
});

describe("under an Idempotency-Key", () => {
  it("returns the first result for repeated and concurrent requests, with one payment", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const input = bounds(target.origin, { idempotencyKey: randomUUID() });
    const results = await Promise.all(Array.from({ length: 10 }, () => payNow(input)));
    const [first, ...more] = results.filter(({ code }) => code === undefined);
    for (const refused of results.filter(({ code }) => code)) expect(refused.code).toBe("IDEMPOTENCY_IN_FLIGHT");
    for (const again of [...more, await payNow(input)]) expect(again).toEqual(first);
    expect(new Set(target.payments).size).toBe(1);
    const reused = await payNow({ ...input, maxAmountUsd: "0.60" });
    expect(reused.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("resumes the payment of a failed first request without a second one", async () => {
    let isBroken = true;
    const target = await openTarget((request, response, isPaid) => {
      if (!isPaid) respondWith402(response);
      else if (isBroken) request.socket.destroy();
      else response.end("sold");
    });
    const input = bounds(target.origin, { idempotencyKey: randomUUID() });
    const failed = await payNow(input);
    expect(failed).toMatchObject({ code: "TARGET_UNREACHABLE", paidTransactionId: expect.any(String) });
    const elsewhere = { ...input, merchantUrl: "https://other.example/" };
    expect(await payNow(elsewhere)).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    isBroken = false;
    const paid = await payNow(input);
    expect(paid).toMatchObject({
      transaction: { transactionId: failed.paidTransactionId },
      purchaseToken: { status: "CONSUMED" },
      answer: { text: "sold" },
    });
    expect(new Set(target.payments).size).toBe(1);
    const tokens = { accountId: owner.accountId, merchantUrl: target.origin };
    expect(await prisma().purchaseToken.count({ where: tokens })).toBe(1);
  });

  it("resumes the payment of a first request to which the merchant responded with an error", async () => {
    let isWell = false;
    const target = await openTarget((_request, response, isPaid) => {
      if (!isPaid) respondWith402(response);
      else if (isWell) response.end("sold");
      else response.writeHead(503, { "retry-after": "3600" }).end("busy");
    });
    const input = bounds(target.origin, { idempotencyKey: randomUUID() });
    const failed = await payNow(input);
    expect(failed).toMatchObject({ answer: { status: 503, text: "busy" } });
    isWell = true;
    const { transaction, answer } = await payNow(input);
    expect(answer).toMatchObject({ status: 200, text: "sold" });
    expect(transaction.transactionId).toBe(failed.transaction.transactionId);
    expect(new Set(target.payments).size).toBe(1);
  });

  it("rejects a key of another kind of payment", async () => {
    const target = await openTarget((request, response, isPaid) => {
      if (isPaid) request.socket.destroy();
      else respondWith402(response);
    });
    const key = randomUUID();
    const lost = await fetchWithToken(stack, owner.token, target.origin, { key, timeout: "700" });
    expect(lost.status).toBe(500);
    const refused = await payNow(bounds(target.origin, { idempotencyKey: key }));
    expect(refused).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect(new Set(target.payments).size).toBe(1);
  });
});

describe("an existing token", () => {
  it("pays once, through the proxy or through Pay Now", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const made = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const ways = await Promise.all([
      payNow({ id: idOf(made.tokenId) }),
      payNow({ id: idOf(made.tokenId) }),
      fetchWithToken(stack, made.token, target.origin),
      fetchWithToken(stack, made.token, `${target.origin}/other`),
    ]);
    expect(target.payments).toHaveLength(1);
    const refused = ways.filter((way) => /purchase_token_used/i.test(JSON.stringify(way)));
    expect(refused).toHaveLength(3);
    expect((await payNow({ id: idOf(made.tokenId) })).code).toBe("PURCHASE_TOKEN_USED");
  });

  it("is not found by an API token whose limits its payment would not count against", async () => {
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const made = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const terms = { scopes: SCOPES, networks: ["solana"], allowedHosts: [], allowedPayees: [], expiresAt: null };
    const limits = { perTransactionMicroUsd: 1n, dailyMicroUsd: 1n, monthlyMicroUsd: 1n };
    const { db } = stack.service.deps;
    const narrow = await storeApiToken(db, owner.accountId, { name: "narrow", limits, ...terms });
    expect((await payNow({ id: idOf(made.tokenId) }, narrow.secret)).code).toBe("NOT_FOUND");
    expect(target.payments).toEqual([]);
    expect(await payNow({ id: idOf(made.tokenId) })).toMatchObject({ answer: { text: "sold" } });
  });

  it("is not found if it belongs to another account or has expired", async () => {
    const { tokenId } = await createToken(stack, owner.token, { merchantUrl: "https://merchant.example/" });
    const otherAccount = await stack.account();
    expect((await payNow({ id: idOf(tokenId) }, otherAccount.token)).code).toBe("NOT_FOUND");
    await prisma().purchaseToken.update({ where: { id: tokenId }, data: { expiresAt: new Date(0) } });
    expect((await payNow({ id: idOf(tokenId) })).code).toBe("NOT_FOUND");
  });
});
