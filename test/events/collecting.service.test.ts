// @module-tag postgresql
/** Event collection: each source row produces its events exactly once, with any number of nodes and late commits. */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { followEvents } from "../../src/events/event-feed.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import { newId } from "../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { enforceRules } from "../support/retention.ts";
import { newAccount, newCollector, newEndpoint, paymentRow } from "./event-fixture.ts";

const DAY_MS = 86_400_000;
const ENDPOINT_URL = "https://app.example/hook";

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh?.close());
beforeEach(async () => {
  accountId = await newAccount(fresh.db);
});

const ago = (ms: number) => new Date(Date.now() - ms);
const listEvents = () =>
  fresh.db.prisma.accountEvent.findMany({
    where: { accountId },
    orderBy: [{ recordedAt: "asc" }, { id: "asc" }],
    include: { deliveries: true },
  });
const listEventTypes = async () => (await listEvents()).map(({ type, subjectId }) => `${type} ${subjectId}`).toSorted();

it("records 1,000 concurrent payments as 1,000 events with one delivery each when several nodes collect", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  await newEndpoint(db, accountId, ENDPOINT_URL, { createdAt: ago(DAY_MS) });
  const rows = Array.from({ length: 1_000 }, () => paymentRow(accountId, new Date()));
  await db.prisma.transaction.createMany({ data: rows });
  let wakeUps = 0;
  const nodes = [1, 2, 3].map(() => newCollector(db, () => void wakeUps++));
  for (const [index, { id }] of rows.entries()) nodes[index % 2]?.queueAnnouncement(`transaction:${accountId}`, id);
  await Promise.all([nodes[2]?.sweep(), nodes[0]?.sweep(), ...nodes.slice(0, 2).map((node) => node.stop())]);
  const events = await listEvents();
  expect(events.map(({ subjectId }) => subjectId).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  expect(events.every(({ deliveries }) => deliveries.length === 1 && deliveries[0]?.status === "pending")).toBe(true);
  expect(wakeUps).toBeGreaterThan(0);
  await nodes[2]?.sweep();
  expect(await db.prisma.accountEvent.count({ where: { accountId } })).toBe(1_000);
}, 30_000);

it("lists the events of a batch in the order in which they occurred", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const rows = Array.from({ length: 20 }, (_, index) => paymentRow(accountId, ago(1_000 * ((index * 7) % 20))));
  await db.prisma.transaction.createMany({ data: rows });
  await newCollector(db).sweep();
  const bySettlement = rows.toSorted((one, other) => Number(one.settledAt) - Number(other.settledAt));
  expect((await listEvents()).map(({ subjectId }) => subjectId)).toEqual(bySettlement.map(({ id }) => id));
});

it("collects a row committed after a later row was collected, because sweeps wait for open transactions", async (context) => {
  // PGlite has one connection, so transactions are never concurrent.
  if (fresh.databaseUrl === null) return context.skip();
  const { db } = fresh;
  await followEvents(db, accountId);
  const other = await openDatabase({ databaseUrl: fresh.databaseUrl, dataDir: "", poolSize: 1 });
  const collector = newCollector(db);
  const late = paymentRow(accountId, new Date());
  const positionOf = async () => (await db.prisma.eventFeed.findUniqueOrThrow({ where: { accountId } })).collectedUntil;
  try {
    await other.executeSql("BEGIN");
    const [{ began }] = (await other.query({ name: "now", text: "SELECT now() AS began" }, [])) as [{ began: Date }];
    const soon = paymentRow(accountId, new Date());
    await db.prisma.transaction.create({ data: soon });
    await collector.sweep();
    expect(await listEventTypes()).toEqual([`payment.settled ${soon.id}`]);
    // The feed remains 30 s, the allowance for clock differences, before the start of the open transaction.
    expect((await positionOf()).getTime()).toBeLessThanOrEqual(began.getTime() - 30_000);
    await other.executeSql(
      `INSERT INTO transactions (id, account_id, type, status, direction, amount_atomic, amount_micro_usd, budget_day, updated_at)
       VALUES ('${late.id}', '${accountId}', 'x402', 'settled', 'out', 1, 1, now(), now()); COMMIT`,
    );
    await collector.sweep();
    expect(await listEventTypes()).toEqual([`payment.settled ${late.id}`, `payment.settled ${soon.id}`].toSorted());
  } finally {
    await other.close();
  }
});

it("advances the position of a feed to about 30 s ago after a sweep", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const collector = newCollector(db);
  await collector.sweep();
  const { collectedUntil } = await db.prisma.eventFeed.findUniqueOrThrow({ where: { accountId } });
  const behindMs = Date.now() - collectedUntil.getTime();
  expect([behindMs > 25_000, behindMs < 120_000]).toEqual([true, true]);
});

it("derives mail and agent events from final row states, so a bounced message also has a sent event", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const [agentId, mailboxId, threadId] = [newId("agt"), newId("mbx"), newId("mth")];
  const now = ago(1_000);
  const sealed = { sealedHolderKey: new Uint8Array(1), wrappedDataKey: new Uint8Array(1), kekId: "none" };
  await db.prisma.agent.create({
    data: {
      id: agentId,
      accountId,
      status: "active",
      network: "base-sepolia",
      registryAddress: agentId,
      agentId: 0n,
      registeredAt: now,
      holderPublicJwk: {},
      ...sealed,
    },
  });
  await db.prisma.mailbox.create({
    data: { id: mailboxId, accountId, agentId, address: `${agentId}@x.example`, displayName: "" },
  });
  await db.prisma.mailThread.create({ data: { id: threadId, mailboxId, subject: "Hello", lastMessageAt: now } });
  const message = (direction: string, status: string, fields: object = {}) => ({
    id: newId("aem"),
    mailboxId,
    accountId,
    threadId,
    direction,
    status,
    fromAddress: "ada@x.example",
    fromName: "Ada",
    toAddresses: ["bob@y.example"],
    subject: "Hello",
    bodyText: "",
    extractedText: "",
    messageIdHeader: `<${newId("aem")}@x>`,
    sizeBytes: 5,
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  const [received, sent, failed, queued] = [
    message("inbound", "received", { spfResult: "pass", dkimResult: "fail", dmarcResult: "none" }),
    message("outbound", "bounced", { sentAt: now }),
    message("outbound", "failed", { failureReason: "No such mailbox." }),
    message("outbound", "queued"),
  ];
  await db.prisma.mailMessage.createMany({ data: [received, sent, failed, queued] });
  const collector = newCollector(db);
  await collector.sweep();
  const expected = [
    `agent.registered ${agentId}`,
    `mail.received ${received.id}`,
    `mail.sent ${sent.id}`,
    `mail.bounced ${sent.id}`,
    `mail.failed ${failed.id}`,
  ].toSorted();
  expect(await listEventTypes()).toEqual(expected);
  const payloads = new Map((await listEvents()).map(({ type, payload }) => [type, payload]));
  expect(payloads.get("mail.received")).toMatchObject({
    id: received.id,
    from: "ada@x.example",
    to: ["bob@y.example"],
    authentication: { spf: "pass", dkim: "fail", dmarc: "none" },
  });
  expect(payloads.get("mail.failed")).toMatchObject({ failureReason: "No such mailbox." });
  expect(payloads.get("agent.registered")).toMatchObject({ agentId: 0, status: "active" });
  // The message is read and the agent is revoked twice: recorded events are not repeated.
  await db.prisma.mailMessage.updateMany({ where: { accountId }, data: { isRead: true, updatedAt: new Date() } });
  for (const revokedAt of [ago(900), ago(800)]) {
    await db.prisma.agent.update({
      where: { id: agentId },
      data: { status: "revoked", revokedAt, updatedAt: revokedAt },
    });
    await collector.sweep();
  }
  const added = (await listEventTypes()).filter((it) => !expected.includes(it));
  expect(added).toEqual([expect.stringContaining("agent.revoked"), expect.stringContaining("agent.revoked")]);
});

it("records order events for required approvals, dispatches and outcomes", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const now = ago(1_000);
  const order = (status: string, fields: object = {}) => ({
    id: newId("ord"),
    accountId,
    credentialId: "tok_1",
    kind: "purchase",
    status,
    dispatchSha256: randomBytes(32),
    request: {},
    amountMinor: 2_895n,
    currency: "GBP",
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  const ended = { startedAt: now, completedAt: now };
  const [pendingApproval, dispatched, succeeded, unconfirmed] = [
    order("approval_required"),
    order("dispatched", { startedAt: now }),
    order("succeeded", { ...ended, amountChargedMinor: 2_895n }),
    order("payment_unconfirmed", { ...ended, retryAction: "contact_support" }),
  ];
  await db.prisma.checkoutOrder.createMany({ data: [pendingApproval, dispatched, succeeded, unconfirmed] });
  await db.prisma.checkoutApproval.create({
    data: {
      id: newId("apr"),
      orderId: pendingApproval.id,
      accountId,
      requesterId: "tok_1",
      tokenHash: randomBytes(32),
      dispatchSha256: pendingApproval.dispatchSha256,
      reason: "new_merchant",
      document: {},
      status: "pending",
      expiresAt: now,
    },
  });
  await newCollector(db).sweep();
  expect(await listEventTypes()).toEqual(
    [
      `order.approval_required ${pendingApproval.id}`,
      `order.dispatched ${dispatched.id}`,
      `order.dispatched ${succeeded.id}`,
      `order.succeeded ${succeeded.id}`,
      `order.dispatched ${unconfirmed.id}`,
      `order.failed ${unconfirmed.id}`,
    ].toSorted(),
  );
  const failed = (await listEvents()).find(({ type }) => type === "order.failed");
  expect(failed?.payload).toMatchObject({
    status: "payment_unconfirmed",
    retryable: null,
    retryAction: "contact_support",
  });
});

describe("a new event feed", () => {
  it("contains the events of 30 days, without deliveries to endpoints created after them", async () => {
    const { db } = fresh;
    const [old, older] = [paymentRow(accountId, ago(29 * DAY_MS)), paymentRow(accountId, ago(31 * DAY_MS))];
    await db.prisma.transaction.createMany({ data: [old, older] });
    await newEndpoint(db, accountId, ENDPOINT_URL);
    await newCollector(db).follow(accountId);
    expect(await listEvents()).toMatchObject([{ subjectId: old.id, createdAt: old.updatedAt, deliveries: [] }]);
  });

  it("has no events before it is followed, and is deleted with its events when unused", async () => {
    const { db } = fresh;
    const row = paymentRow(accountId, new Date());
    await db.prisma.transaction.create({ data: row });
    const collector = newCollector(db);
    collector.queueAnnouncement(`transaction:${accountId}`, row.id);
    await collector.sweep();
    await collector.stop();
    expect(await listEvents()).toEqual([]);
    await newCollector(db).follow(accountId);
    await db.prisma.accountEvent.updateMany({ where: { accountId }, data: { recordedAt: ago(36 * DAY_MS) } });
    await db.prisma.eventFeed.update({ where: { accountId }, data: { readAt: ago(31 * DAY_MS) } });
    await enforceRules(db, ["events", "event-feeds"]);
    expect(await listEvents()).toEqual([]);
    expect(await db.prisma.eventFeed.count({ where: { accountId } })).toBe(0);
  });
});

it("records events so that a client reading in order from its last cursor misses none", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const seen: string[] = [];
  let last = { recordedAt: new Date(0), id: "" };
  let isReading = true;
  const reader = (async () => {
    for (let isLast = false; !isLast; ) {
      // Queries of the embedded database resolve without yielding to the event loop.
      await setImmediate();
      isLast = !isReading;
      const { recordedAt, id } = last;
      const rows = await db.prisma.accountEvent.findMany({
        where: { accountId, OR: [{ recordedAt: { gt: recordedAt } }, { recordedAt, id: { gt: id } }] },
        orderBy: [{ recordedAt: "asc" }, { id: "asc" }],
      });
      seen.push(...rows.map(({ subjectId }) => subjectId));
      last = rows.at(-1) ?? last;
    }
  })();
  const written: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }), async (nodes) => {
      const collectors = [newCollector(db), newCollector(db), newCollector(db)];
      await Promise.all(
        nodes.map(async (node) => {
          const row = paymentRow(accountId, new Date());
          await db.prisma.transaction.create({ data: row });
          written.push(row.id);
          collectors[node]?.queueAnnouncement(`transaction:${accountId}`, row.id);
          if (node === 2) await collectors[node]?.sweep();
        }),
      );
      await Promise.all(collectors.map((it) => it.stop()));
    }),
    { numRuns: 10 },
  );
  isReading = false;
  await reader;
  expect(seen.toSorted()).toEqual(written.toSorted());
}, 30_000);
