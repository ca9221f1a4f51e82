/** Scopes are enforced only if the account enables it (decisions, "OAuth"). Credit pays. */
import { createClient as createSocketClient } from "graphql-ws";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { publishEvent } from "../../src/events/event-feed.ts";
import { newId } from "../../src/platform/ids.ts";
import { createToken } from "../payments/purchase-token.ts";
import { createClient } from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { createOffer } from "./seller.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

const SET = `mutation ($enabled: Boolean!) { setStrictScopes(input: { enabled: $enabled }) {
  __typename ... on SetStrictScopesSuccess { account { strictScopes } } } }`;
const CREATE = `mutation ($scopes: [Scope!]!) { createApiToken(input: { name: "narrow", scopes: $scopes }) {
  ... on CreateApiTokenSuccess { secret } } }`;

/** Returns the result of each request that requires a scope. */
async function tryScopes(token: string) {
  const paying = { paymentRequirements: createOffer(), requestData: { url: "http://shop.test/" } };
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

const ALLOWED = { balance: false, credit: null, transactions: 200, ledger: null, pay: [200, null] };
const DENIED = { balance: true, credit: "forbidden", transactions: 403, ledger: "forbidden", pay: [403, "forbidden"] };

it("enforces scopes only while the account enables it", async () => {
  const { token } = await stack.account();
  const narrow = async (scopes: readonly string[]) =>
    (await stack.graphql(token, CREATE, { scopes })).json.data.createApiToken.secret as string;
  const none = await narrow(["AGENT_READ"]);
  const some = await narrow(["BALANCE_READ", "TRANSACTIONS_READ"]);
  expect(await tryScopes(none)).toEqual(ALLOWED);

  const set = await stack.graphql(token, SET, { enabled: true });
  expect(set.json.data.setStrictScopes).toEqual({
    __typename: "SetStrictScopesSuccess",
    account: { strictScopes: true },
  });
  expect(await tryScopes(none)).toEqual(DENIED);
  expect(await tryScopes(some)).toEqual({ ...ALLOWED, pay: [403, "forbidden"] });
  expect(await tryScopes(token)).toEqual(ALLOWED);
  expect((await stack.graphql(none, SET, { enabled: false })).json.data.setStrictScopes.__typename).toBe(
    "ForbiddenError",
  );

  await stack.graphql(token, SET, { enabled: false });
  expect(await tryScopes(none)).toEqual(ALLOWED);
});

it("a token that lacks a scope cannot disable the enforcement", async () => {
  const manager = await stack.account({ token: { scopes: ["account:manage"] } });
  const set = async (enabled: boolean) =>
    (await stack.graphql(manager.token, SET, { enabled })).json.data.setStrictScopes.__typename;
  expect(await set(true)).toBe("SetStrictScopesSuccess");
  expect(await set(false)).toBe("ForbiddenError");
  expect(await tryScopes(manager.token)).toMatchObject({ balance: true, pay: [403, "forbidden"] });
});

it("open subscriptions publish nothing more for which the token lacks the scope", async () => {
  const { token, accountId } = await stack.account();
  const { deps } = stack.service;
  const created = await stack.graphql(token, CREATE, { scopes: ["BALANCE_READ"] });
  const narrow = created.json.data.createApiToken.secret;
  const client = createSocketClient({
    url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": narrow },
  });
  onTestFinished(() => client.dispose());
  const last: Record<string, unknown> = {};
  const follow = (field: string, selection: string) =>
    client.subscribe<unknown>(
      { query: `subscription { ${field} { cursor ${selection} { id } } }` },
      {
        next({ data, errors }) {
          last[field] = data ? "published" : errors?.[0]?.extensions?.["code"];
        },
        error: () => undefined,
        complete: () => undefined,
      },
    );
  follow("transactionUpdated", "transaction");
  follow("accountEventOccurred", "event");
  const pay = async () => {
    await tryScopes(token);
    const [id, now] = [newId("evt"), new Date()];
    const event = { id, accountId, type: "payment.settled", subjectId: newId("tx"), payload: {} };
    await deps.db.prisma.accountEvent.create({ data: { ...event, createdAt: now, recordedAt: now } });
    publishEvent(deps.pubsub, accountId, id);
    return last;
  };
  const both = (result: string) => ({ transactionUpdated: result, accountEventOccurred: result });
  await expect.poll(pay).toEqual(both("published"));
  await stack.graphql(token, SET, { enabled: true });
  await expect.poll(pay).toEqual(both("forbidden"));
});

it("payments are not readable through other fields", async () => {
  const { token, accountId } = await stack.account();
  const { prisma } = stack.service.deps.db;
  const client = await createClient(stack);
  const grant = { id: newId("grt"), accountId, clientId: client.clientId, scopes: [], networks: [] };
  await prisma.oAuthGrant.create({ data: grant });
  await createToken(stack, token, { merchantUrl: "https://merchant.example/" });
  const narrow = await stack.graphql(token, CREATE, { scopes: ["BALANCE_READ"] });
  await stack.graphql(token, SET, { enabled: true });
  const selections = [
    "connectedApps(first: 1) { edges { node { transactions(first: 1) { edges { cursor } } } } }",
    "purchaseTokens(first: 1) { edges { node { transaction { id } } } }",
    "trades(first: 1) { edges { cursor } }",
  ];
  for (const selection of selections) {
    const query = async (by: string) => (await stack.graphql(by, `{ viewer { ${selection} } }`)).json;
    expect((await query(narrow.json.data.createApiToken.secret)).errors?.[0]?.extensions.code).toBe("forbidden");
    expect((await query(token)).errors).toBeUndefined();
  }
});
