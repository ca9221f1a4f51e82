// @module-tag postgresql
/** A key stands for one purchase of one credential, also when the record of its first request is gone. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { offer, openShop, STRANGER } from "./shop.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

const REUSED = { status: 422, json: { error: "idempotency_key_reused" } };
const fetched = ({ token }: TestAccount, url: string, key: string, query = "") =>
  stack.rest(token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}${query}`, undefined, {
    "idempotency-key": key,
  });

it("gives one token's payment to no other token of the account", async () => {
  const account = await stack.account();
  const made = await stack.graphql(
    account.token,
    'mutation { createApiToken(input: { name: "narrow", dailyLimitUsd: "1" }) { ... on CreateApiTokenSuccess { secret } } }',
  );
  const narrow = made.json.data.createApiToken.secret;
  const body = { paymentRequirements: offer(), requestData: { url: "http://shop.test/" } };
  const sign = (token: string) => stack.rest(token, "POST", "/api/sign-payment", body, { "idempotency-key": "one" });
  const first = await sign(account.token);
  expect(first.status).toBe(200);
  expect((await sign(account.token)).json.paymentHeader).toBe(first.json.paymentHeader);
  expect(await sign(narrow)).toMatchObject(REUSED);
  await stack.service.deps.db.prisma.idempotencyRecord.deleteMany({ where: { accountId: account.accountId } });
  expect(await sign(narrow)).toMatchObject(REUSED);
});

it("sends a payment whose shop failed to that shop again, and to no other, and not above maxValue", async () => {
  const account = await stack.account();
  let fails = true;
  const shop = await openShop({ maxAmountRequired: "500000" }, (response) => {
    if (fails) response.socket?.destroy();
    else response.end("sold");
  });
  const other = await openShop({ maxAmountRequired: "1", payTo: STRANGER }, (response) => response.end("thanks"));
  expect((await fetched(account, shop.url, "two")).json.error).toBe("target_unreachable");
  fails = false;
  expect(await fetched(account, other.url, "two")).toMatchObject(REUSED);
  expect(other.payments).toEqual([]);
  expect((await fetched(account, shop.url, "two", "&maxValue=499999")).status).toBe(402);
  expect(await fetched(account, shop.url, "two")).toMatchObject({ status: 200, text: "sold" });
  expect(new Set(shop.payments).size).toBe(1);
  shop.close();
  other.close();
});

it("sends a payment again that has itself used up the limit", async () => {
  const account = await stack.account({ limits: { dailyMicroUsd: 1_000n } });
  let fails = true;
  const shop = await openShop({}, (response) => (fails ? response.socket?.destroy() : response.end("sold")));
  expect((await fetched(account, shop.url, "four")).status).toBe(500);
  fails = false;
  expect((await fetched(account, shop.url, "five")).status).toBe(402);
  expect(await fetched(account, shop.url, "four")).toMatchObject({ status: 200, text: "sold" });
  expect(new Set(shop.payments).size).toBe(1);
  shop.close();
});

it("tells a caller whose payment was taken by a target with an impossible status", async () => {
  const account = await stack.account();
  const shop = await openShop({}, (response) => response.writeHead(999).end("odd"));
  const answer = await fetched(account, shop.url, "three");
  expect(answer).toMatchObject({ status: 500, json: { error: "target_response_invalid" } });
  expect(answer.json.paymentId).toMatch(/^tx_/);
  shop.close();
});
