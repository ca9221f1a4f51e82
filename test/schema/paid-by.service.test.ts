/** `paidBy` of a transaction: the credential that paid. Credit pays. */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { createToken, fetchWithToken, openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { createOffer } from "../security/seller.ts";
import { type Browser, createClient, obtainTokens, openSignedInBrowser } from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let browser: Browser;

beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account({ token: { name: "Weather agent" } });
  browser = await openSignedInBrowser(stack, account.accountId);
});

const REQUEST = { paymentRequirements: createOffer(), requestData: { url: "http://shop.test/", method: "GET" } };
const pay = (headers: Record<string, string>) => stack.rest(null, "POST", "/api/sign-payment", REQUEST, headers);
const LEDGER = "{ viewer { transactions { edges { node { type paidBy { kind name isOneTime } } } } } }";
const LINKS = "{ viewer { transactions { edges { node { apiToken { tokenId } grant { grantId } } } } } }";

/** Returns `paidBy` of each transaction, newest first. */
async function readPayers() {
  const { viewer } = (await stack.graphql(account.token, LEDGER)).json.data;
  return viewer.transactions.edges.map(({ node }: { node: { paidBy: object | null } }) => node.paidBy);
}

it("names the token, OAuth client or user, and is null for incoming money", async () => {
  const { access_token } = await obtainTokens(stack, browser, await createClient(stack));
  expect((await pay({ "x-service-token": account.token })).status).toBe(200);
  expect((await pay({ authorization: `Bearer ${access_token}` })).status).toBe(200);
  const SIGN = `mutation ($input: SignPaymentInput!) { signPayment(input: $input) { __typename
    ... on SignPaymentSuccess { transaction { paidBy { kind name isOneTime } } } } }`;
  const { json } = await browser.graphql(SIGN, { input: REQUEST });
  const byUser = { kind: "PERSON", name: null, isOneTime: false };
  expect(json.data.signPayment.transaction.paidBy).toEqual(byUser);
  expect(await readPayers()).toEqual([
    byUser,
    { kind: "APPLICATION", name: "Ledger & <Sons>", isOneTime: false },
    { kind: "API_TOKEN", name: "Weather agent", isOneTime: false },
    null,
  ]);
});

it("links the token or the grant, with whose limits the caller learns its own", async () => {
  const tokens = await obtainTokens(stack, browser, await createClient(stack));
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  await pay({ "x-service-token": account.token });
  await pay(bearer);
  const OWN = "{ viewer { apiToken { tokenId } grant { grantId spending { perTransactionLimitUsd } } } }";
  const { viewer } = (await stack.graphql(null, OWN, {}, bearer)).json.data;
  expect(viewer).toEqual({
    apiToken: null,
    grant: { grantId: expect.stringMatching(/^grt_/), spending: { perTransactionLimitUsd: expect.any(String) } },
  });
  const { json } = await stack.graphql(account.token, LINKS);
  expect(json.data.viewer.transactions.edges.map(({ node }: { node: object }) => node)).toEqual([
    { apiToken: null, grant: { grantId: viewer.grant.grantId } },
    { apiToken: { tokenId: account.tokenId }, grant: null },
    { apiToken: null, grant: null },
  ]);
  const own = (await stack.graphql(account.token, OWN)).json.data.viewer;
  expect(own).toEqual({ apiToken: { tokenId: account.tokenId }, grant: null });
});

it("names a token created by another token, and both after they are revoked", async () => {
  const CREATE = `mutation { createApiToken(input: { name: "Child", scopes: [PAYMENTS_SIGN] }) {
    ... on CreateApiTokenSuccess { secret } } }`;
  const { secret } = (await stack.graphql(account.token, CREATE)).json.data.createApiToken;
  await pay({ "x-service-token": secret });
  await pay({ "x-service-token": account.token });
  await stack.service.deps.db.prisma.apiToken.updateMany({
    where: { accountId: account.accountId },
    data: { revokedAt: new Date() },
  });
  const { json } = await browser.graphql(LEDGER);
  const names = json.data.viewer.transactions.edges.map(
    ({ node }: { node: { paidBy: { name: string } | null } }) => node.paidBy?.name,
  );
  expect(names).toEqual(["Weather agent", "Child", undefined]);
});

it("names the creator of a one-time token, also after its payment is released", async () => {
  const { origin } = await openTarget((_request, response, isPaid) =>
    isPaid ? response.end("paid") : respondWith402(response),
  );
  const { token } = await createToken(stack, account.token, { merchantUrl: `${origin}/` });
  expect((await fetchWithToken(stack, token, `${origin}/`)).status).toBe(200);
  const byAgent = { kind: "API_TOKEN", name: "Weather agent", isOneTime: true };
  expect(await readPayers()).toEqual([byAgent, null]);
  const { transaction } = stack.service.deps.db.prisma;
  await transaction.updateMany({
    where: { accountId: account.accountId, type: "x402" },
    data: { status: "released", purchaseTokenId: null },
  });
  expect(await readPayers()).toEqual([byAgent, null]);
});

it("is null if the credential no longer exists", async () => {
  await pay({ "x-service-token": account.token });
  const { transaction } = stack.service.deps.db.prisma;
  await transaction.updateMany({
    where: { accountId: account.accountId, type: "x402" },
    data: { budgetIds: [account.accountId, "tok_gone"] },
  });
  expect(await readPayers()).toEqual([null, null]);
});

it("is read for a page with one statement", async () => {
  for (let i = 0; i < 5; i++) await pay({ "x-service-token": account.token });
  const { db } = stack.service.deps;
  const statements: string[] = [];
  const { query } = db;
  Object.assign(db, {
    query: (statement: { name: string }, values: unknown[]) => {
      statements.push(statement.name);
      return query(statement as never, values);
    },
  });
  expect(await readPayers()).toHaveLength(6);
  Object.assign(db, { query });
  expect(statements.filter((name) => name === "find-payers")).toHaveLength(1);
});
