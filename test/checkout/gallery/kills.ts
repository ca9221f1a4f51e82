/** Orders at the gallery while the worker and the service are killed at each step, with the real processes and browsers. */
import { setTimeout as after } from "node:timers/promises";
import { type GalleryMerchant, loadShapes, openGallery } from "../../../sandbox/store/gallery/gallery.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import { openSandbox } from "../../support/sandbox.ts";
import { createSatchel } from "../../support/satchel.ts";
import { startWorkerProcess, type WorkerProcess } from "../../support/worker-process.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { WORKER_TOKEN } from "../orders/worker-client.ts";
import { openGalleryBuyer } from "./buyers.ts";
import { dispatchOrder, toPoolEntry } from "./run.ts";

/** Ways of paying: a form, several pages, processors that charge, a review after the card, and a repetition. */
const SHAPES = [
  "plain-one-page",
  "stripe-payment-element",
  "review-card-last-four",
  "shopify-one-page",
  "retry-changed-body",
  "plain-five-steps",
  "woocommerce-classic",
];
const POINTS = ["leased", "card released", "submitted", "charged", "ended"] as const;
const VICTIMS = ["worker", "service"] as const;

export type Point = (typeof POINTS)[number];
export type Victim = (typeof VICTIMS)[number];

export interface KilledOrder {
  readonly merchant: string;
  /** The process that was killed while the order was in progress, and when; null if none was. */
  readonly kill: { readonly victim: Victim; readonly point: Point } | null;
  readonly status: string;
  readonly retryable: boolean | null;
  readonly chargeCount: number;
}

interface PlacedOrder {
  readonly id: string;
  readonly merchant: GalleryMerchant;
  kill: KilledOrder["kill"];
}

const OUTSTANDING = 6;
const BUYERS_PER_MARKET = 2;
/** Without another order at the point, the process is killed anyway. */
const MAX_WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 5;
/** A request that left may still be on its way to the merchant. */
const SETTLE_MS = 5_000;

/**
 * Places one order per merchant and kills a process again and again, until all orders have ended.
 * @param server URL of the PostgreSQL server
 */
export async function runKills(orderCount: number, server: string): Promise<KilledOrder[]> {
  const gallery = await openGallery();
  const sandbox = await openSandbox([]);
  const shapes = await loadShapes();
  const merchants: GalleryMerchant[] = [];
  for (let index = 0; index < orderCount; index++) {
    const name = SHAPES[index % SHAPES.length] ?? "";
    const shape = shapes.get(name);
    if (!shape || shape.isHeldBack) throw new Error(`The gallery has no shape ${name} for this run.`);
    merchants.push(await gallery.open(`${name} ${index}`, shape, null));
  }
  // Below the ephemeral port range, so no other socket gets the port between two processes.
  const port = String(20_000 + Math.floor(Math.random() * 10_000));
  const satchel = await createSatchel({
    sandbox,
    postgresql: server,
    env: {
      ...{ WORKER_TOKEN, CARD_SECURITY_CODE: "keep", CHECKOUT_WORKERS: "0", PORT: port, CHECKOUT_TIMEOUT_MS: "180000" },
      ...{ CHECKOUT_POOL: JSON.stringify(merchants.map(toPoolEntry)), CHECKOUT_PROCESSORS: gallery.processorUrl },
    },
  });
  const buyers = new Map<string, Buyer[]>();
  const prepared = await satchel.open({ PORT: port });
  for (const { market, currency } of merchants) {
    const opened = buyers.get(market) ?? [];
    if (opened.length < BUYERS_PER_MARKET) opened.push(await openGalleryBuyer({ service: prepared }, market, currency));
    buyers.set(market, opened);
  }
  await prepared.stop();

  let service = await satchel.start({ PORT: port });
  const startWorker = () => startWorkerProcess(service.baseUrl, { WORKER_CONCURRENCY: "8", LOG_LEVEL: "silent" });
  let worker: WorkerProcess = startWorker();
  const placed: PlacedOrder[] = [];
  try {
    await satchel.withDatabase(async (db) => {
      const { checkoutOrder } = db.prisma;
      const isOpen = { completedAt: null };
      for (let kills = 0; ; kills++) {
        while (placed.length < merchants.length && (await checkoutOrder.count({ where: isOpen })) < OUTSTANDING) {
          const merchant = merchants[placed.length];
          const buyer = merchant && buyers.get(merchant.market)?.[placed.length % BUYERS_PER_MARKET];
          if (!merchant || !buyer) throw new Error("An order has no merchant or no buyer.");
          const id = await dispatchOrder({ service: { deps: { db } } }, buyer, merchant);
          placed.push({ id, merchant, kill: null });
        }
        if (placed.length === merchants.length && (await checkoutOrder.count({ where: isOpen })) === 0) return;
        const point = POINTS[kills % POINTS.length] ?? "leased";
        const victim = VICTIMS[Math.floor(kills / POINTS.length) % VICTIMS.length] ?? "worker";
        await waitForNext(db, placed, point);
        if (victim === "worker") process.kill(worker.pid, "SIGKILL");
        else process.kill(service.pid, "SIGKILL");
        const inProgress = await checkoutOrder.findMany({ where: { status: "dispatched" }, select: { id: true } });
        for (const { id } of inProgress) {
          const order = placed.find((one) => one.id === id);
          if (order) order.kill ??= { victim, point };
        }
        if (victim === "worker") {
          await worker.kill();
          // As after 30 s without a renewal.
          await checkoutOrder.updateMany({
            where: { status: "dispatched" },
            data: { leasedUntil: new Date(Date.now() - 1_000) },
          });
          worker = startWorker();
        } else {
          await service.kill();
          service = await satchel.start({ PORT: port });
        }
      }
    });
    await after(SETTLE_MS);
    return await satchel.withDatabase(async (db) => {
      const rows = await db.prisma.checkoutOrder.findMany();
      return placed.map(({ id, merchant, kill }) => {
        const row = rows.find((one) => one.id === id);
        const { status = "missing", retryable = null } = row ?? {};
        return { merchant: merchant.name, kill, status, retryable, chargeCount: merchant.charges.length };
      });
    });
  } finally {
    await worker.kill();
    await service.kill();
    await satchel.remove();
    await sandbox.stop();
    await gallery.stop();
  }
}

/** Waits until one more order than before has reached the point, or until no order is in progress. */
async function waitForNext(db: Database, placed: readonly PlacedOrder[], point: Point): Promise<void> {
  const columns = { status: true, cardReleasedAt: true, submittedAt: true, completedAt: true } as const;
  const readState = async () => {
    const rows = await db.prisma.checkoutOrder.findMany({ select: columns });
    const reached = {
      leased: rows.filter(({ status }) => status !== "pending").length,
      "card released": rows.filter(({ cardReleasedAt }) => cardReleasedAt !== null).length,
      submitted: rows.filter(({ submittedAt }) => submittedAt !== null).length,
      charged: placed.reduce((sum, { merchant }) => sum + merchant.charges.length, 0),
      ended: rows.filter(({ completedAt }) => completedAt !== null).length,
    };
    return { count: reached[point], isAllEnded: rows.length === reached.ended };
  };
  const before = await readState();
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  while (performance.now() < deadlineMs) {
    const { count, isAllEnded } = await readState();
    if (count > before.count || isAllEnded) return;
    await after(POLL_INTERVAL_MS);
  }
}

/** Returns what is wrong with an order, or null. */
export function findFault({ status, retryable, chargeCount }: KilledOrder): string | null {
  if (chargeCount > 1) return `charged ${chargeCount} times`;
  const mayBeCharged = status === "succeeded" || status === "payment_unconfirmed";
  if (chargeCount === 1 && (!mayBeCharged || retryable === true)) return `charged, but its status is ${status}`;
  if (chargeCount === 0 && status === "succeeded") return "succeeded, but not charged";
  return status === "missing" || status === "dispatched" ? "did not end" : null;
}

const ENDS = ["succeeded", "unconfirmed, charged", "unconfirmed, not charged", "not charged", "wrong"] as const;

function endOf(order: KilledOrder): (typeof ENDS)[number] {
  if (findFault(order)) return "wrong";
  if (order.status === "succeeded") return "succeeded";
  if (order.status !== "payment_unconfirmed") return "not charged";
  return order.chargeCount > 0 ? "unconfirmed, charged" : "unconfirmed, not charged";
}

/** Returns a table of the number of orders by killed process and step, and by end. */
export function formatKills(orders: readonly KilledOrder[]): string {
  const nameOf = ({ kill }: KilledOrder) => (kill ? `${kill.victim}, ${kill.point}` : "in progress at no kill");
  const rows = [...Map.groupBy(orders, nameOf)].map(([name, group]) => [
    name,
    ...ENDS.map((end) => String(group.filter((order) => endOf(order) === end).length)),
  ]);
  return [["killed", ...ENDS], ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
