// @module-tag postgresql
/** Filters of credential lists. The rows are written directly, one for each status. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { paymentRow } from "../events/event-fixture.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  const { prisma } = stack.service.deps.db;
  const { accountId } = account;
  const credential = (id: string) => ({ id, accountId, tokenHash: randomBytes(32) });
  const [past, future] = [daysFromNow(-1), daysFromNow(1)];
  await prisma.apiToken.updateMany({ where: { accountId }, data: { name: "The test's" } });
  const token = { hint: "abcd", scopes: [], networks: [], allowedHosts: [], allowedPayees: [], budgetIds: [accountId] };
  await prisma.apiToken.createMany({
    data: [
      { ...credential("tok_1"), ...token, name: "100% Shopper", expiresAt: future },
      { ...credential("tok_2"), ...token, name: "shopper of old", expiresAt: past },
      { ...credential("tok_3"), ...token, name: "Reader", revokedAt: past, expiresAt: past },
    ],
  });
  await prisma.session.createMany({
    data: [
      { ...credential("ses_1"), method: "passkey", expiresAt: future },
      { ...credential("ses_2"), method: "passkey", expiresAt: past },
      { ...credential("ses_3"), method: "passkey", expiresAt: future, lastSeenAt: daysFromNow(-8) },
      { ...credential("ses_4"), method: "passkey", expiresAt: future, revokedAt: past },
    ],
  });
  const purchase = { merchantUrl: "http://shop.test/", maxMicroUsd: 1n, allowedPayees: [], budgetIds: [accountId] };
  await prisma.purchaseToken.createMany({
    data: [
      { ...credential("pt_1"), ...purchase, network: "base", expiresAt: future, createdAt: daysFromNow(-4) },
      { ...credential("pt_2"), ...purchase, network: "solana", expiresAt: past, createdAt: daysFromNow(-3) },
      { ...credential("pt_3"), ...purchase, network: "base", expiresAt: past, createdAt: daysFromNow(-2) },
      {
        ...{ ...credential("pt_4"), ...purchase, network: "base", expiresAt: past },
        ...{ revokedAt: past, createdAt: daysFromNow(-1) },
      },
    ],
  });
  const paid = { ...paymentRow(accountId, new Date()), purchaseTokenId: "pt_3" };
  await prisma.transaction.create({ data: paid });
  await prisma.oAuthGrant.createMany({
    data: [
      { id: "grt_1", accountId, clientId: "service_cli" },
      { id: "grt_2", accountId, clientId: "service_cli", revokedAt: past },
    ],
  });
  const other = await stack.account();
  await prisma.purchaseToken.create({
    data: {
      ...{ ...purchase, id: "pt_5", tokenHash: randomBytes(32), accountId: other.accountId },
      ...{ network: "base", expiresAt: future },
    },
  });
});

async function fetchList(field: string, id: string, args: string) {
  const query = `{ viewer { ${field}(${args}) { edges { cursor node { ${id} } } pageInfo { hasNextPage } } } }`;
  const { json } = await stack.graphql(account.token, query);
  expect(json.errors).toBeUndefined();
  return json.data.viewer[field] as { edges: { cursor: string; node: Record<string, string> }[] };
}
const findIds = async (field: string, id: string, filter: string) =>
  (await fetchList(field, id, `filter: ${filter}`)).edges.map(({ node }) => node[id]).toSorted();

describe("API tokens", () => {
  it.each([
    ["{ statuses: [ACTIVE] }", ["100% Shopper", "The test's"]],
    ["{ statuses: [EXPIRED] }", ["shopper of old"]],
    ["{ statuses: [REVOKED] }", ["Reader"]],
    ['{ q: " SHOPPER " }', ["100% Shopper", "shopper of old"]],
    ['{ q: "100%" }', ["100% Shopper"]],
    ['{ q: "%e" }', []],
    ['{ q: "shopper", statuses: [ACTIVE] }', ["100% Shopper"]],
    ["{ statuses: null, q: null }", ["100% Shopper", "Reader", "The test's", "shopper of old"]],
  ])("%s", async (filter, names) => {
    expect(await findIds("apiTokens", "name", filter)).toEqual(names);
  });
});

describe("sessions", () => {
  it.each([
    ["{ statuses: [ACTIVE] }", ["ses_1"]],
    ["{ statuses: [ACTIVE, REVOKED] }", ["ses_1", "ses_4"]],
    ["{ statuses: [EXPIRED, REVOKED] }", ["ses_2", "ses_3", "ses_4"]],
    ["{ statuses: [ACTIVE, EXPIRED] }", ["ses_1", "ses_2", "ses_3"]],
    ["{ statuses: [ACTIVE, EXPIRED, REVOKED] }", ["ses_1", "ses_2", "ses_3", "ses_4"]],
    ["{ statuses: [] }", ["ses_1", "ses_2", "ses_3", "ses_4"]],
    ["{ statuses: [EXPIRED] }", ["ses_2", "ses_3"]],
    ["{ statuses: [REVOKED] }", ["ses_4"]],
    ["null", ["ses_1", "ses_2", "ses_3", "ses_4"]],
  ])("%s", async (filter, ids) => {
    expect(await findIds("sessions", "sessionId", filter)).toEqual(ids);
  });
});

describe("purchase tokens", () => {
  it.each([
    ["{ statuses: [UNUSED] }", ["pt_1"]],
    ["{ statuses: [EXPIRED] }", ["pt_2"]],
    ["{ statuses: [CONSUMED] }", ["pt_3"]],
    ["{ statuses: [REVOKED] }", ["pt_4"]],
    ["{ statuses: [CONSUMED, REVOKED] }", ["pt_3", "pt_4"]],
    ["{ statuses: [] }", ["pt_1", "pt_2", "pt_3", "pt_4"]],
    ['{ networks: ["solana"] }', ["pt_2"]],
    ['{ networks: ["solana"], statuses: [UNUSED] }', []],
    ["null", ["pt_1", "pt_2", "pt_3", "pt_4"]],
  ])("%s", async (filter, ids) => {
    expect(await findIds("purchaseTokens", "purchaseTokenId", filter)).toEqual(ids);
  });

  it("are paginated in both directions", async () => {
    const page = async (args: string) => {
      const { edges } = await fetchList("purchaseTokens", "purchaseTokenId", `filter: { networks: ["base"] }, ${args}`);
      return { ids: edges.map(({ node }) => node["purchaseTokenId"]), cursor: edges.at(-1)?.cursor };
    };
    const first = await page("first: 2");
    expect(first.ids).toEqual(["pt_4", "pt_3"]);
    const second = await page(`first: 2, after: "${first.cursor}"`);
    expect(second.ids).toEqual(["pt_1"]);
    expect((await page(`last: 1, before: "${second.cursor}"`)).ids).toEqual(["pt_3"]);
    expect((await page(`first: 2, after: "${second.cursor}"`)).ids).toEqual([]);
  });
});

describe("orderBy", () => {
  const ASCENDING = "orderBy: { field: CREATED_AT, direction: ASC }";
  const readPage = async (args: string) => {
    const { json } = await stack.graphql(
      account.token,
      `{ viewer { purchaseTokens(${args}) { edges { cursor node { purchaseTokenId } } pageInfo { endCursor } } } }`,
    );
    const { edges = [], pageInfo } = json.data.viewer.purchaseTokens ?? {};
    const ids = edges.map(({ node }: { node: { purchaseTokenId: string } }) => node.purchaseTokenId);
    return { ids, endCursor: pageInfo?.endCursor, error: json.errors?.[0] };
  };

  it("paginates in ascending order in both directions", async () => {
    const first = await readPage(`first: 3, ${ASCENDING}`);
    expect(first.ids).toEqual(["pt_1", "pt_2", "pt_3"]);
    expect((await readPage(`first: 3, after: "${first.endCursor}", ${ASCENDING}`)).ids).toEqual(["pt_4"]);
    expect((await readPage(`last: 1, before: "${first.endCursor}", ${ASCENDING}`)).ids).toEqual(["pt_2"]);
    expect((await readPage(`last: 2, ${ASCENDING}`)).ids).toEqual(["pt_3", "pt_4"]);
    expect((await readPage("first: 4, orderBy: null")).ids).toEqual(["pt_4", "pt_3", "pt_2", "pt_1"]);
  });

  it("rejects a cursor of another order", async () => {
    const [ascending, descending] = [await readPage(`first: 1, ${ASCENDING}`), await readPage("first: 1")];
    for (const [args, field] of [
      [`first: 2, after: "${ascending.endCursor}"`, "after"],
      [`first: 2, after: "${descending.endCursor}", ${ASCENDING}`, "after"],
      [`last: 2, before: "${ascending.endCursor}"`, "before"],
    ] as const) {
      expect((await readPage(args)).error).toMatchObject({
        message: `${field} is a cursor of another order.`,
        path: ["viewer", "purchaseTokens"],
        extensions: { code: "invalid_request", field },
      });
    }
  });
});

it("counts the items of all pages that match the filter", async () => {
  const { json } = await stack.graphql(
    account.token,
    `{ viewer {
      all: purchaseTokens(first: 1) { totalCount { value isCapped } }
      base: purchaseTokens(first: 0, filter: { networks: ["base"] }) { totalCount { value isCapped } }
      used: purchaseTokens(filter: { statuses: [CONSUMED] }) { totalCount { value isCapped } }
      apps: connectedApps(filter: { isRevoked: true }) { totalCount { value isCapped } }
    } }`,
  );
  expect(json.data.viewer).toEqual({
    all: { totalCount: { value: 4, isCapped: false } },
    base: { totalCount: { value: 3, isCapped: false } },
    used: { totalCount: { value: 1, isCapped: false } },
    apps: { totalCount: { value: 1, isCapped: false } },
  });
});

it.each([
  ...["apiTokens", "passkeys", "sessions", "connectedApps", "oauthClients", "events", "webhooks", "orders", "cards"],
  ...["purchaseApprovals", "gatewayCalls", "trades", "agentCredentials"],
])("%s rejects a cursor of a missing item and names the argument", async (field) => {
  const { token } = await stack.account();
  for (const [size, name] of Object.entries({ first: "after", last: "before" })) {
    const mark = field === "events" ? "RECORDED_AT_DESC" : "S";
    const cursor = Buffer.from(`GPC:${mark}:nothing`).toString("base64");
    const { json } = await stack.graphql(
      token,
      `{ viewer { ${field}(${size}: 2, ${name}: "${cursor}") { edges { cursor } } } }`,
    );
    expect(json.errors?.[0]).toMatchObject({ extensions: { code: "invalid_request", field: name } });
  }
});

it("reveals nothing about another account's session by its cursor", async () => {
  const [own, other] = [await stack.account(), await stack.account()];
  const idOf = ({ accountId }: TestAccount) => `ses_of_${accountId}`;
  const common = { method: "passkey", expiresAt: daysFromNow(1) };
  const rows = [own, own, other].map((one, index) => ({
    ...{ ...common, id: one === own ? `${idOf(one)}_${index}` : idOf(one), accountId: one.accountId },
    ...{ tokenHash: randomBytes(32), createdAt: daysFromNow(index - 3) },
  }));
  await stack.service.deps.db.prisma.session.createMany({ data: rows });
  const readMessage = async (id: string) => {
    const cursor = Buffer.from(`GPC:S:${id}`).toString("base64");
    const query = `{ viewer { sessions(first: 1, after: "${cursor}") { edges { cursor } } } }`;
    return (await stack.graphql(own.token, query)).json.errors?.[0].message;
  };
  expect(await readMessage(idOf(other))).toContain("after refers to a deleted item");
  expect(await readMessage("ses_of_nobody")).toBe(await readMessage(idOf(other)));
});

describe("a list whose cursor item no longer matches the filter", () => {
  it.each(["first: 2, after", "last: 2, before"])("%s continues at the next item", async (place) => {
    const { prisma } = stack.service.deps.db;
    const another = await stack.account();
    const { accountId } = another;
    const common = { accountId, method: "passkey", expiresAt: daysFromNow(1) };
    await prisma.session.createMany({
      data: [1, 2, 3, 4, 5].map((age) => ({
        ...{ ...common, id: `ses_${accountId}_${age}`, tokenHash: randomBytes(32), createdAt: daysFromNow(-age) },
        ...(age === 3 ? { revokedAt: new Date() } : {}),
      })),
    });
    const cursor = Buffer.from(`GPC:S:ses_${accountId}_3`).toString("base64");
    const query = `{ viewer { sessions(filter: { statuses: [ACTIVE] }, ${place}: "${cursor}") {
      edges { node { sessionId } } pageInfo { hasNextPage hasPreviousPage } } } }`;
    const { json } = await stack.graphql(another.token, query);
    const ages = json.data.viewer.sessions.edges.map(({ node }: { node: { sessionId: string } }) =>
      Number(node.sessionId.at(-1)),
    );
    expect(ages).toEqual(place.startsWith("first") ? [4, 5] : [1, 2]);
  });
});

describe("connected applications", () => {
  it.each([
    ["{ isRevoked: false }", ["grt_1"]],
    ["{ isRevoked: true }", ["grt_2"]],
    ['{ q: "SATCHEL" }', ["grt_1", "grt_2"]],
    ['{ q: "none of them" }', []],
    ["{ isRevoked: null }", ["grt_1", "grt_2"]],
  ])("%s", async (filter, ids) => {
    expect(await findIds("connectedApps", "grantId", filter)).toEqual(ids);
  });
});
