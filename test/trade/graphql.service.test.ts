/** Trades over GraphQL: the mutation, the list, the ledger row, and the subscription, also after a lost connection. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { USDC } from "./market.ts";

const TRADE = `mutation ($input: TradeInput!) { trade(input: $input) { __typename
  ... on TradeSuccess { trade { id tradeId status sold { amount symbol } bought { symbol } transaction { type status amount { amount symbol } } } }
  ... on Error { code message } ... on UnsupportedNetworkError { field } } }`;
const WATCH =
  "subscription ($id: ID, $after: String) { tradeUpdated(id: $id, after: $after) { cursor trade { id status } } }";

let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"] });
  account = await stack.account();
  await stack.fund(account, "1000000000");
});
afterAll(() => stack?.stop());

interface Update {
  readonly cursor: string;
  readonly trade: { readonly id: string; readonly status: string };
}

/** Collects updates until the trade returned by `whileWatching` has settled. */
async function watch(variables: object, whileWatching: () => Promise<string>): Promise<Update[]> {
  const client = createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": account.token },
    retryAttempts: 0,
  });
  const seen: Update[] = [];
  const updates = client.iterate<{ tradeUpdated: Update }>({
    query: WATCH,
    variables: variables as Record<string, unknown>,
  });
  const first = updates.next();
  const tradeId = await whileWatching();
  for (let next = await first; !next.done; next = await updates.next()) {
    expect(next.value.errors).toBeUndefined();
    const update = next.value.data?.tradeUpdated;
    if (update) seen.push(update);
    if (update?.trade.id === tradeId && update.trade.status === "SETTLED") break;
  }
  await client.dispose();
  return seen;
}

async function trade(input: object = {}) {
  const { json } = await stack.graphql(account.token, TRADE, {
    input: { sellToken: "USDC", buyToken: "AERO", sellAmount: "2.5", ...input },
  });
  expect(json.errors).toBeUndefined();
  return json.data.trade;
}

it("returns the trade with its ledger row, in the list and by its id", async () => {
  const { trade: done } = await trade();
  expect(done).toMatchObject({
    status: "SETTLED",
    sold: { amount: "2.500000", symbol: "USDC" },
    bought: { symbol: "AERO" },
    transaction: { type: "TRADE", status: "SETTLED", amount: { amount: "2.500000", symbol: "USDC" } },
  });
  const query = `query ($id: ID!) { node(id: $id) { ... on Trade { tradeId txHash slippagePercentage } }
    viewer { trades(first: 5, filter: { statuses: [SETTLED] }) { edges { node { tradeId } } }
      failed: trades(filter: { statuses: [FAILED] }) { edges { cursor } } } }`;
  const { json } = await stack.graphql(account.token, query, { id: done.id });
  expect(json.data.node).toMatchObject({ tradeId: done.tradeId, slippagePercentage: 1 });
  expect(json.data.viewer.trades.edges).toEqual([{ node: { tradeId: done.tradeId } }]);
  expect(json.data.viewer.failed.edges).toEqual([]);
  const otherAccount = await stack.account();
  expect((await stack.graphql(otherAccount.token, query, { id: done.id })).json.data.node).toBeNull();
});

it("publishes every status from reservation to settlement, and resumes after a lost connection", async () => {
  const { trade: before } = await trade();
  // Starts from a known event, because events before the subscription is active would be missed.
  const cursor = Buffer.from(`${Date.now()}:${before.tradeId}`).toString("base64url");
  let watched = "";
  const live = await watch({ after: cursor }, async () => {
    watched = (await trade()).trade.id;
    return watched;
  });
  const order = ["PENDING", "APPROVING", "SUBMITTED", "SETTLED"];
  const ranks = live.filter(({ trade: it }) => it.id === watched).map(({ trade: it }) => order.indexOf(it.status));
  expect(ranks.at(-1)).toBe(3);
  expect(ranks).toEqual(ranks.toSorted());
  const { trade: last } = await trade();
  const resumed = await watch({ id: last.id, after: live.at(-1)?.cursor ?? null }, async () => last.id);
  expect(resumed.map(({ trade: it }) => [it.id, it.status])).toEqual([[last.id, "SETTLED"]]);
});

it("rejects an invalid cursor and an invalid id", async () => {
  const after = { query: WATCH, variables: { after: "nonsense" } };
  const response = await stack.graphql(account.token, after.query, after.variables, { accept: "text/event-stream" });
  expect(response.text).toContain("after is not a cursor");
});

it("rejects other networks, and all trades if trading is not configured", async () => {
  expect(await trade({ network: "solana" })).toMatchObject({ code: "UNSUPPORTED_NETWORK", field: "network" });
  const rpcUrl = stack.sandbox?.networks.base?.rpcUrl ?? "";
  const bare = await startStack({ env: { SANDBOX: "0", RPC_URL_BASE: rpcUrl } });
  try {
    const other = await bare.account();
    const body = { sellToken: "USDC", buyToken: "DAI", sellAmount: 1 };
    const { status, json } = await bare.rest(other.token, "POST", "/api/trade", body);
    expect([status, json.error]).toEqual([503, "trading_not_configured"]);
    expect((await bare.rest(null, "GET", "/api/trade/tokens")).status).toBe(200);
  } finally {
    await bare.stop();
  }
});

it("sells the whole balance to the last unit, and the same key does not sell later deposits", async () => {
  const payer = await stack.account();
  await stack.fund(payer, "7000001");
  const { evmAddress } = await stack.service.deps.wallets.ofAccount(payer.accountId);
  const sell = async (input: object) =>
    (await stack.graphql(payer.token, TRADE, { input: { sellToken: "USDC", buyToken: "DAI", ...input } })).json.data
      .trade;
  for (const input of [{}, { sellAmount: "1", sellAll: true }, { sellAll: false }]) {
    expect(await sell(input)).toMatchObject({ __typename: "InvalidRequestError" });
  }
  expect(await sell({ sellToken: "ETH", sellAll: true })).toMatchObject({ __typename: "InvalidRequestError" });
  const first = await sell({ sellAll: true, idempotencyKey: "all" });
  expect(first.trade, JSON.stringify(first)).toMatchObject({ status: "SETTLED", sold: { amount: "7.000001" } });
  expect(await stack.service.deps.chains.evm("base").tokenBalanceAtomic(USDC, evmAddress)).toBe(0n);
  await stack.fund(payer, "3000000");
  expect((await sell({ sellAll: true, idempotencyKey: "all" })).trade.id).toBe(first.trade.id);
  const empty = await stack.account();
  const { json } = await stack.graphql(empty.token, TRADE, {
    input: { sellToken: "DAI", buyToken: "WETH", sellAll: true },
  });
  expect(json.data.trade.__typename).toBe("InsufficientBalanceError");
});
