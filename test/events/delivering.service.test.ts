// @module-tag postgresql
/** Deliveries by one or several nodes to endpoints that hang, fail, redirect, resolve to a private address or are gone. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attemptDelivery } from "../../src/events/attempt-delivery.ts";
import { CLAIM_SECONDS, type ClaimedDelivery, claimDeliveries } from "../../src/events/claim-deliveries.ts";
import { retryNow } from "../../src/events/endpoint-health.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createDueEvents, newAccount, newDeliverer, newEndpoint, secrets } from "./event-fixture.ts";
import { type Receiver, startReceiver, verify } from "./receiver.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fresh: TestDatabase;
let accountId: string;
let receiver: Receiver;
const nodes: ReturnType<typeof newDeliverer>[] = [];
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh?.close());
beforeEach(async () => {
  accountId = await newAccount(fresh.db, `${crypto.randomUUID()}@example.test`);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  for (const node of nodes.splice(0)) await node.stop();
  await fresh.db.prisma.webhookEndpoint.deleteMany();
});

function startNode(changes: Parameters<typeof newDeliverer>[1] = {}) {
  const node = newDeliverer(fresh.db, changes);
  nodes.push(node);
  return node;
}
const deliveriesTo = (endpointId: string) => fresh.db.prisma.webhookDelivery.findMany({ where: { endpointId } });
const endpointOf = (id: string) => fresh.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
const countOf = (endpointId: string, status: string) =>
  fresh.db.prisma.webhookDelivery.count({ where: { endpointId, status } });
/** Makes pending deliveries due now. Clears the last response status, which could pass for the next attempt's. */
const makeDue = async (endpointId: string) => {
  await fresh.db.prisma.webhookDelivery.updateMany({
    where: { endpointId, status: "pending" },
    data: { nextAttemptAt: new Date(Date.now() - 1_000), responseStatus: null },
  });
  await retryNow(fresh.db, endpointId);
};

it("delivers 1,000 events once each and at most 20 concurrently when two nodes share the work", async () => {
  const { id, secret } = await newEndpoint(fresh.db, accountId, receiver.url);
  const eventIds = await createDueEvents(fresh.db, accountId, id, 1_000);
  let open = 0;
  let maxOpen = 0;
  receiver.respondWith((_request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    setImmediate(() => {
      open -= 1;
      response.writeHead(200).end("thanks");
    });
  });
  for (const node of [startNode(), startNode()]) node.wake();
  await expect.poll(() => countOf(id, "delivered"), { timeout: 25_000, interval: 200 }).toBe(1_000);
  expect(receiver.received.map(({ json }) => json.id).toSorted()).toEqual(eventIds.toSorted());
  expect(maxOpen).toBeLessThanOrEqual(20);
  for (const request of receiver.received.slice(0, 20)) expect(verify(secret, request)).toEqual(request.json);
  expect(await endpointOf(id)).toMatchObject({ failingSince: null, disabledAt: null });
}, 40_000);

it("delivers to other endpoints while one hangs, and releases its claims when the node stops", async () => {
  const hanging = await startReceiver();
  hanging.respondWith(() => {});
  try {
    const slow = await newEndpoint(fresh.db, accountId, hanging.url);
    const sound = await newEndpoint(fresh.db, accountId, receiver.url);
    await createDueEvents(fresh.db, accountId, slow.id, 50);
    await createDueEvents(fresh.db, accountId, sound.id, 20);
    const node = startNode();
    node.wake();
    await expect.poll(() => countOf(sound.id, "delivered")).toBe(20);
    expect(hanging.received).toHaveLength(10);
    await node.stop();
    const rows = await deliveriesTo(slow.id);
    expect(rows.every(({ status, attempts }) => status === "pending" && attempts === 0)).toBe(true);
    expect(rows.every(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) <= Date.now())).toBe(true);
    expect(await endpointOf(slow.id)).toMatchObject({ failingSince: null });
  } finally {
    await hanging.stop();
  }
});

it("delivers to other accounts while all endpoints of one account hang", async () => {
  const hanging = await startReceiver();
  hanging.respondWith(() => {});
  try {
    for (let index = 0; index < 160; index++) {
      const { id } = await newEndpoint(fresh.db, accountId, hanging.url);
      await createDueEvents(fresh.db, accountId, id, 15);
    }
    const other = await newAccount(fresh.db);
    const sound = await newEndpoint(fresh.db, other, receiver.url);
    await createDueEvents(fresh.db, other, sound.id, 3);
    const node = startNode();
    node.start();
    await expect.poll(() => countOf(sound.id, "delivered")).toBe(3);
    await expect.poll(() => hanging.received.length).toBe(100);
    await node.stop();
  } finally {
    await hanging.stop();
  }
}, 30_000);

it("claims endpoints fairly across accounts, counting those already in use", async () => {
  const other = await newAccount(fresh.db);
  const ownEndpoints = [
    await newEndpoint(fresh.db, accountId, receiver.url),
    await newEndpoint(fresh.db, accountId, receiver.url),
  ];
  for (const { id } of ownEndpoints) await createDueEvents(fresh.db, accountId, id, 1);
  const otherEndpoint = await newEndpoint(fresh.db, other, receiver.url);
  await createDueEvents(fresh.db, other, otherEndpoint.id, 1);
  const claim = async (busyAccounts: string[], maxEndpoints: number, maxPerAccount = 10) => {
    const query = {
      isFailing: false,
      busy: [],
      busyAccounts,
      maxEndpoints,
      maxPerAccount,
      maxPerEndpoint: 10,
      start: null,
    };
    return (await claimDeliveries(fresh.db, query)).claims.map((claimed) => claimed.accountId);
  };
  expect(await claim([accountId], 1)).toEqual([other]);
  expect(await claim([accountId, accountId], 5, 2)).toEqual([]);
  expect(await claim([accountId], 5, 2)).toEqual([accountId]);
  expect(await claim([], 5)).toEqual([accountId]);
});

it("delivers an event with the same id after the claim of another node expired", async () => {
  const { id } = await newEndpoint(fresh.db, accountId, receiver.url);
  const [eventId] = await createDueEvents(fresh.db, accountId, id, 1);
  const query = {
    isFailing: false,
    busy: [],
    busyAccounts: [],
    maxEndpoints: 10,
    maxPerAccount: 10,
    maxPerEndpoint: 10,
    start: null,
  };
  expect((await claimDeliveries(fresh.db, query)).claims).toMatchObject([{ attempts: 1, event: { id: eventId } }]);
  expect((await claimDeliveries(fresh.db, query)).claims).toEqual([]);
  const [claimed] = await deliveriesTo(id);
  expect((claimed?.nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan((CLAIM_SECONDS - 20) * 1_000);
  await makeDue(id);
  startNode().wake();
  await expect.poll(() => deliveriesTo(id)).toMatchObject([{ status: "delivered", attempts: 2, nextAttemptAt: null }]);
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(eventId);
});

describe("a failing endpoint", () => {
  const DELAYS_MS = [5_000, 300_000, 1_800_000, 2, 5, 10, 14, 20, 24].map((it) => (it < 100 ? it * HOUR_MS : it));

  it("receives retries with increasing delays for three days, after which the delivery fails", async () => {
    receiver.respondWith(503);
    const { id } = await newEndpoint(fresh.db, accountId, receiver.url);
    await createDueEvents(fresh.db, accountId, id, 1);
    const node = startNode();
    let total = 0;
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      node.wake();
      await expect.poll(() => deliveriesTo(id)).toMatchObject([{ attempts: index + 1, responseStatus: 503 }]);
      const [row] = await deliveriesTo(id);
      const afterMs = (row?.nextAttemptAt?.getTime() ?? 0) - (row?.lastAttemptAt?.getTime() ?? 0);
      expect([afterMs >= delayMs, afterMs < delayMs * 1.1 + 3_000], `attempt ${index + 1}`).toEqual([true, true]);
      total += delayMs;
      await expect.poll(async () => (await endpointOf(id)).failedAttempts).toBe(index + 1);
      await makeDue(id);
    }
    expect(total / DAY_MS).toBeGreaterThan(3);
    node.wake();
    await expect.poll(() => deliveriesTo(id)).toMatchObject([{ status: "failed", attempts: 10, nextAttemptAt: null }]);
    expect((await endpointOf(id)).failingSince).not.toBeNull();
  });

  it("is disabled with one email after five days without a success", async () => {
    const since = new Date(Date.now() - 5 * DAY_MS - 1_000);
    const { id } = await newEndpoint(fresh.db, accountId, receiver.url, { failingSince: since });
    await createDueEvents(fresh.db, accountId, id, 1);
    startNode().wake();
    await expect.poll(() => endpointOf(id)).toMatchObject({ failingSince: null, disabledAt: null });
    receiver.respondWith(500);
    await fresh.db.prisma.webhookEndpoint.update({ where: { id }, data: { failingSince: since } });
    await createDueEvents(fresh.db, accountId, id, 3);
    const node = startNode();
    node.wake();
    await expect.poll(() => endpointOf(id)).toMatchObject({ disabledReason: "failing", disabledAt: expect.any(Date) });
    await expect.poll(() => countOf(id, "failed")).toBe(3);
    await expect.poll(() => node.emails.length).toBe(1);
    const { host } = new URL(receiver.url);
    expect(node.emails[0]).toMatchObject({ subject: `Your webhook at ${host} is disabled` });
    expect(node.emails[0]?.text).toContain("accepted no event for five days");
    expect(node.emails[0]?.text).not.toContain("/hook");
  });
});

describe("an attempt", () => {
  const claim = async (url: string): Promise<ClaimedDelivery> => {
    const { sealed } = await newEndpoint(fresh.db, accountId, url);
    const event = { id: "evt_1", type: "payment.settled", createdAt: new Date(), data: {} };
    return { id: "whd_1", attempts: 1, accountId, url, endpoint: sealed, event };
  };
  const attempt = async (url: string, egress = createEgress({ allowLoopback: true })) => {
    const { signal } = new AbortController();
    const logger = createLogger("silent");
    try {
      return await attemptDelivery({ egress, secrets, logger }, await claim(url), signal);
    } finally {
      await egress.close();
    }
  };

  it("does not follow a redirect", async () => {
    const other = await startReceiver();
    receiver.respondWith((_request, response) => response.writeHead(307, { location: other.url }).end());
    const reason = "The endpoint responded with 307. Redirects are not followed.";
    expect(await attempt(receiver.url)).toMatchObject({ isDelivered: false, status: 307, reason });
    expect(other.received).toEqual([]);
    await other.stop();
  });

  it("does not connect to a private address to which the host resolves at delivery", async () => {
    const resolvedNames: string[] = [];
    const resolveAll = async (name: string) => {
      resolvedNames.push(name);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const url = `http://app.example:${new URL(receiver.url).port}/hook`;
    const outcome = await attempt(url, createEgress({ allowLoopback: false, resolveAll }));
    expect(outcome).toMatchObject({ isDelivered: false, status: null });
    expect(outcome).toHaveProperty("reason", "app.example resolves to a private or reserved address.");
    // Resolved once, so the checked address is the one that would be connected to.
    expect(resolvedNames).toEqual(["app.example"]);
    expect(receiver.received).toEqual([]);
  });

  it("delays the retry as the `retry-after` header requires, up to a day", async () => {
    receiver.respondWith((_request, response) => response.writeHead(429, { "retry-after": "7200" }).end());
    expect(await attempt(receiver.url)).toMatchObject({ status: 429, retryInMs: 2 * HOUR_MS });
    receiver.respondWith((_request, response) => response.writeHead(503, { "retry-after": "999999999" }).end());
    expect(await attempt(receiver.url)).toMatchObject({ status: 503, retryInMs: DAY_MS });
  });

  it("does not wait for a body that never ends", async () => {
    receiver.respondWith((_request, response) => void response.writeHead(200).write("and so on"));
    const outcome = await Promise.race([attempt(receiver.url), wait(4_000, "waited", { ref: false })]);
    expect(outcome).toEqual({ isDelivered: true, status: 200 });
  });

  it("reports that an unreachable endpoint could not be reached", async () => {
    await receiver.stop();
    expect(await attempt(receiver.url)).toMatchObject({
      isDelivered: false,
      status: null,
      reason: expect.stringMatching(/is unreachable/),
    });
    receiver = await startReceiver();
  });
});
