// @module-tag postgresql
/** Ids with text that PostgreSQL cannot store: the response is a client error. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

it.each([
  "/api/webhooks/%00/deliveries",
  "/api/autofill/orders/%00",
  "/api/autofill/merchants/%00",
  "/api/agent/email/messages/%00",
  "/api/agent/email/attachments/%00",
  "/mail/messages/%00/html",
  "/api/transactions?cursor=%00",
])("responds with a client error to GET %s", async (path) => {
  const { status, json } = await stack.rest(account.token, "GET", path);
  expect([status, json.error]).toEqual([expect.toSatisfy((code) => code === 400 || code === 404), expect.any(String)]);
});

it.each([
  ['query { purchaseApproval(id: "apr_\\u0000") { id } }', "invalid_request"],
  ['query { viewer { orders(filter: { merchantId: "\\u0000" }) { edges { cursor } } } }', "invalid_request"],
  ['query { viewer { gatewayCalls(filter: { model: "\\u0000" }) { edges { cursor } } } }', "invalid_request"],
  [
    'mutation { completeEmailSignIn(input: { attemptId: "\\u0000", code: "123456" }) { __typename ... on Error { code } } }',
    expect.stringMatching(/^(INVALID_REQUEST|INVALID_CODE)$/),
  ],
])("returns a client error for %s", async (query, code) => {
  const { json } = await stack.rest(account.token, "POST", "/graphql", { query });
  const received = json.errors?.[0]?.extensions?.code ?? json.data?.completeEmailSignIn?.code;
  expect(received).toEqual(code);
});
