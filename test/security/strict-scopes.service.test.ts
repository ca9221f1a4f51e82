/** Scopes are declared; they hold once the account says so (decisions, "OAuth"). No chain answers: credit pays. */
import { beforeAll, expect, it } from "vitest";
import type { Scope } from "../../src/accounts/viewer.ts";
import { newId } from "../../src/platform/ids.ts";
import { createToken } from "../payments/purchase-token.ts";
import { createClient } from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { offer } from "./shop.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

const SET = `mutation ($enabled: Boolean!) { setStrictScopes(input: { enabled: $enabled }) {
  __typename ... on SetStrictScopesSuccess { account { strictScopes } } } }`;
const CREATE = `mutation ($scopes: [String!]!) { createApiToken(input: { name: "narrow", scopes: $scopes }) {
  ... on CreateApiTokenSuccess { secret } } }`;

/** What a token gets at each thing a scope covers. */
async function tried(token: string) {
  const paying = { paymentRequirements: offer(), requestData: { url: "http://shop.test/" } };
  const credit = await stack.graphql(token, "{ viewer { wallet { creditUsd } } }");
  const ledger = await stack.graphql(token, "{ viewer { transactions(first: 1) { edges { node { id } } } } }");
  const paid = await stack.rest(token, "POST", "/api/sign-payment", paying);
  return {
    balance: (await stack.rest(token, "GET", "/api/balance")).status === 403,
    credit: credit.json.errors?.[0]?.extensions?.code ?? null,
    transactions: (await stack.rest(token, "GET", "/api/transactions")).status,
    ledger: ledger.json.errors?.[0]?.extensions?.code ?? null,
    pay: [paid.status, paid.json.error ?? null],
  };
}

const OPEN = { balance: false, credit: null, transactions: 200, ledger: null, pay: [200, null] };
const SHUT = { balance: true, credit: "forbidden", transactions: 403, ledger: "forbidden", pay: [403, "forbidden"] };

it("scopes are only declared until the account enforces them, and again after", async () => {
  const { token } = await stack.account();
  const narrow = async (scopes: readonly Scope[]) =>
    (await stack.graphql(token, CREATE, { scopes })).json.data.createApiToken.secret as string;
  const none = await narrow(["agent:read"]);
  const some = await narrow(["balance:read", "transactions:read"]);
  expect(await tried(none)).toEqual(OPEN);

  const set = await stack.graphql(token, SET, { enabled: true });
  expect(set.json.data.setStrictScopes).toEqual({
    __typename: "SetStrictScopesSuccess",
    account: { strictScopes: true },
  });
  expect(await tried(none)).toEqual(SHUT);
  expect(await tried(some)).toEqual({ ...OPEN, pay: [403, "forbidden"] });
  expect(await tried(token)).toEqual(OPEN);
  expect((await stack.graphql(none, SET, { enabled: false })).json.data.setStrictScopes.__typename).toBe(
    "ForbiddenError",
  );

  await stack.graphql(token, SET, { enabled: false });
  expect(await tried(none)).toEqual(OPEN);
});

it("a token that lacks a scope does not free itself of being held to them", async () => {
  const manager = await stack.account({ token: { scopes: ["account:manage"] } });
  const set = async (enabled: boolean) =>
    (await stack.graphql(manager.token, SET, { enabled })).json.data.setStrictScopes.__typename;
  expect(await set(true)).toBe("SetStrictScopesSuccess");
  expect(await set(false)).toBe("ForbiddenError");
  expect(await tried(manager.token)).toMatchObject({ balance: true, pay: [403, "forbidden"] });
});

it("payments are not seen the long way round either", async () => {
  const { token, accountId } = await stack.account();
  const { prisma } = stack.service.deps.db;
  const client = await createClient(stack);
  const grant = { id: newId("grt"), accountId, clientId: client.clientId, scopes: [], networks: [] };
  await prisma.oAuthGrant.create({ data: grant });
  await createToken(stack, token, { merchantUrl: "https://shop.example/" });
  const narrow = await stack.graphql(token, CREATE, { scopes: ["balance:read"] });
  await stack.graphql(token, SET, { enabled: true });
  const ways = [
    "connectedApps(first: 1) { edges { node { transactions(first: 1) { edges { cursor } } } } }",
    "purchaseTokens(first: 1) { edges { node { transaction { id } } } }",
    "trades(first: 1) { edges { cursor } }",
  ];
  for (const way of ways) {
    const seen = async (by: string) => (await stack.graphql(by, `{ viewer { ${way} } }`)).json;
    expect((await seen(narrow.json.data.createApiToken.secret)).errors?.[0]?.extensions.code).toBe("forbidden");
    expect((await seen(token)).errors).toBeUndefined();
  }
});
