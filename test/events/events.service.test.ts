// @module-tag postgresql
/** The events API: polling over REST, webhooks over REST, and a subscription that resumes. */
import { createClient } from "graphql-ws";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import type { AgentEventData, OrderEventData, TradeEventData } from "../../src/events/event-data.ts";
import { newId } from "../../src/platform/ids.ts";
import { createMailbox, storeMessage } from "../mail/fixtures.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { paymentRow } from "./event-fixture.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
});

/** Stores and announces an ended payment as the ledger does. Returns its id. */
async function pay(status = "settled"): Promise<string> {
  const { db, pubsub } = stack.service.deps;
  const row = paymentRow(account.accountId, new Date(), status);
  await db.prisma.transaction.create({ data: row });
  pubsub.publish(`transaction:${account.accountId}`, row.id);
  return row.id;
}

async function listEvents(query = "") {
  const { status, json } = await stack.rest(account.token, "GET", `/api/events${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as { events: { id: string; type: string; data: { id: string } }[]; hasMore: boolean; nextCursor: string };
}
const idsOf = ({ events }: Awaited<ReturnType<typeof listEvents>>) => events.map(({ data }) => data.id);

describe("GET /api/events", () => {
  it("returns each event once to a client that polls from the last cursor", async () => {
    const first = await pay();
    const start = await listEvents();
    expect(start.events).toMatchObject([{ type: "payment.settled", data: { id: first, amount: "2.00" } }]);
    expect(idsOf(await listEvents(`?after=${start.nextCursor}`))).toEqual([]);
    const later: string[] = [];
    for (let i = 0; i < 5; i++) later.push(await pay(i % 2 ? "failed" : "settled"));
    await expect.poll(async () => idsOf(await listEvents()).length).toBe(6);
    const seen: string[] = [];
    let { nextCursor } = start;
    for (let hasMore = true; hasMore; ) {
      const page = await listEvents(`?limit=2&after=${encodeURIComponent(nextCursor)}`);
      seen.push(...idsOf(page));
      ({ hasMore, nextCursor } = page);
    }
    expect(seen.toSorted()).toEqual(later.toSorted());
    const end = await listEvents(`?after=${encodeURIComponent(nextCursor)}`);
    expect(end).toEqual({ events: [], hasMore: false, nextCursor });
    expect(idsOf(await listEvents("?types=payment.failed,mail.received"))).toHaveLength(2);
    expect(idsOf(await listEvents(`?since=${new Date(Date.now() + 60_000).toISOString()}`))).toEqual([]);
  });

  it.each([
    ["?types=payment.lost", "types"],
    ["?after=nonsense", "after"],
    [`?after=${Buffer.from("GPC:S:evt_1_gone").toString("base64")}`, "after"],
    ["?limit=0", "limit"],
    ["?since=yesterday", "since"],
  ])("rejects %s and names the field %s", async (query, field) => {
    const { status, json } = await stack.rest(account.token, "GET", `/api/events${query}`);
    expect([status, json.field]).toEqual([400, field]);
  });

  it("returns only the events of the caller's account", async () => {
    await pay();
    expect(idsOf(await listEvents())).toHaveLength(1);
    const otherAccount = await stack.account();
    expect((await stack.rest(otherAccount.token, "GET", "/api/events")).json.events).toEqual([]);
  });
});

it("creates, lists and deletes a webhook over REST", async () => {
  const url = "https://app.example/hook";
  const created = await stack.rest(account.token, "POST", "/api/webhooks", { url, events: ["mail.received"] });
  expect(created.json).toMatchObject({ url, events: ["mail.received"], isEnabled: true, disabledReason: null });
  const { secret, ...record } = created.json;
  expect(secret).toMatch(/^whsec_/);
  expect((await stack.rest(account.token, "GET", "/api/webhooks")).json).toEqual({ webhooks: [record] });
  for (const [body, field] of [
    [{}, "url"],
    [{ url: "http://app.example/" }, "url"],
    [{ url, events: ["mail.lost"] }, "events[0]"],
    [{ url, description: "x".repeat(201) }, "description"],
  ] as const) {
    const { status, json } = await stack.rest(account.token, "POST", "/api/webhooks", body);
    expect([status, json.field], JSON.stringify(body)).toEqual([400, field]);
  }
  const path = `/api/webhooks/${record.id}`;
  const otherAccount = await stack.account();
  expect((await stack.rest(otherAccount.token, "DELETE", path)).status).toBe(404);
  expect((await stack.rest(account.token, "DELETE", path)).json).toEqual({ success: true, id: record.id });
  expect((await stack.rest(account.token, "DELETE", path)).status).toBe(404);
  expect((await stack.rest(account.token, "DELETE", "/api/webhooks/tx_1")).status).toBe(404);
});

it("publishes events by type to a subscription, which resumes after a lost connection", async () => {
  const WATCH = `subscription ($types: [AccountEventType!], $after: String) {
    accountEventOccurred(types: $types, after: $after) { cursor event { type payload } } }`;
  interface Occurrence {
    readonly cursor: string;
    readonly event: { readonly type: string; readonly payload: { readonly id: string } };
  }
  async function watch(variables: Record<string, unknown>, count: number, meanwhile: () => Promise<unknown>) {
    const client = createClient({
      url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": account.token },
      retryAttempts: 0,
    });
    const seen: Occurrence[] = [];
    const updates = client.iterate<{ accountEventOccurred: Occurrence }>({ query: WATCH, variables });
    const first = updates.next();
    // The subscription receives events once the account has a feed.
    const { eventFeed } = stack.service.deps.db.prisma;
    await expect.poll(() => eventFeed.count({ where: { accountId: account.accountId } })).toBe(1);
    await meanwhile();
    for (let next = await first; !next.done; next = await updates.next()) {
      expect(next.value.errors).toBeUndefined();
      if (next.value.data) seen.push(next.value.data.accountEventOccurred);
      if (seen.length === count) break;
    }
    await client.dispose();
    return seen;
  }
  const ids: string[] = [];
  const live = await watch({ types: ["PAYMENT_FAILED"] }, 2, async () => {
    for (const status of ["failed", "settled", "failed"]) ids.push(await pay(status));
  });
  expect(live.map(({ event }) => event.payload.id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
  await expect.poll(async () => idsOf(await listEvents()).length).toBe(3);
  ids.push(await pay());
  await expect.poll(async () => idsOf(await listEvents()).length).toBe(4);
  const resumed = await watch({ after: live.at(-1)?.cursor }, 1, async () => {});
  expect(ids).toContain(resumed[0]?.event.payload.id);
  const response = await stack.graphql(account.token, WATCH, { after: "x" }, { accept: "text/event-stream" });
  expect(response.text).toContain("after is not a cursor");
});

describe("the data of events in GraphQL", () => {
  const DATA = `query ($filter: AccountEventFilter) { viewer { events(filter: $filter) { edges { node { eventId type payload data { __typename
    ... on PaymentEventData { transactionId transactionStatus amount { amount symbol } feeUsd transaction { transactionId amount { amount } } }
    ... on MailEventData { messageId messageDirection authentication { spf } sentAt message { messageId } }
    ... on TradeEventData { sold { atomic symbol } bought { amount } trade { tradeId } }
    ... on AgentEventData { agentRecordId agentStatus registeredAt agent { agentRecordId } }
    ... on CheckoutOrderEventData { orderId orderKind approvedAmount { amount currency } chargedAmount { amount } errorCode retryAction order { orderId } }
    ... on WebhookTestEventData { text webhook { webhookId } } } } } } } }`;
  const readData = async (filter: object | null = null) => {
    const { json } = await stack.graphql(account.token, DATA, { filter });
    expect(json.errors).toBeUndefined();
    return json.data.viewer.events.edges.map(({ node }: { node: object }) => node);
  };

  it("is typed by the family of the type and links the objects", async () => {
    const { db, pubsub } = stack.service.deps;
    const paymentId = await pay();
    const message = await storeMessage(stack, await createMailbox(stack, account));
    pubsub.publish(`mail:${account.accountId}`, message.id);
    const types = ["PAYMENT_SETTLED", "MAIL_RECEIVED"];
    await expect.poll(async () => (await readData({ types })).length).toBe(2);
    expect(await readData({ types: ["PAYMENT_SETTLED"] })).toMatchObject([
      {
        payload: { id: paymentId, amount: "2.00" },
        data: {
          __typename: "PaymentEventData",
          transactionId: paymentId,
          transactionStatus: "SETTLED",
          amount: { amount: "2.000000", symbol: "USDC" },
          transaction: { transactionId: paymentId, amount: { amount: "2.000000" } },
        },
      },
    ]);
    expect(await readData({ types: ["MAIL_RECEIVED"] })).toMatchObject([
      {
        data: { messageId: message.id, messageDirection: "INBOUND", sentAt: null, message: { messageId: message.id } },
      },
    ]);
    const time = new Date().toISOString();
    const agent: AgentEventData = {
      ...{ agentRecordId: "agt_1_none", agentId: 7, status: "active", network: "base", registry: "0x1" },
      ...{ registeredAt: time, revokedAt: null, revokedReason: null },
    };
    const trade: TradeEventData = {
      ...{
        id: "trd_1_none",
        status: "failed",
        network: "base",
        transactionId: "tx_1_none",
        failureReason: "It failed.",
      },
      ...{
        sellToken: { symbol: "USDC", address: "0x1", decimals: 6 },
        buyToken: { symbol: "ETH", address: "0x2", decimals: 18 },
      },
      ...{ sellAmount: "1.5", buyAmount: null, minBuyAmount: "0.1", createdAt: time },
    };
    const order: OrderEventData = {
      ...{
        id: "ord_1_none",
        merchantId: null,
        kind: "purchase",
        status: "out_of_stock",
        amountMinor: 500,
        currency: "JPY",
      },
      ...{
        amountChargedMinor: null,
        test: true,
        retryable: false,
        retryAction: "re_preview",
        errorCode: "out_of_stock",
      },
      ...{ errorMessage: "None left.", merchantOrderNumber: null, createdAt: time, completedAt: time },
    };
    const stored = { "agent.revoked": agent, "trade.failed": trade, "order.failed": order };
    for (const [type, payload] of Object.entries(stored)) {
      const row = {
        id: newId("evt"),
        accountId: account.accountId,
        type,
        subjectId: newId("tx"),
        payload: JSON.parse(JSON.stringify(payload)),
      };
      await db.prisma.accountEvent.create({ data: { ...row, createdAt: new Date(), recordedAt: new Date() } });
    }
    expect(await readData({ types: ["AGENT_REVOKED", "TRADE_FAILED", "ORDER_FAILED"] })).toMatchObject([
      {
        data: {
          ...{
            orderId: "ord_1_none",
            orderKind: "PURCHASE",
            approvedAmount: { amount: "500", currency: "JPY" },
            chargedAmount: null,
          },
          ...{ errorCode: "OUT_OF_STOCK", retryAction: "RE_PREVIEW", order: null },
        },
      },
      { data: { sold: { atomic: "1500000", symbol: "USDC" }, bought: null, trade: null } },
      { data: { agentRecordId: "agt_1_none", agentStatus: "ACTIVE", registeredAt: time, agent: null } },
    ]);
  });

  it("is found by the event's id, and filtered by time", async () => {
    await pay();
    const [event] = await readData();
    const future = new Date(Date.now() + 60_000).toISOString();
    expect(await readData({ createdAfter: future })).toEqual([]);
    expect(await readData({ createdBefore: future })).toHaveLength(1);
    const query = "query ($id: ID!) { event(id: $id) { eventId type } }";
    const { json } = await stack.graphql(account.token, query, { id: event.eventId });
    expect(json.data.event).toEqual({ eventId: event.eventId, type: "PAYMENT_SETTLED" });
    const other = await stack.graphql((await stack.account()).token, query, { id: event.eventId });
    expect(other.json).toEqual({ data: { event: null } });
  });
});
