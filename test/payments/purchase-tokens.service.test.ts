// @module-tag postgresql
/** One-time purchase tokens on the whole service, with a seller and a chain: one payment, to one merchant, within its cap. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { reconcileNow } from "../e2e/reconcile.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { advanceChainTime } from "../support/usdc.ts";
import { createToken, fetchWithToken, openTarget, readToken, respondWith402 } from "./purchase-token.ts";

let stack: OwnStack;
let owner: TestAccount;
let sellerUrl: string;

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia", "base"] });
  owner = await stack.account();
  sellerUrl = stack.sandbox?.shopUrl ?? "";
});
afterAll(async () => {
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  await stack.stop();
});

const prisma = () => stack.service.deps.db.prisma;
const paymentsOf = (tokenId: string) => prisma().transaction.count({ where: { budgetIds: { has: tokenId } } });
/** Sets a token's expiry. */
async function setExpiry(tokenId: string, at: Date) {
  await prisma().purchaseToken.update({ where: { id: tokenId }, data: { expiresAt: at } });
  await prisma().budget.update({ where: { id: tokenId }, data: { closedAt: at } });
}
const PAST = new Date(0);

describe("a token", () => {
  it("pays once like an API token and is then consumed", async () => {
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: `${sellerUrl}/v1` });
    const response = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ place: "Porto" });
    expect(response.headers.get("x-satchel-amount-paid")).toBe("0.01");
    expect(response.headers.get("x-payment-response")).toBeTruthy();
    const paymentId = response.headers.get("x-satchel-payment-id");
    expect(await readToken(stack, owner.token, tokenId)).toMatchObject({
      status: "CONSUMED",
      transaction: { transactionId: paymentId, amountUsd: "0.01", purchaseToken: { purchaseTokenId: tokenId } },
    });
    for (const path of ["/v1/weather", "/v1/price/1"]) {
      const second = await fetchWithToken(stack, token, sellerUrl + path);
      expect([second.status, second.json.error]).toEqual([401, "purchase_token_used"]);
      expect(second.headers.get("www-authenticate")).toContain('error="invalid_token", resource_metadata=');
    }
    await expect.poll(async () => (await readToken(stack, owner.token, tokenId)).transaction.status).toBe("SETTLED");
    expect((await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`)).json.error).toBe("purchase_token_used");
    expect(await paymentsOf(tokenId)).toBe(1);
  });

  it("returns the stored response for its payment's key and rejects other keys", async () => {
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: `${sellerUrl}/v1/weather` });
    const key = randomUUID();
    const first = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`, { key });
    const again = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`, { key });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("x-satchel-payment-id")).toBe(first.headers.get("x-satchel-payment-id"));
    const other = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`, { key: randomUUID() });
    expect([other.status, other.json.error]).toEqual([401, "purchase_token_used"]);
    expect((await fetchWithToken(stack, token, `${sellerUrl}/v1/weather?x=1`, { key })).status).toBe(422);
    await setExpiry(tokenId, new Date(Date.now() - 1_000));
    expect((await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`, { key })).text).toBe(first.text);
    await setExpiry(tokenId, PAST);
    const late = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`, { key });
    expect([late.status, late.json.error]).toEqual([401, "unauthorized"]);
    expect(await paymentsOf(tokenId)).toBe(1);
  });

  it("pays no other merchant and remains unused after an attempt", async () => {
    const other = await openTarget((_request, response) => respondWith402(response));
    const merchant = await openTarget((request, response, isPaid) => {
      if (request.url?.startsWith("/v1/away")) response.writeHead(302, { location: `${other.origin}/v1/report` }).end();
      else if (request.url === "/v1/up") response.writeHead(302, { location: "/v2/report" }).end();
      else if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: `${merchant.origin}/v1` });
    const { host } = new URL(merchant.origin);
    const beside = [
      `${other.origin}/v1/report`,
      `${merchant.origin}/`,
      `${merchant.origin}/v1x`,
      `${merchant.origin}/v2/report`,
      `${merchant.origin}/v1/../v2/report`,
      `${merchant.origin}/v1/%2e%2e/v2/report`,
      `${merchant.origin}/v1/..%2fv2/report`,
      `https://${host}/v1/report`,
      `http://user@${host}/v1/report`,
      `${sellerUrl}/v1/weather`,
    ];
    for (const url of beside) {
      const refused = await fetchWithToken(stack, token, url);
      expect([refused.status, refused.json.error], url).toEqual([403, "forbidden"]);
    }
    expect([...merchant.requests, ...other.requests]).toEqual([]);
    // The target of a redirect would receive the payment.
    for (const path of ["/v1/away", "/v1/up"]) {
      const refused = await fetchWithToken(stack, token, merchant.origin + path);
      expect([refused.status, refused.json.error], path).toEqual([403, "forbidden"]);
    }
    expect([...merchant.payments, ...other.payments]).toEqual([]);
    expect(await readToken(stack, owner.token, tokenId)).toMatchObject({ status: "UNUSED", transaction: null });
    const paid = await fetchWithToken(stack, token, `${merchant.origin}/v1/report`);
    expect([paid.status, paid.text, merchant.payments.length]).toEqual([200, "sold", 1]);
  });

  it("pays only on its network and within its cap, and remains unused otherwise", async () => {
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: sellerUrl, maxAmountUsd: "0.01" });
    const elsewhere = await fetchWithToken(stack, token, `${sellerUrl}/v1/base/weather`);
    expect([elsewhere.status, elsewhere.json.error]).toEqual([402, "no_acceptable_requirement"]);
    const expensive = await fetchWithToken(stack, token, `${sellerUrl}/v1/price/10001`);
    expect(expensive.status).toBe(402);
    expect(expensive.json).toMatchObject({
      error: "spending_limit_exceeded",
      period: "transaction",
      limit: 0.01,
      required: 0.010001,
    });
    const bounded = await fetchWithToken(stack, token, `${sellerUrl}/v1/price/9000`, { maxValue: "8999" });
    expect([bounded.status, bounded.json.error]).toEqual([402, "max_value_exceeded"]);
    expect(await paymentsOf(tokenId)).toBe(0);
    expect((await fetchWithToken(stack, token, `${sellerUrl}/v1/price/10000`)).status).toBe(200);
    expect(await paymentsOf(tokenId)).toBe(1);
  });

  it("chooses the offer on its network if a merchant offers several", async () => {
    const { token } = await createToken(stack, owner.token, { merchantUrl: sellerUrl, network: "base" });
    expect((await fetchWithToken(stack, token, `${sellerUrl}/multi`)).headers.get("x-satchel-amount-paid")).toBe(
      "0.015",
    );
    const { token: second } = await createToken(stack, owner.token, { merchantUrl: sellerUrl });
    expect((await fetchWithToken(stack, second, `${sellerUrl}/multi`)).headers.get("x-satchel-amount-paid")).toBe(
      "0.02",
    );
  });

  it("remains unused if the target requires no payment, fails before payment or makes an unusable offer", async () => {
    const target = await openTarget((request, response, isPaid) => {
      if (request.url === "/drop") request.socket.destroy();
      else if (request.url === "/error") response.writeHead(500).end("broken");
      else if (request.url === "/odd")
        respondWith402(response, { asset: "0x000000000000000000000000000000000000dEaD" });
      else if (request.url === "/free") response.end("free");
      else if (isPaid) response.end("sold");
      else respondWith402(response);
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const statusOf = async (path: string) => (await fetchWithToken(stack, token, target.origin + path)).status;
    expect(await statusOf("/free")).toBe(200);
    expect(await statusOf("/error")).toBe(500);
    expect(await statusOf("/drop")).toBe(500);
    expect(await statusOf("/odd")).toBe(402);
    expect(await readToken(stack, owner.token, tokenId)).toMatchObject({ status: "UNUSED" });
    expect(await statusOf("/report")).toBe(200);
    expect(await readToken(stack, owner.token, tokenId)).toMatchObject({ status: "CONSUMED" });
  });

  it("ends after five minutes and on revocation", async () => {
    const REVOKE = `mutation ($id: ID!) { revokePurchaseToken(input: { id: $id }) { __typename
      ... on RevokePurchaseTokenSuccess { purchaseToken { status revokedAt } } ... on Error { code } } }`;
    const revoke = async (who: string, id: string) =>
      (await stack.graphql(who, REVOKE, { id: Buffer.from(`PurchaseToken:${id}`).toString("base64") })).json.data
        .revokePurchaseToken;
    const ended = await createToken(stack, owner.token, { merchantUrl: sellerUrl });
    await setExpiry(ended.tokenId, new Date(Date.now() - 1));
    const expired = await fetchWithToken(stack, ended.token, `${sellerUrl}/v1/weather`, { key: "pt-expired" });
    expect([expired.status, expired.json.error]).toEqual([401, "unauthorized"]);
    expect(await readToken(stack, owner.token, ended.tokenId)).toMatchObject({ status: "EXPIRED" });

    const revoked = await createToken(stack, owner.token, { merchantUrl: sellerUrl });
    const otherAccount = await stack.account();
    expect(await revoke(otherAccount.token, revoked.tokenId)).toMatchObject({ code: "NOT_FOUND" });
    const first = await revoke(owner.token, revoked.tokenId);
    expect(first.purchaseToken.status).toBe("REVOKED");
    expect(await revoke(owner.token, revoked.tokenId)).toEqual(first);
    expect((await fetchWithToken(stack, revoked.token, `${sellerUrl}/v1/weather`)).status).toBe(401);
    expect(await readToken(stack, otherAccount.token, revoked.tokenId)).toBeNull();
  });

  it("ends with the token that created it and counts against all its limits", async () => {
    const creator = await stack.account({ limits: { dailyMicroUsd: 15_000n } });
    const tokens = await Promise.all([1, 2].map(() => createToken(stack, creator.token, { merchantUrl: sellerUrl })));
    const responses = await Promise.all(
      tokens.map(({ token }) => fetchWithToken(stack, token, `${sellerUrl}/v1/weather`)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 402]);
    expect(responses.find(({ status }) => status === 402)?.json).toMatchObject({
      error: "spending_limit_exceeded",
      period: "day",
    });
    expect((await fetchWithToken(stack, creator.token, `${sellerUrl}/v1/weather`)).status).toBe(402);

    const last = await createToken(stack, creator.token, { merchantUrl: sellerUrl });
    const id = Buffer.from(`ApiToken:${creator.tokenId}`).toString("base64");
    await stack.graphql(creator.token, "mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { __typename } }", {
      id,
    });
    expect((await fetchWithToken(stack, last.token, `${sellerUrl}/free`)).status).toBe(401);
  });

  it("pays no recipient that its creating token may not pay", async () => {
    const creator = await stack.account({ token: { allowedPayees: ["0x2222222222222222222222222222222222222222"] } });
    const { token } = await createToken(stack, creator.token, { merchantUrl: sellerUrl });
    const refused = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`);
    expect([refused.status, refused.json.considered[0].refusal]).toEqual([402, "payee_not_allowed"]);
  });

  it("pays nothing while X402 is disabled or funds are missing, and remains unused", async () => {
    const poor = await stack.account({ x402: false });
    const { token, tokenId } = await createToken(stack, poor.token, { merchantUrl: sellerUrl, maxAmountUsd: "100" });
    const off = await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`);
    expect([off.status, off.json.error]).toEqual([400, "x402_not_enabled"]);
    await prisma().account.update({ where: { id: poor.accountId }, data: { x402EnabledAt: new Date() } });
    const expensive = await fetchWithToken(stack, token, `${sellerUrl}/v1/price/6000000`);
    expect([expensive.status, expensive.json.error]).toEqual([402, "insufficient_balance"]);
    expect(await readToken(stack, poor.token, tokenId)).toMatchObject({ status: "UNUSED" });
    expect((await fetchWithToken(stack, token, `${sellerUrl}/v1/weather`)).status).toBe(200);
  });
});

describe("a payment with an unknown outcome", () => {
  it("consumes the token, and its key resumes with the same bytes even after expiry", async () => {
    let isBroken = true;
    const target = await openTarget((request, response, isPaid) => {
      if (!isPaid) respondWith402(response);
      else if (isBroken) request.socket.destroy();
      else response.end("sold");
    });
    const { token, tokenId } = await createToken(stack, owner.token, { merchantUrl: target.origin });
    const url = `${target.origin}/report`;
    const key = randomUUID();
    const lost = await fetchWithToken(stack, token, url, { key, timeout: "700" });
    expect([lost.status, lost.json.error]).toEqual([500, "target_unreachable"]);
    const paymentId = lost.headers.get("x-satchel-payment-id");
    expect(await readToken(stack, owner.token, tokenId)).toMatchObject({ status: "CONSUMED" });
    for (const more of [{}, { key: randomUUID() }]) {
      expect((await fetchWithToken(stack, token, url, more)).json.error).toBe("purchase_token_used");
    }
    isBroken = false;
    await setExpiry(tokenId, new Date(Date.now() - 1_000));
    const resumed = await fetchWithToken(stack, token, url, { key });
    expect([resumed.status, resumed.text, resumed.headers.get("x-satchel-payment-id")]).toEqual([
      200,
      "sold",
      paymentId,
    ]);
    expect(new Set(target.payments).size).toBe(1);
    expect(await paymentsOf(tokenId)).toBe(1);
  });

  it("makes the token unused again once the chain proves it expired unused, within the five minutes", async () => {
    const chain = stack.sandbox?.networks.base;
    let isSelling = false;
    const target = await openTarget((_request, response, isPaid) => {
      if (isPaid && isSelling) response.end("sold");
      else respondWith402(response, { maxTimeoutSeconds: 1, network: "base", asset: chain?.usdc });
    });
    const bounds = { merchantUrl: target.origin, network: "base" };
    const { token, tokenId } = await createToken(stack, owner.token, bounds);
    const late = await createToken(stack, owner.token, bounds);
    for (const each of [token, late.token]) expect((await fetchWithToken(stack, each, target.origin)).status).toBe(402);
    // The token can only continue its payment, while that is valid.
    expect([401, 402]).toContain((await fetchWithToken(stack, token, target.origin)).status);
    if (chain) await advanceChainTime(chain, 40);
    await reconcileNow(stack.service);
    for (const id of [tokenId, late.tokenId]) expect((await readToken(stack, owner.token, id)).status).toBe("UNUSED");
    isSelling = true;
    await setExpiry(late.tokenId, new Date(Date.now() - 1));
    expect((await fetchWithToken(stack, late.token, target.origin)).status).toBe(401);
    expect((await fetchWithToken(stack, token, target.origin)).text).toBe("sold");
    expect(await paymentsOf(tokenId)).toBe(2);
    expect((await fetchWithToken(stack, token, target.origin)).json.error).toBe("purchase_token_used");
  });
});
