// @module-tag postgresql
/** Crashed workers and unclaimed orders: each order ends correctly, and none is driven twice. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { finishOrder } from "../../../src/checkout/orders/finish-order.ts";
import { claimOrder, LeaseLostError, renewLease, submitOrder } from "../../../src/checkout/orders/leases.ts";
import { sweepOrders } from "../../../src/checkout/orders/sweep-orders.ts";
import { MAX_SLOTS } from "../../../src/checkout/worker-protocol/slots.ts";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createPubSub, type PubSub } from "../../../src/platform/pubsub/pubsub.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { addAccount, addOrder, readOrder } from "./order-rows.ts";

let fresh: TestDatabase;
let pubsub: PubSub;
let accountId: string;

beforeAll(async () => {
  fresh = await createTestDatabase();
  pubsub = createPubSub({ redisUrl: undefined, databaseUrl: undefined, logger: createLogger("silent") });
  accountId = await addAccount(fresh.db);
});
afterAll(async () => {
  await pubsub?.close();
  await fresh?.close();
});

const KEKS = { kek: localKek(randomBytes(32), "test") };
const deps = () => ({ db: fresh.db, pubsub, keks: KEKS, checkoutTimeoutMs: 180_000 });
const WORKER = { workerUrl: "http://127.0.0.1:9999", slots: MAX_SLOTS };
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

/** Adds an order under a lease, expired by default. */
async function addLeasedOrder(data: Partial<Prisma.CheckoutOrderUncheckedCreateInput> = {}): Promise<CheckoutOrder> {
  const workerJobId = `wjb_${randomUUID().replaceAll("-", "")}`;
  const lease = { workerJobId, leasedUntil: ago(1), startedAt: ago(20) };
  return await addOrder(fresh.db, accountId, { status: "dispatched", ...lease, ...data });
}

const readEnd = async (order: CheckoutOrder) => {
  await sweepOrders(deps());
  const { status, errorCode, retryable, retryAction } = await readOrder(fresh.db, order.id);
  return [status, errorCode, retryable, retryAction];
};

describe("the sweep", () => {
  it("ends an order as retryable when its worker crashed before the card was submitted", async () => {
    expect(await readEnd(await addLeasedOrder())).toEqual(["worker_error", "worker_crashed", true, "re_preview"]);
    const exploration = await addLeasedOrder({ kind: "explored" });
    expect(await readEnd(exploration)).toEqual(["worker_error", "worker_crashed", true, "re_preview"]);
  });

  it("ends an order as unconfirmed when its worker crashed after the card was submitted", async () => {
    const order = await addLeasedOrder({ submittedAt: ago(5) });
    expect(await readEnd(order)).toEqual(["payment_unconfirmed", "outcome_unknown", null, "contact_support"]);
  });

  it("ends an order that exceeds its time limit before the card was submitted, even under a valid lease", async () => {
    const order = await addLeasedOrder({ leasedUntil: ago(-30), startedAt: ago(181) });
    expect(await readEnd(order)).toEqual(["timeout", "time_spent", true, "re_preview"]);
  });

  it("ends an unclaimed order, approved or not", async () => {
    const pending = await addOrder(fresh.db, accountId, { updatedAt: ago(181) });
    expect(await readEnd(pending)).toEqual(["timeout", "never_taken", true, "re_preview"]);
    const approved = await addOrder(fresh.db, accountId, { status: "dispatched", updatedAt: ago(181) });
    expect(await readEnd(approved)).toEqual(["timeout", "time_spent", true, "re_preview"]);
  });

  it("skips orders that are driven, pending or awaiting approval", async () => {
    const orders = [
      await addLeasedOrder({ leasedUntil: ago(-20) }),
      await addLeasedOrder({ leasedUntil: ago(-20), submittedAt: ago(300), startedAt: ago(400) }),
      await addOrder(fresh.db, accountId, { updatedAt: ago(100) }),
      await addOrder(fresh.db, accountId, { status: "approval_required", updatedAt: ago(1_000) }),
    ];
    await sweepOrders(deps());
    for (const order of orders) expect(await readOrder(fresh.db, order.id)).toEqual(order);
    await fresh.db.prisma.checkoutOrder.deleteMany({ where: { id: { in: orders.map(({ id }) => id) } } });
  });
});

it("never leases an order again after its worker crashed", async () => {
  for (const crash of ["after the claim", "after submitting"] as const) {
    const order = await addOrder(fresh.db, accountId, { cardReleasedAt: ago(1) });
    const job = await claimOrder(deps(), WORKER);
    expect(job?.order.id).toBe(order.id);
    if (crash === "after submitting") await submitOrder(deps(), job?.lease ?? "");
    await fresh.db.prisma.checkoutOrder.update({ where: { id: order.id }, data: { leasedUntil: ago(1) } });
    expect(await claimOrder(deps(), WORKER)).toBeNull();
    const [status] = await readEnd(order);
    expect(status).toBe(crash === "after submitting" ? "payment_unconfirmed" : "worker_error");
    expect(await claimOrder(deps(), WORKER)).toBeNull();
  }
});

it("leases each order to one of many concurrent claims", async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => addOrder(fresh.db, accountId)));
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, i) => claimOrder(deps(), { ...WORKER, workerUrl: `http://127.0.0.1:${9_000 + i}` })),
  );
  const claimed = claims.flatMap((job) => (job ? [job.order.id] : []));
  const rest = await claimOrder(deps(), WORKER);
  // A claim that finds all remaining orders locked returns none and is repeated by the worker.
  expect(new Set(claimed).size).toBe(claimed.length);
  if (rest === null) expect(claimed.toSorted()).toEqual(orders.map(({ id }) => id).toSorted());
  await fresh.db.prisma.checkoutOrder.deleteMany({ where: { id: { in: orders.map(({ id }) => id) } } });
});

it("alternates between accounts with pending orders", async () => {
  const [busy, other] = [await addAccount(fresh.db), await addAccount(fresh.db)];
  const waiting = [busy, busy, busy, other, other].map((owner, place) => [owner, ago(50 - place)] as const);
  for (const [owner, createdAt] of waiting) await addOrder(fresh.db, owner, { createdAt });
  const claimed: (string | undefined)[] = [];
  for (const _order of waiting) claimed.push((await claimOrder(deps(), WORKER))?.order.accountId);
  expect(claimed).toEqual([busy, other, busy, other, busy]);
});

// A single connection serialises the claims.
it.skipIf(inject("postgresqlUrl") === null)("does not lease all concurrent claims to one account", async () => {
  const [busy, other] = [await addAccount(fresh.db), await addAccount(fresh.db)];
  for (let place = 0; place < 8; place++) await addOrder(fresh.db, busy, { createdAt: ago(50 - place) });
  const last = await addOrder(fresh.db, other, { createdAt: ago(10) });
  const claimed = await Promise.all(Array.from({ length: 4 }, () => claimOrder(deps(), WORKER)));
  expect(claimed.map((job) => job?.order.id)).toContain(last.id);
  await fresh.db.prisma.checkoutOrder.deleteMany({ where: { accountId: { in: [busy, other] } } });
});

it("either ends an order or lets its late worker submit, never both", async () => {
  for (let round = 0; round < 20; round++) {
    const times = {
      leasedUntil: round % 2 === 0 ? ago(-30) : ago(0.001),
      startedAt: ago(181),
      cardReleasedAt: ago(90),
    };
    const order = await addLeasedOrder(times);
    const lease = order.workerJobId ?? "";
    const longer = { ...deps(), checkoutTimeoutMs: 600_000 };
    const [, , submitting] = await Promise.allSettled([
      sweepOrders(deps()),
      sweepOrders(deps()),
      submitOrder(longer, lease),
      renewLease(longer, lease),
    ]);
    const row = await readOrder(fresh.db, order.id);
    // After a granted submission the order is in progress, or ended as submitted.
    expect(submitting.status === "fulfilled").toBe(row.submittedAt !== null);
    if (row.submittedAt === null) expect(row.retryable).toBe(true);
    else expect(["dispatched", "payment_unconfirmed"]).toContain(row.status);
    const emptyResult = {
      confirmation: null,
      merchantResponse: null,
      browserVersion: null,
      billingUsesShipTo: null,
      exploration: null,
      dryRun: null,
    };
    const finish = { cause: "captcha", withdrawsSubmission: false, ...emptyResult } as const;
    if (row.completedAt) await expect(finishOrder(deps(), lease, finish)).rejects.toThrow(LeaseLostError);
    await fresh.db.prisma.checkoutOrder.delete({ where: { id: order.id } });
  }
});
