// @module-tag postgresql
/** Deliveries while the endpoint of one account fails with a long backlog. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { claimDeliveries } from "../../src/events/claim-deliveries.ts";
import { retryNow } from "../../src/events/endpoint-health.ts";
import type { Statement } from "../../src/platform/database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { countRead, explainPrepared, type PlanMode } from "../support/query-plans.ts";
import { createDueEvents, newAccount, newDeliverer, newEndpoint } from "./event-fixture.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const BACKLOG = 100_000;
const HOUR_MS = 3_600_000;

let fresh: TestDatabase;
let failing: Receiver;
let mended: Receiver;
let failingId: string;
const nodes: ReturnType<typeof newDeliverer>[] = [];

beforeAll(async () => {
  fresh = await createTestDatabase();
  failing = await startReceiver();
  const accountId = await newAccount(fresh.db);
  const since = new Date(Date.now() - HOUR_MS);
  ({ id: failingId } = await newEndpoint(fresh.db, accountId, failing.url, { failingSince: since }));
  await createBacklog(accountId, failingId);
}, 120_000);
afterAll(async () => {
  await failing?.stop();
  await fresh?.close();
});
beforeEach(async () => {
  failing.respondWith(503);
  failing.received.length = 0;
  mended = await startReceiver();
});
afterEach(async () => {
  await mended.stop();
  for (const node of nodes.splice(0)) await node.stop();
});

/** Creates deliveries that have been due for an hour, all since the same time, as a replay does. */
async function createBacklog(accountId: string, endpointId: string): Promise<void> {
  const { prisma } = fresh.db;
  await prisma.$executeRaw`INSERT INTO account_events (id, account_id, type, subject_id, payload, created_at, recorded_at)
    SELECT 'evt_backlog_' || n, ${accountId}::uuid, 'payment.settled', 'tx_' || n, '{}', now(), now()
    FROM generate_series(1, ${BACKLOG}::int) n`;
  await prisma.$executeRaw`INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
    SELECT 'whd_backlog_' || n, ${endpointId}, 'evt_backlog_' || n, 'payment.settled', 'pending', now() - interval '1 hour'
    FROM generate_series(1, ${BACKLOG}::int) n`;
}

function startNode(): void {
  const node = newDeliverer(fresh.db);
  nodes.push(node);
  node.start();
}

const countDelivered = (endpointId: string) =>
  fresh.db.prisma.webhookDelivery.count({ where: { endpointId, status: "delivered" } });
const failingEndpoint = () => fresh.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: failingId } });

it("delivers to the mended endpoint of another account and attempts the failing one rarely", async () => {
  const other = await newAccount(fresh.db);
  const since = new Date(Date.now() - HOUR_MS);
  const { id } = await newEndpoint(fresh.db, other, mended.url, { failingSince: since });
  await createDueEvents(fresh.db, other, id, 200);
  startNode();
  await expect.poll(() => countDelivered(id), { timeout: 20_000 }).toBe(200);
  await expect.poll(async () => (await failingEndpoint()).retryAt).not.toBeNull();
  const { failedAttempts, retryAt } = await failingEndpoint();
  // The first attempt was followed by a second, and no third.
  expect([failing.received.length, failedAttempts]).toEqual([2, 2]);
  expect(retryAt?.getTime()).toBeGreaterThan(Date.now());
}, 60_000);

it("delays a failing endpoint longer after each attempt, and delivers its backlog once it is mended", async () => {
  const delays: number[] = [];
  startNode();
  for (let attempt = 3; attempt <= 9; attempt++) {
    await retryNow(fresh.db, failingId);
    await expect.poll(async () => (await failingEndpoint()).failedAttempts, { timeout: 10_000 }).toBe(attempt);
    const [row] = await fresh.db.query<{ seconds: number }>({ name: "seconds-until-retry", text: READ_DELAY }, [
      failingId,
    ]);
    delays.push(Math.ceil((row?.seconds ?? 0) / 5) * 5);
  }
  expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  failing.respondWith(200);
  await retryNow(fresh.db, failingId);
  await expect.poll(() => countDelivered(failingId), { timeout: 20_000 }).toBeGreaterThan(500);
  expect(await failingEndpoint()).toMatchObject({ failingSince: null, failedAttempts: 0, retryAt: null });
}, 90_000);
const READ_DELAY = `SELECT extract(epoch FROM retry_at - now())::float8 AS seconds FROM webhook_endpoints WHERE id = $1`;

it.each<PlanMode>(["custom", "generic"])("claims without reading the backlog (%s plan)", async (mode) => {
  let claim: [Statement, readonly unknown[]] | undefined;
  const query = async <Row>(...call: [Statement, readonly unknown[]]): Promise<Row[]> => {
    claim = call;
    return [];
  };
  const limits = { maxEndpoints: 50, maxPerAccount: 5, maxPerEndpoint: 10 };
  for (const isFailing of [true, false]) {
    await claimDeliveries({ ...fresh.db, query }, { isFailing, busy: [], busyAccounts: [], ...limits, start: null });
    const [{ text }, values] = claim as [Statement, unknown[]];
    const plan = await explainPrepared(fresh.db, text, values, mode, "ANALYZE, BUFFERS,");
    expect(countRead(plan), JSON.stringify(plan)).toBeLessThan(500);
  }
});

it("visits every endpoint in consecutive claims, however many others fail", async () => {
  const accountId = await newAccount(fresh.db);
  const { prisma } = fresh.db;
  const [template] = await prisma.webhookEndpoint.findMany({ where: { id: failingId } });
  const failingSince = new Date(Date.now() - HOUR_MS);
  const others = Array.from({ length: 2_500 }, (_, n) => ({ ...(template as object), id: `whk_${n}`, accountId }));
  await prisma.webhookEndpoint.createMany({
    data: others.map((other) => ({
      ...other,
      failingSince,
      failedAttempts: 9,
      retryAt: new Date(Date.now() + HOUR_MS),
    })) as never,
  });
  await prisma.$executeRaw`INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
    SELECT 'whd_failing_' || n, 'whk_' || n, 'evt_backlog_1', 'payment.settled', 'pending', now() - interval '1 hour'
    FROM generate_series(0, 2499) n`;
  const sound = await newEndpoint(fresh.db, await newAccount(fresh.db), mended.url);
  const [eventId] = await createDueEvents(fresh.db, sound.sealed.accountId, sound.id, 1);
  const limits = { maxEndpoints: 50, maxPerAccount: 5, maxPerEndpoint: 10 };
  const claimed: string[] = [];
  let start: string | null = null;
  // 2,502 endpoints with up to 1,000 in each claim.
  for (let count = 0; count < 3; count++) {
    const { claims, next }: Awaited<ReturnType<typeof claimDeliveries>> = await claimDeliveries(fresh.db, {
      ...{ isFailing: false, busy: [], busyAccounts: [], ...limits, start },
    });
    claimed.push(...claims.map(({ event }) => event.id));
    expect(next).not.toBeNull();
    start = next;
  }
  expect(claimed).toContain(eventId);
}, 60_000);
