// @module-tag postgresql
/** Events as programs follow them: asked for over REST, and watched over a subscription that resumes. */
import { createClient } from "graphql-ws";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { paymentRow } from "./room.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
});

/** A payment that ends, as the ledger writes and announces it. */
async function pay(status = "settled"): Promise<string> {
  const { db, pubsub } = stack.service.deps;
  const row = paymentRow(account.accountId, new Date(), status);
  await db.prisma.transaction.create({ data: row });
  pubsub.publish(`transaction:${account.accountId}`, row.id);
  return row.id;
}

async function ask(query = "") {
  const { status, json } = await stack.rest(account.token, "GET", `/api/events${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as { events: { id: string; type: string; data: { id: string } }[]; hasMore: boolean; nextCursor: string };
}
const idsOf = ({ events }: Awaited<ReturnType<typeof ask>>) => events.map(({ data }) => data.id);

describe("GET /api/events", () => {
  it("brings each event once to whoever goes on from the last cursor", async () => {
    const first = await pay();
    const start = await ask();
    expect(start.events).toMatchObject([{ type: "payment.settled", data: { id: first, amount: "2.00" } }]);
    expect(idsOf(await ask(`?after=${start.nextCursor}`))).toEqual([]);
    const later: string[] = [];
    for (let i = 0; i < 5; i++) later.push(await pay(i % 2 ? "failed" : "settled"));
    await expect.poll(async () => idsOf(await ask()).length).toBe(6);
    const seen: string[] = [];
    let { nextCursor } = start;
    for (let hasMore = true; hasMore; ) {
      const page = await ask(`?limit=2&after=${encodeURIComponent(nextCursor)}`);
      seen.push(...idsOf(page));
      ({ hasMore, nextCursor } = page);
    }
    expect(seen.toSorted()).toEqual(later.toSorted());
    const end = await ask(`?after=${encodeURIComponent(nextCursor)}`);
    expect(end).toEqual({ events: [], hasMore: false, nextCursor });
    expect(idsOf(await ask("?types=payment.failed,mail.received"))).toHaveLength(2);
    expect(idsOf(await ask(`?since=${new Date(Date.now() + 60_000).toISOString()}`))).toEqual([]);
  });

  it.each([
    ["?types=payment.lost", "types"],
    ["?after=nonsense", "after"],
    [`?after=${Buffer.from("GPC:S:evt_1_gone").toString("base64")}`, "after"],
    ["?limit=0", "limit"],
    ["?since=yesterday", "since"],
  ])("refuses %s and names %s", async (query, field) => {
    const { status, json } = await stack.rest(account.token, "GET", `/api/events${query}`);
    expect([status, json.field]).toEqual([400, field]);
  });

  it("shows an account its own alone", async () => {
    await pay();
    expect(idsOf(await ask())).toHaveLength(1);
    const stranger = await stack.account();
    expect((await stack.rest(stranger.token, "GET", "/api/events")).json.events).toEqual([]);
  });
});

it("a webhook is made, listed and removed over REST", async () => {
  const url = "https://app.example/hook";
  const made = await stack.rest(account.token, "POST", "/api/webhooks", { url, events: ["mail.received"] });
  expect(made.json).toMatchObject({ url, events: ["mail.received"], isEnabled: true, disabledReason: null });
  const { secret, ...record } = made.json;
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
  const stranger = await stack.account();
  expect((await stack.rest(stranger.token, "DELETE", path)).status).toBe(404);
  expect((await stack.rest(account.token, "DELETE", path)).json).toEqual({ success: true, id: record.id });
  expect((await stack.rest(account.token, "DELETE", path)).status).toBe(404);
  expect((await stack.rest(account.token, "DELETE", "/api/webhooks/tx_1")).status).toBe(404);
});

it("is watched as it happens, by type, and again after a lost connection", async () => {
  const WATCH = `subscription ($types: [AccountEventType!], $after: String) {
    accountEventOccurred(types: $types, after: $after) { cursor event { type data } } }`;
  interface Occurrence {
    readonly cursor: string;
    readonly event: { readonly type: string; readonly data: { readonly id: string } };
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
    // Heard once the account is followed.
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
  expect(live.map(({ event }) => event.data.id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
  await expect.poll(async () => idsOf(await ask()).length).toBe(3);
  ids.push(await pay());
  await expect.poll(async () => idsOf(await ask()).length).toBe(4);
  const resumed = await watch({ after: live.at(-1)?.cursor }, 1, async () => {});
  expect(ids).toContain(resumed[0]?.event.data.id);
  const answer = await stack.graphql(account.token, WATCH, { after: "x" }, { accept: "text/event-stream" });
  expect(answer.text).toContain("after is not a cursor");
});
