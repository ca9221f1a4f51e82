/** Workers killed around the submission, at real checkouts. Each charge belongs to an order that succeeded or is unconfirmed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Gallery, type GalleryMerchant, loadShapes, openGallery } from "../../../sandbox/store/gallery/gallery.ts";
import { type OwnStack, startStack, WORKER_TOKEN } from "../../support/stack.ts";
import { openGalleryBuyer } from "./buyers.ts";
import { dispatchOrder, toPoolEntry } from "./run.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Ways of paying: a form, a processor that charges, a review after the card, and a repetition. */
const SHAPES = ["plain-one-page", "stripe-payment-element", "review-card-last-four", "retry-changed-body"];
/** The first order to reach the point kills the worker of all. */
const POINTS = ["the card is released", "the submission is recorded", "the merchant charged"] as const;
const PROGRAM = join(import.meta.dirname, "../../../src/checkout-worker.ts");

let gallery: Gallery;
let stack: OwnStack;
const merchants = new Map<(typeof POINTS)[number], GalleryMerchant[]>();
const temporary = mkdtempSync(join(tmpdir(), "k-"));

beforeAll(async () => {
  gallery = await openGallery();
  const shapes = await loadShapes();
  for (const point of POINTS) {
    const opened: GalleryMerchant[] = [];
    for (const name of SHAPES) {
      const shape = shapes.get(name);
      if (shape) opened.push(await gallery.open(`${name} until ${point}`, shape, null));
    }
    merchants.set(point, opened);
  }
  stack = await startStack({
    networks: [],
    env: {
      ...{ WORKER_TOKEN, CARD_SECURITY_CODE: "keep", CHECKOUT_TIMEOUT_MS: "180000" },
      CHECKOUT_POOL: JSON.stringify([...merchants.values()].flat().map(toPoolEntry)),
      CHECKOUT_PROCESSORS: gallery.processorUrl,
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await gallery?.stop();
  rmSync(temporary, { recursive: true, force: true });
});

function startWorker() {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: temporary, LOG_LEVEL: "silent" },
      ...{ SERVICE_URL: stack.baseUrl, WORKER_TOKEN, EGRESS_ALLOW_LOOPBACK: "1", WORKER_CONCURRENCY: "8" },
    },
    stdio: "ignore",
  });
  return { kill: () => child.kill("SIGKILL"), exited: once(child, "exit") };
}

it.each(POINTS)(
  "charges only orders that succeeded or are unconfirmed, where the worker is killed when %s",
  async (point) => {
    const { checkoutOrder } = stack.service.deps.db.prisma;
    const orders = await Promise.all(
      (merchants.get(point) ?? []).map(async (merchant) => {
        const buyer = await openGalleryBuyer(stack, merchant.market, merchant.currency);
        return { merchant, id: await dispatchOrder(stack, buyer, merchant) };
      }),
    );
    const ids = orders.map(({ id }) => id);
    const worker = startWorker();
    try {
      await expect
        .poll(
          async () => {
            const rows = await checkoutOrder.findMany({ where: { id: { in: ids } } });
            if (point === "the merchant charged") return orders.some(({ merchant }) => merchant.charges.length > 0);
            return rows.some(
              ({ cardReleasedAt, submittedAt }) => (point === POINTS[0] ? cardReleasedAt : submittedAt) !== null,
            );
          },
          { timeout: 150_000, interval: 5 },
        )
        .toBe(true);
    } finally {
      worker.kill();
      await worker.exited;
    }
    const leased = { id: { in: ids }, workerJobId: { not: null } };
    await checkoutOrder.updateMany({
      where: { ...leased, completedAt: null },
      data: { leasedUntil: new Date(Date.now() - 1_000) },
    });
    await expect
      .poll(() => checkoutOrder.count({ where: { ...leased, completedAt: null } }), { timeout: 60_000 })
      .toBe(0);
    const rows = await checkoutOrder.findMany({ where: leased });
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, status, retryable } of rows) {
      const charges = orders.find((order) => order.id === id)?.merchant.charges.length ?? 0;
      expect(charges).toBeLessThanOrEqual(1);
      if (charges > 0) expect(["succeeded", "payment_unconfirmed"]).toContain(status);
      if (retryable === true) expect(charges).toBe(0);
    }
  },
);
