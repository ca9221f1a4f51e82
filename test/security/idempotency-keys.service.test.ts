// @module-tag postgresql
/** An idempotency key identifies one purchase of one credential, even after its idempotency record is deleted. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createOffer, OTHER_SELLER, openSeller } from "./seller.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

const REUSED = { status: 422, json: { error: "idempotency_key_reused" } };
const fetchThroughProxy = ({ token }: TestAccount, url: string, key: string, query = "") =>
  stack.rest(token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}&timeout=900${query}`, undefined, {
    "idempotency-key": key,
  });

it("returns a token's payment to no other token of the account", async () => {
  const account = await stack.account();
  const created = await stack.graphql(
    account.token,
    'mutation { createApiToken(input: { name: "narrow", dailyLimitUsd: "1" }) { ... on CreateApiTokenSuccess { secret } } }',
  );
  const narrow = created.json.data.createApiToken.secret;
  const body = { paymentRequirements: createOffer(), requestData: { url: "http://shop.test/" } };
  const sign = (token: string) => stack.rest(token, "POST", "/api/sign-payment", body, { "idempotency-key": "one" });
  const first = await sign(account.token);
  expect(first.status).toBe(200);
  expect((await sign(account.token)).json.paymentHeader).toBe(first.json.paymentHeader);
  expect(await sign(narrow)).toMatchObject(REUSED);
  await stack.service.deps.db.prisma.idempotencyRecord.deleteMany({ where: { accountId: account.accountId } });
  expect(await sign(narrow)).toMatchObject(REUSED);
});

it("repeats a payment only to the seller that failed, and only up to maxValue", async () => {
  const account = await stack.account();
  let fails = true;
  const seller = await openSeller({ maxAmountRequired: "500000" }, (response) => {
    if (fails) response.socket?.destroy();
    else response.end("sold");
  });
  const other = await openSeller({ maxAmountRequired: "1", payTo: OTHER_SELLER }, (response) => response.end("thanks"));
  expect((await fetchThroughProxy(account, seller.url, "two")).json.error).toBe("target_unreachable");
  fails = false;
  expect(await fetchThroughProxy(account, other.url, "two")).toMatchObject(REUSED);
  expect(other.payments).toEqual([]);
  expect((await fetchThroughProxy(account, seller.url, "two", "&maxValue=499999")).status).toBe(402);
  expect(await fetchThroughProxy(account, seller.url, "two")).toMatchObject({ status: 200, text: "sold" });
  expect(new Set(seller.payments).size).toBe(1);
  seller.close();
  other.close();
});

it("repeats a payment that has itself exhausted the limit", async () => {
  const account = await stack.account({ limits: { dailyMicroUsd: 1_000n } });
  let fails = true;
  const seller = await openSeller({}, (response) => (fails ? response.socket?.destroy() : response.end("sold")));
  expect((await fetchThroughProxy(account, seller.url, "four")).status).toBe(500);
  fails = false;
  expect((await fetchThroughProxy(account, seller.url, "five")).status).toBe(402);
  expect(await fetchThroughProxy(account, seller.url, "four")).toMatchObject({ status: 200, text: "sold" });
  expect(new Set(seller.payments).size).toBe(1);
  seller.close();
});

it("returns the payment id if the paid target responds with an invalid status", async () => {
  const account = await stack.account();
  const seller = await openSeller({}, (response) => response.writeHead(999).end("odd"));
  const response = await fetchThroughProxy(account, seller.url, "three");
  expect(response).toMatchObject({ status: 500, json: { error: "target_response_invalid" } });
  expect(response.json.paymentId).toMatch(/^tx_/);
  seller.close();
});
