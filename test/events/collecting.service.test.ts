// @module-tag postgresql
/** Every row that tells of something becomes one event: none is missed, none comes twice, whoever collects and whenever it is committed. */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteOldEvents, followEvents } from "../../src/events/event-feed.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import { newId } from "../../src/platform/ids.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { newAccount, newCollector, newEndpoint, paymentRow } from "./room.ts";

const DAY_MS = 86_400_000;
const NOWHERE = "https://app.example/hook";

let fresh: FreshDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh?.close());
beforeEach(async () => {
  accountId = await newAccount(fresh.db);
});

const ago = (ms: number) => new Date(Date.now() - ms);
const eventsOf = () =>
  fresh.db.prisma.accountEvent.findMany({
    where: { accountId },
    orderBy: [{ recordedAt: "asc" }, { id: "asc" }],
    include: { deliveries: true },
  });
const typesOf = async () => (await eventsOf()).map(({ type, subjectId }) => `${type} ${subjectId}`).toSorted();

it("1,000 payments at once are 1,000 events, each owed to the endpoint once, however many nodes collect", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  await newEndpoint(db, accountId, NOWHERE, { createdAt: ago(DAY_MS) });
  const rows = Array.from({ length: 1_000 }, () => paymentRow(accountId, new Date()));
  await db.prisma.transaction.createMany({ data: rows });
  let nudges = 0;
  const nodes = [1, 2, 3].map(() => newCollector(db, () => void nudges++));
  for (const [index, { id }] of rows.entries()) nodes[index % 2]?.overhear(`transaction:${accountId}`, id);
  await Promise.all([nodes[2]?.sweep(), nodes[0]?.sweep(), ...nodes.slice(0, 2).map((node) => node.stop())]);
  const events = await eventsOf();
  expect(events.map(({ subjectId }) => subjectId).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  expect(events.every(({ deliveries }) => deliveries.length === 1 && deliveries[0]?.status === "pending")).toBe(true);
  expect(nudges).toBeGreaterThan(0);
  await nodes[2]?.sweep();
  expect(await db.prisma.accountEvent.count({ where: { accountId } })).toBe(1_000);
}, 30_000);

it("what is committed after a later one was read is found: a sweep waits for open transactions", async (context) => {
  // PGlite has one connection, so no transaction is ever open beside another.
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
    expect(await typesOf()).toEqual([`payment.settled ${soon.id}`]);
    // Not past what the open transaction may still stamp: half a minute, for other clocks, before it began.
    expect((await positionOf()).getTime()).toBeLessThanOrEqual(began.getTime() - 30_000);
    await other.executeSql(
      `INSERT INTO transactions (id, account_id, type, status, direction, amount_atomic, amount_micro_usd, budget_day, updated_at)
       VALUES ('${late.id}', '${accountId}', 'x402', 'settled', 'out', 1, 1, now(), now()); COMMIT`,
    );
    await collector.sweep();
    expect(await typesOf()).toEqual([`payment.settled ${late.id}`, `payment.settled ${soon.id}`].toSorted());
  } finally {
    await other.close();
  }
});

it("goes on where it was, and reads no further back than it must", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const collector = newCollector(db);
  await collector.sweep();
  const { collectedUntil } = await db.prisma.eventFeed.findUniqueOrThrow({ where: { accountId } });
  const behindMs = Date.now() - collectedUntil.getTime();
  expect([behindMs > 25_000, behindMs < 120_000]).toEqual([true, true]);
});

it("tells of mail by what the row says for good: one that bounced was sent before", async () => {
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
  const [came, sent, failed, waits] = [
    message("inbound", "received", { spfResult: "pass", dkimResult: "fail", dmarcResult: "none" }),
    message("outbound", "bounced", { sentAt: now }),
    message("outbound", "failed", { failureReason: "No such mailbox." }),
    message("outbound", "queued"),
  ];
  await db.prisma.mailMessage.createMany({ data: [came, sent, failed, waits] });
  const collector = newCollector(db);
  await collector.sweep();
  const expected = [
    `agent.registered ${agentId}`,
    `mail.received ${came.id}`,
    `mail.sent ${sent.id}`,
    `mail.bounced ${sent.id}`,
    `mail.failed ${failed.id}`,
  ].toSorted();
  expect(await typesOf()).toEqual(expected);
  const payloads = new Map((await eventsOf()).map(({ type, payload }) => [type, payload]));
  expect(payloads.get("mail.received")).toMatchObject({
    id: came.id,
    from: "ada@x.example",
    to: ["bob@y.example"],
    authentication: { spf: "pass", dkim: "fail", dmarc: "none" },
  });
  expect(payloads.get("mail.failed")).toMatchObject({ failureReason: "No such mailbox." });
  expect(payloads.get("agent.registered")).toMatchObject({ agentId: 0, status: "active" });
  // Read, revoked twice: nothing that was told is told again.
  await db.prisma.mailMessage.updateMany({ where: { accountId }, data: { isRead: true, updatedAt: new Date() } });
  for (const revokedAt of [ago(900), ago(800)]) {
    await db.prisma.agent.update({
      where: { id: agentId },
      data: { status: "revoked", revokedAt, updatedAt: revokedAt },
    });
    await collector.sweep();
  }
  const again = (await typesOf()).filter((it) => !expected.includes(it));
  expect(again).toEqual([expect.stringContaining("agent.revoked"), expect.stringContaining("agent.revoked")]);
});

it("tells of orders: what waits for its person, what is being placed, and how it ended", async () => {
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
  const [waits, placed, bought, lost] = [
    order("approval_required"),
    order("dispatched", { startedAt: now }),
    order("succeeded", { ...ended, amountChargedMinor: 2_895n }),
    order("payment_unconfirmed", { ...ended, retryAction: "contact_support" }),
  ];
  await db.prisma.checkoutOrder.createMany({ data: [waits, placed, bought, lost] });
  await db.prisma.checkoutApproval.create({
    data: {
      id: newId("apr"),
      orderId: waits.id,
      accountId,
      credentialId: "tok_1",
      tokenHash: randomBytes(32),
      dispatchSha256: waits.dispatchSha256,
      reason: "new_merchant",
      document: {},
      status: "pending",
      expiresAt: now,
    },
  });
  await newCollector(db).sweep();
  expect(await typesOf()).toEqual(
    [
      `order.approval_required ${waits.id}`,
      `order.dispatched ${placed.id}`,
      `order.dispatched ${bought.id}`,
      `order.succeeded ${bought.id}`,
      `order.dispatched ${lost.id}`,
      `order.failed ${lost.id}`,
    ].toSorted(),
  );
  const failed = (await eventsOf()).find(({ type }) => type === "order.failed");
  expect(failed?.payload).toMatchObject({
    status: "payment_unconfirmed",
    retryable: null,
    retryAction: "contact_support",
  });
});

describe("an account that was not followed", () => {
  it("has the events of 30 days at once, and an endpoint is told of none that happened before it", async () => {
    const { db } = fresh;
    const [old, older] = [paymentRow(accountId, ago(29 * DAY_MS)), paymentRow(accountId, ago(31 * DAY_MS))];
    await db.prisma.transaction.createMany({ data: [old, older] });
    await newEndpoint(db, accountId, NOWHERE);
    await newCollector(db).follow(accountId);
    expect(await eventsOf()).toMatchObject([{ subjectId: old.id, createdAt: old.updatedAt, deliveries: [] }]);
  });

  it("costs nothing, and its events go after five days more", async () => {
    const { db } = fresh;
    const row = paymentRow(accountId, new Date());
    await db.prisma.transaction.create({ data: row });
    const collector = newCollector(db);
    collector.overhear(`transaction:${accountId}`, row.id);
    await collector.sweep();
    await collector.stop();
    expect(await eventsOf()).toEqual([]);
    await newCollector(db).follow(accountId);
    await db.prisma.accountEvent.updateMany({ where: { accountId }, data: { recordedAt: ago(36 * DAY_MS) } });
    await db.prisma.eventFeed.update({ where: { accountId }, data: { readAt: ago(31 * DAY_MS) } });
    await deleteOldEvents(db);
    expect(await eventsOf()).toEqual([]);
    expect(await db.prisma.eventFeed.count({ where: { accountId } })).toBe(0);
  });
});

it("whoever reads in order, and goes on from the last event seen, misses none", async () => {
  const { db } = fresh;
  await followEvents(db, accountId);
  const seen: string[] = [];
  let last = { recordedAt: new Date(0), id: "" };
  let isReading = true;
  const reader = (async () => {
    for (let isLast = false; !isLast; ) {
      // The embedded database answers without giving timers their turn.
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
          collectors[node]?.overhear(`transaction:${accountId}`, row.id);
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
