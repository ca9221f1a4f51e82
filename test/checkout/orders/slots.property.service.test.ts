// @module-tag postgresql
/** Slots of a worker: no sequence of one account's orders, or of orders at one merchant, blocks other purchases. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endOrder } from "../../../src/checkout/orders/end-order.ts";
import { claimOrder } from "../../../src/checkout/orders/leases.ts";
import { recordPersonNeeded } from "../../../src/checkout/orders/record-run.ts";
import { slotLimitsOf } from "../../../src/checkout/worker-protocol/slots.ts";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createPubSub, type PubSub } from "../../../src/platform/pubsub/pubsub.ts";
import { createSlots, type OpenOrder } from "../../../src/worker/slots.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { addAccount, addMerchant, addOrder } from "./order-rows.ts";

const WORKER_URL = "http://127.0.0.1:9999";
const MAX_ACCOUNTS = 3;

let fresh: TestDatabase;
let pubsub: PubSub;
let accounts: string[];
let merchants: string[];
/** Account and merchant whose purchase must be leased. */
let buyer: string;
let merchantOfBuyer: string;

beforeAll(async () => {
  fresh = await createTestDatabase();
  pubsub = createPubSub({ redisUrl: undefined, databaseUrl: undefined, logger: createLogger("silent") });
  accounts = await Promise.all(Array.from({ length: MAX_ACCOUNTS }, () => addAccount(fresh.db)));
  merchants = await Promise.all(Array.from({ length: MAX_ACCOUNTS }, () => addMerchant(fresh.db)));
  buyer = await addAccount(fresh.db);
  merchantOfBuyer = await addMerchant(fresh.db);
});
afterEach(() => fresh.db.prisma.checkoutOrder.deleteMany());
afterAll(async () => {
  await pubsub?.close();
  await fresh?.close();
});

const KEKS = { kek: localKek(randomBytes(32), "test") };
const deps = () => ({ db: fresh.db, pubsub, keks: KEKS, checkoutTimeoutMs: 180_000 });
const claim = (slots: number) => claimOrder(deps(), { workerUrl: WORKER_URL, slots });

const addPurchase = (accountId: string | undefined, merchantId: string | undefined) =>
  addOrder(fresh.db, accountId ?? "", { merchantId: merchantId ?? null });
const addExploration = (accountId: string | undefined, merchantId: string | undefined) =>
  addOrder(fresh.db, accountId ?? "", {
    kind: "explored",
    request: {
      merchantUrl: `https://${merchantId?.toLowerCase()}.example/item`,
      goal: "look",
      prefs: null,
      currency: null,
    },
  });

/** A worker that claims orders while it has a free slot. */
function createWorker(slotCount: number) {
  const slots = createSlots(slotLimitsOf(slotCount));
  const open: { readonly id: string; readonly lease: string; readonly slot: OpenOrder; isWaiting: boolean }[] = [];
  const isFree = async () => {
    const noWait = AbortSignal.abort();
    return await slots.waitUntilFree(noWait).then(
      () => true,
      () => false,
    );
  };
  return {
    open,
    /** Claims until no slot is free or no order is leased, and returns the ids of the leased orders. */
    async claimOrders(): Promise<string[]> {
      const ids: string[] = [];
      while (await isFree()) {
        const leased = await claim(slotCount);
        if (!leased) break;
        const { id } = leased.order;
        open.push({ id, lease: leased.lease, slot: slots.openOrder(), isWaiting: false });
        ids.push(id);
      }
      return ids;
    },
    async setWaiting(index: number, isWaiting: boolean): Promise<void> {
      const order = open[index % Math.max(1, open.length)];
      if (!order) return;
      await recordPersonNeeded(deps(), order.lease, isWaiting ? "three_d_secure" : null, null);
      if (isWaiting) order.slot.releaseSlot();
    },
    async finish(index: number): Promise<void> {
      const [order] = open.splice(index % Math.max(1, open.length), 1);
      if (!order) return;
      await fresh.db.prisma.$transaction((tx) => endOrder(tx, order.id, "worker_crashed"));
      order.slot.close();
    },
  };
}

const index = fc.nat(20);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("purchase"), index }) },
  fc.record({ type: fc.constant("exploration"), index }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant("wait"), index }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("resume"), index }) },
  fc.record({ type: fc.constant("finish"), index }),
);

it.each([
  ["one account at several merchants", { accountCount: 1, merchantCount: MAX_ACCOUNTS }],
  ["several accounts at one merchant", { accountCount: MAX_ACCOUNTS, merchantCount: 1 }],
] as const)(
  "orders of %s never block the purchase of another account elsewhere",
  async (_who, { accountCount, merchantCount }) => {
    const scenario = fc.record({ slotCount: fc.integer({ min: 2, max: 4 }), steps: fc.array(step, { maxLength: 24 }) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ slotCount, steps }) => {
        await fresh.db.prisma.checkoutOrder.deleteMany();
        const worker = createWorker(slotCount);
        for (const { type, index: at } of steps) {
          const [account, merchant] = [accounts[at % accountCount], merchants[at % merchantCount]];
          if (type === "purchase") await addPurchase(account, merchant);
          else if (type === "exploration") await addExploration(account, merchant);
          else if (type === "finish") await worker.finish(at);
          else await worker.setWaiting(at, type === "wait");
          await worker.claimOrders();
        }
        const { id } = await addPurchase(buyer, merchantOfBuyer);
        expect(await worker.claimOrders()).toContain(id);
      }),
      { numRuns: 20 },
    );
  },
);

describe("the limits of a worker", () => {
  it("hold under concurrent claims", async () => {
    for (let i = 0; i < 6; i++) await addPurchase(accounts[0], merchants[i % MAX_ACCOUNTS]);
    for (let i = 0; i < 6; i++) await addPurchase(accounts[1 + (i % 2)], merchants[0]);
    const leased = (await Promise.all(Array.from({ length: 8 }, () => claim(4)))).filter((one) => one !== null);
    const count = (matches: (one: (typeof leased)[number]) => boolean) => leased.filter(matches).length;
    expect(leased.length).toBeGreaterThanOrEqual(2);
    for (const account of accounts) expect(count(({ order }) => order.accountId === account)).toBeLessThanOrEqual(2);
    for (const merchant of merchants)
      expect(count(({ order }) => order.merchantId === merchant)).toBeLessThanOrEqual(2);
  });

  it("leave a slot to purchases while explorations are in progress", async () => {
    for (const [i, account] of accounts.entries()) await addExploration(account, merchants[i]);
    const worker = createWorker(2);
    expect(await worker.claimOrders()).toHaveLength(1);
    const { id } = await addPurchase(buyer, merchantOfBuyer);
    expect(await worker.claimOrders()).toEqual([id]);
  });

  it("delay a purchase at a merchant by at most one exploration of it", async () => {
    for (const account of accounts) await addExploration(account, merchants[0]);
    const worker = createWorker(2);
    expect(await worker.claimOrders()).toHaveLength(1);
    const { id } = await addPurchase(buyer, merchants[0]);
    await worker.finish(0);
    expect((await worker.claimOrders())[0]).toBe(id);
  });

  it("apply to waiting orders of one account, and not to others at the same merchant", async () => {
    const { account } = slotLimitsOf(2);
    for (let i = 0; i < account.open + 2; i++) await addPurchase(accounts[0], merchants[0]);
    const worker = createWorker(2);
    for (let i = 0; i < account.open; i++) {
      expect(await worker.claimOrders()).toHaveLength(1);
      await worker.setWaiting(i, true);
    }
    expect(await worker.claimOrders()).toEqual([]);
    const { id } = await addPurchase(buyer, merchants[0]);
    expect(await worker.claimOrders()).toEqual([id]);
  });

  it("do not count orders of other workers and expired leases", async () => {
    await addPurchase(accounts[0], merchants[0]);
    const { id } = await addPurchase(accounts[0], merchants[0]);
    const first = await claim(2);
    expect(await claim(2)).toBeNull();
    await fresh.db.prisma.checkoutOrder.update({
      where: { id: first?.order.id ?? "" },
      data: { workerUrl: "http://127.0.0.1:9998" },
    });
    expect((await claim(2))?.order.id).toBe(id);
    await fresh.db.prisma.checkoutOrder.update({ where: { id }, data: { leasedUntil: new Date(Date.now() - 1) } });
    await addPurchase(accounts[0], merchants[0]);
    expect(await claim(2)).not.toBeNull();
  });

  it("permit a worker with one slot to drive any order", async () => {
    await addExploration(accounts[0], merchants[0]);
    const worker = createWorker(1);
    expect(await worker.claimOrders()).toHaveLength(1);
    const { id } = await addPurchase(buyer, merchantOfBuyer);
    expect(await worker.claimOrders()).toEqual([]);
    await worker.finish(0);
    expect(await worker.claimOrders()).toEqual([id]);
  });
});
