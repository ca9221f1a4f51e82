// @module-tag postgresql
/** The number of SQL statements for a page does not depend on its rows. The rows are written directly. */
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { createDueEvents, newEndpoint, paymentRow } from "../events/event-fixture.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { recordStatements } from "../support/statements.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

const ROWS = 4;
const prisma = () => stack.service.deps.db.prisma;

/**
 * Runs a query for `first` rows three times, as an operation is interpreted first and compiled later. Returns the data and
 * the number of statements of each run on the tables that match the pattern.
 */
async function countStatements(query: string, first: number, tables: RegExp) {
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  let data: any;
  const counts: number[] = [];
  for (let run = 0; run < 3; run++) {
    const statements = await recordStatements(async () => {
      const { json } = await stack.graphql(account.token, query, { first });
      expect(json.errors).toBeUndefined();
      data = json.data;
    }, tables);
    counts.push(statements.length);
  }
  return { data, counts };
}

it("webhooks with their deliveries and events need the same statements for any page length", async () => {
  for (let i = 0; i < ROWS; i++) {
    const { id } = await newEndpoint(stack.service.deps.db, account.accountId, "http://127.0.0.1:1/");
    // Disabled, so that the service does not deliver in the meantime.
    await prisma().webhookEndpoint.update({ where: { id }, data: { disabledAt: new Date() } });
    await createDueEvents(stack.service.deps.db, account.accountId, id, 3);
  }
  const query = `query ($first: Int!) { viewer { webhooks(first: $first) { edges { node {
    deliveries(first: 3) { edges { node { webhook { url } event { payload data { __typename
      ... on PaymentEventData { transaction { status } } } } } } } } } } } }`;
  const tables =
    /"(webhook_endpoints|webhook_deliveries|account_events|transactions)"|FROM webhook_deliveries AS child/;
  const two = await countStatements(query, 2, tables);
  const four = await countStatements(query, ROWS, tables);
  const edges = four.data.viewer.webhooks.edges as { node: { deliveries: { edges: { node: object }[] } } }[];
  expect(edges).toHaveLength(ROWS);
  for (const { node } of edges) {
    expect(node.deliveries.edges).toHaveLength(3);
    expect(node.deliveries.edges[0]?.node).toMatchObject({
      event: { payload: { number: expect.any(Number) }, data: { __typename: "PaymentEventData", transaction: null } },
    });
  }
  expect(four.counts).toEqual(two.counts);
  expect(new Set(four.counts).size).toBe(1);
});

it("nested pages start at their own cursor and read only the returned rows", async () => {
  const ids = new Map<string, string[]>();
  for (let i = 0; i < 3; i++) {
    const { id } = await newEndpoint(stack.service.deps.db, account.accountId, "http://127.0.0.1:1/");
    await prisma().webhookEndpoint.update({ where: { id }, data: { disabledAt: new Date() } });
    await createDueEvents(stack.service.deps.db, account.accountId, id, 5);
    const rows = await prisma().webhookDelivery.findMany({
      where: { endpointId: id },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
    await prisma().webhookDelivery.update({ where: { id: rows[3]?.id ?? "" }, data: { status: "failed" } });
    ids.set(
      id,
      rows.map((row) => row.id),
    );
  }
  const page = async (webhooks: string, deliveries: string) => {
    const query = `{ viewer { webhooks(${webhooks}) { pageInfo { startCursor } edges { node { webhookId
      deliveries(${deliveries}) { pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { deliveryId webhook { webhookId } } } } } } } } }`;
    let json: Awaited<ReturnType<typeof stack.graphql>>["json"];
    const read = await recordStatements(async () => {
      ({ json } = await stack.graphql(account.token, query));
    }, /"webhook_deliveries"|FROM webhook_deliveries AS child/);
    expect(json.errors).toBeUndefined();
    for (const statement of read) expect(statement).toMatch(/LIMIT|"id" IN \(/);
    return json.data.viewer.webhooks;
  };
  type Node = { webhookId: string; deliveries: { edges: { node: { deliveryId: string; webhook: object } }[] } };
  const readIds = ({ deliveries }: Node) => deliveries.edges.map(({ node }) => node.deliveryId);
  const expectEach = (edges: { node: Node }[], from: number, to: number) => {
    for (const { node } of edges) {
      expect(readIds(node)).toEqual(ids.get(node.webhookId)?.slice(from, to));
      for (const { node: delivery } of node.deliveries.edges) {
        expect(delivery.webhook).toEqual({ webhookId: node.webhookId });
      }
    }
  };
  const newest = await page("first: 1", "first: 2");
  expectEach(newest.edges, 0, 2);
  const { webhookId, deliveries } = newest.edges[0].node;
  expect(deliveries.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const after = `after: "${newest.pageInfo.startCursor}"`;
  const others = await page(`first: 2, ${after}`, "first: 2");
  expect(others.edges.map(({ node }: { node: Node }) => node.webhookId)).not.toContain(webhookId);
  expectEach(others.edges, 0, 2);
  expectEach((await page(`first: 2, ${after}`, "last: 2")).edges, 3, 5);
  const next = await page("first: 3", `first: 2, after: "${deliveries.pageInfo.endCursor}"`);
  // A cursor belongs to one list. In another list no rows follow it.
  expect(next.edges.map(({ node }: { node: Node }) => readIds(node))).toEqual([
    ids.get(webhookId)?.slice(2, 4),
    [],
    [],
  ]);
  const before = await page("first: 1", `last: 1, before: "${deliveries.pageInfo.endCursor}"`);
  expectEach(before.edges, 0, 1);
  expectEach((await page("first: 2", "filter: { statuses: [FAILED] }")).edges, 3, 4);
  expectEach((await page("first: 2", "filter: { types: [PAYMENT_SETTLED] }")).edges, 0, 5);
  expectEach((await page("first: 2", "filter: { types: [MAIL_RECEIVED] }")).edges, 0, 0);
});

it("connected apps with their transactions need the same statements for any page length", async () => {
  const paid = new Map<string, string[]>();
  for (let i = 0; i < ROWS; i++) {
    const grantId = newId("grt");
    await prisma().oAuthGrant.create({ data: { id: grantId, accountId: account.accountId, clientId: "service_cli" } });
    const rows = [3, 2, 1]
      .map((age) => new Date(Date.now() - age * 1_000))
      .map((createdAt) => ({
        ...paymentRow(account.accountId, createdAt),
        createdAt,
        budgetIds: [account.accountId, grantId],
      }));
    await prisma().transaction.createMany({ data: rows });
    paid.set(grantId, rows.map(({ id }) => id).reverse());
  }
  const query = `query ($first: Int!) { viewer { connectedApps(first: $first) { edges { node { grantId
    newest: transactions(first: 2) { totalCount { value } pageInfo { endCursor hasNextPage } edges { node { transactionId paidBy { kind } } } }
    oldest: transactions(last: 1) { edges { node { transactionId } } } } } } } }`;
  const tables = /child.budget_ids\[2\] = parent.id/;
  const two = await countStatements(query, 2, tables);
  const four = await countStatements(query, ROWS, tables);
  expect(four.counts).toEqual(two.counts);
  expect(new Set(four.counts).size).toBe(1);
  const edges = four.data.viewer.connectedApps.edges;
  expect(edges).toHaveLength(ROWS);
  const idsOf = (page: { edges: { node: { transactionId: string } }[] }) =>
    page.edges.map(({ node }) => node.transactionId);
  for (const { node } of edges) {
    const [third, second, first] = paid.get(node.grantId) ?? [];
    expect([idsOf(node.newest), idsOf(node.oldest)]).toEqual([[third, second], [first]]);
    expect(node.newest.pageInfo.hasNextPage).toBe(true);
    expect(node.newest.totalCount).toEqual({ value: 3 });
    const after = `{ viewer { connectedApps { edges { node { grantId
      transactions(first: 2, after: "${node.newest.pageInfo.endCursor}") { edges { node { transactionId } } } } } } } }`;
    const { json } = await stack.graphql(account.token, after);
    const next = json.data.viewer.connectedApps.edges.find((it: (typeof edges)[0]) => it.node.grantId === node.grantId);
    expect(idsOf(next.node.transactions)).toEqual([first]);
  }
});

it("transactions include the one-time token that paid", async () => {
  const row = paymentRow(account.accountId, new Date());
  const purchaseTokenId = `pt_${Date.now()}`;
  await prisma().purchaseToken.create({
    data: {
      ...{ id: purchaseTokenId, accountId: account.accountId, tokenHash: randomBytes(32) },
      ...{ merchantUrl: "http://shop.test/", network: "base-sepolia", maxMicroUsd: 1_000_000n },
      ...{ budgetIds: [account.accountId], expiresAt: new Date() },
    },
  });
  await prisma().transaction.create({ data: { ...row, purchaseTokenId } });
  const query = `query ($first: Int!) { viewer { transactions(first: $first) { edges { node {
    transactionId purchaseToken { purchaseTokenId status } } } } } }`;
  const { data } = await countStatements(query, 20, /purchase_tokens/);
  const edges = data.viewer.transactions.edges as { node: { transactionId: string; purchaseToken: object | null } }[];
  const tokens = new Map(edges.map(({ node }) => [node.transactionId, node.purchaseToken]));
  expect(tokens.get(row.id)).toEqual({ purchaseTokenId, status: "CONSUMED" });
  expect([...tokens.values()].filter((token) => token !== null)).toHaveLength(1);
});

it("transactions with their links need the same statements for any page length", async () => {
  const own = await stack.account();
  const { accountId } = own;
  for (let i = 0; i < ROWS; i++) {
    const at = (n: number) => new Date(Date.now() - (4 * i + n) * 1_000);
    const [tokenId, grantId, tradeId, callId] = [newId("tok"), newId("grt"), newId("trd"), newId("gwc")];
    const rules = { scopes: [], networks: [], allowedHosts: [], allowedPayees: [], budgetIds: [] };
    await prisma().apiToken.create({
      data: { id: tokenId, accountId, name: "token", tokenHash: randomBytes(32), hint: "abcd", ...rules },
    });
    await prisma().oAuthGrant.create({ data: { id: grantId, accountId, clientId: "service_cli" } });
    const rows = [
      { ...paymentRow(accountId, at(1)), budgetIds: [accountId, tokenId] },
      { ...paymentRow(accountId, at(2)), budgetIds: [accountId, grantId] },
      { ...paymentRow(accountId, at(3)), type: "trade", budgetIds: [accountId] },
      { ...paymentRow(accountId, at(4)), type: "gateway", budgetIds: [accountId] },
    ].map((row, n) => ({ ...row, createdAt: at(n + 1) }));
    await prisma().transaction.createMany({ data: rows });
    const amounts = { sellAmountAtomic: 1, buyAmountAtomic: 2, minBuyAtomic: 1, slippageBps: 100 };
    await prisma().trade.create({
      data: {
        ...{ id: tradeId, accountId, transactionId: rows[2]?.id ?? "", walletId: "wal_1", network: "base", ...amounts },
        ...{ status: "settled", sellToken: "0x1", sellSymbol: "SOLD", sellDecimals: 3 },
        ...{ buyToken: "native", buySymbol: "ETH", buyDecimals: 18 },
      },
    });
    await prisma().gatewayCall.create({
      data: { id: callId, accountId, budgetId: accountId, model: "m", status: "completed", isStreamed: false },
    });
    await prisma().gatewayTransaction.create({ data: { callId, transactionId: rows[3]?.id ?? "" } });
  }
  const query = `query ($first: Int!) { viewer { transactions(first: $first, filter: { types: [X402, TRADE, GATEWAY] }) { edges { node { amount { symbol decimals }
    apiToken { hint } grant { networks } trade { sold { symbol } txHash } gatewayCall { model } } } } } }`;
  const tables = /api_tokens|oauth_grants|trades|evm_transactions|gateway_/;
  const count = async (first: number) => {
    const statements: string[] = [];
    const recorded = await recordStatements(async () => {
      const { json } = await stack.graphql(own.token, query, { first });
      expect(json.errors).toBeUndefined();
      statements.push(...json.data.viewer.transactions.edges.map(({ node }: { node: object }) => JSON.stringify(node)));
    }, tables);
    return { nodes: new Set(statements), count: recorded.length };
  };
  const usdc = { symbol: "USDC", decimals: 6 };
  const none = { apiToken: null, grant: null, trade: null, gatewayCall: null };
  const [four, all, again] = [await count(4), await count(4 * ROWS), await count(4 * ROWS)];
  expect([...four.nodes].map((node) => JSON.parse(node))).toEqual([
    { amount: usdc, ...none, apiToken: { hint: "abcd" } },
    { amount: usdc, ...none, grant: { networks: [] } },
    { amount: { symbol: "SOLD", decimals: 3 }, ...none, trade: { sold: { symbol: "SOLD" }, txHash: null } },
    { amount: usdc, ...none, gatewayCall: { model: "m" } },
  ]);
  expect(all.nodes).toEqual(four.nodes);
  // Prisma reads a single row with a statement for each selected relation, and several rows together. A background job may read one of
  // the tables meanwhile.
  expect(Math.min(all.count, again.count)).toBeLessThanOrEqual(four.count);
});

it.each([
  ["AccountEvent", "account_events"],
  ["AgentCredential", "agent_credentials"],
  ["AgentDispute", "agent_disputes"],
  ["MailAttachment", "mail_attachments"],
  ["MailDraft", "mail_drafts"],
  ["MailRule", "mail_rules"],
  ["MailThread", "mail_threads"],
  ["WebhookDelivery", "webhook_deliveries"],
])("nodes of type %s are read by id with the same statements for any number of ids", async (type, table) => {
  const count = async (length: number) => {
    const ids = Array.from({ length }, (_, n) => Buffer.from(`${type}:x_${n}`).toString("base64"));
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }";
    const read = await recordStatements(
      async () => {
        const { json } = await stack.graphql(account.token, query, { ids });
        expect(json).toEqual({ data: { nodes: ids.map(() => null) } });
      },
      new RegExp(`"${table}" AS "t0" .*WHERE \\(?"t0"."id"`),
    );
    return read.length;
  };
  const two = await count(2);
  expect(two).toBeGreaterThan(0);
  expect(await count(10)).toBe(two);
});
