/** Orders of workers that are killed, stopped, too slow or without a browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { launchBrowser } from "../../src/worker/browser.ts";
import { maintainLease } from "../../src/worker/lease.ts";
import { createLiveViews } from "../../src/worker/live/live-views.ts";
import { runOrder } from "../../src/worker/run-order.ts";
import { createServiceClient } from "../../src/worker/service-client.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { isAlive, listDescendants, readCommand } from "../support/processes.ts";
import { openRuntimeFixture, type RuntimeFixture } from "./runtime-fixture.ts";

const PROGRAM = join(import.meta.dirname, "stoppable-worker.ts");

/** Temporary directory for the files that killed browsers leave. */
const TEMP_DIR = mkdtempSync(join(tmpdir(), "w-"));

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

let fixture: RuntimeFixture;
const running: Running[] = [];
beforeAll(async () => {
  fixture = await openRuntimeFixture({ CHECKOUT_TIMEOUT_MS: "120000" });
});
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
});
afterAll(async () => {
  await fixture?.stop();
  rmSync(TEMP_DIR, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: TEMP_DIR, NODE_ENV: "test" },
      ...{
        SERVICE_URL: fixture.stack.baseUrl,
        WORKER_TOKEN,
        EGRESS_ALLOW_LOOPBACK: "1",
        WORKER_CONCURRENCY: "1",
        STOP_FOLDER: mkdtempSync(join(TEMP_DIR, "stops-")),
        ...env,
      },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const started = { child, exited, output: () => output };
  running.push(started);
  return started;
}

const waitForPoint = (worker: Running, point: string) =>
  expect.poll(worker.output, { timeout: 60_000 }).toContain(point === "ready" ? "ready" : `at ${point}`);

/** Expires the lease, as after 30 s without a renewal. */
async function loseLease(id: string): Promise<void> {
  const { prisma } = fixture.stack.service.deps.db;
  await prisma.checkoutOrder.update({ where: { id }, data: { leasedUntil: new Date(Date.now() - 1_000) } });
}

async function waitForEnd(id: string) {
  await expect.poll(async () => (await fixture.readOrder(id)).completedAt, { timeout: 60_000 }).not.toBeNull();
  const { status, errorCode, retryable, retryAction } = await fixture.readOrder(id);
  return [status, errorCode, retryable, retryAction];
}

describe("a killed worker", () => {
  it("without an order leaves later orders pending", async () => {
    const first = start();
    await waitForPoint(first, "ready");
    first.child.kill("SIGKILL");
    await first.exited;
    const { id } = await fixture.addOrder();
    expect((await fixture.readOrder(id)).status).toBe("pending");
    await fixture.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id } });
  });

  it.each([
    ["leased", ["worker_error", "worker_crashed", true, "re_preview"]],
    ["card", ["worker_error", "worker_crashed", true, "re_preview"]],
    ["submitted", ["payment_unconfirmed", "outcome_unknown", null, "contact_support"]],
  ])(
    "at the point %s has its order ended by the service without another drive, and its browser exits",
    async (point, end) => {
      const { id } = await fixture.addOrder();
      const worker = start({ STOP_AT: point });
      await waitForPoint(worker, point);
      const browser = listDescendants(worker.child.pid ?? 0);
      expect(browser.length).toBeGreaterThan(0);
      worker.child.kill("SIGKILL");
      await worker.exited;
      expect((await fixture.readOrder(id)).status).toBe("dispatched");
      await loseLease(id);
      expect(await waitForEnd(id)).toEqual(end);
      await expect.poll(() => browser.filter(isAlive), { timeout: 60_000 }).toEqual([]);
      expect(worker.output()).not.toContain("4242424242424242");
      const { submittedAt, workerJobId } = await fixture.readOrder(id);
      expect(submittedAt !== null).toBe(point === "submitted");
      expect(worker.output().match(/at leased/g)).toHaveLength(1);
      expect(workerJobId).toMatch(/^wjb_/);
    },
  );
});

it.each([
  ["leased", ["worker_error", "worker_crashed", true, "re_preview"]],
  ["submitted", ["payment_unconfirmed", "outcome_unknown", null, "contact_support"]],
])("an order process that hangs at the point %s is killed, and its slot drives the next order", async (point, end) => {
  const { id } = await fixture.addOrder();
  const worker = start({ STOP_AT: point, MAX_SILENCE_MS: "4000" });
  await waitForPoint(worker, point);
  // The spare process for the next order was started later.
  const processes = listDescendants(worker.child.pid ?? 0).filter((pid) =>
    readCommand(pid).includes("stoppable-order.ts"),
  );
  const hung = Math.min(...processes);
  process.kill(hung, "SIGSTOP");
  await loseLease(id);
  expect(await waitForEnd(id)).toEqual(end);
  const { id: next } = await fixture.addOrder();
  expect(await waitForEnd(next)).toEqual(["succeeded", null, false, "none"]);
  expect(isAlive(hung)).toBe(false);
  expect(worker.output()).toContain("does not respond and is killed");
});

it("a stopped worker finishes submitted orders, ends the others and claims no more", async () => {
  const orders = [await fixture.addOrder(), await fixture.addOrder()];
  // At most half of a worker's slots drive orders of one account.
  const worker = start({ STOP_AT: "card", RESPONSE_MS: "3000", WORKER_CONCURRENCY: "4" });
  await waitForPoint(worker, "submitted");
  await expect.poll(() => worker.output().match(/at card/g)?.length, { timeout: 60_000 }).toBe(2);
  worker.child.kill("SIGTERM");
  const { id: next } = await fixture.addOrder();
  expect(await worker.exited).toBe(0);
  const ends = await Promise.all(orders.map(({ id }) => waitForEnd(id)));
  expect(ends.toSorted()).toEqual([
    ["succeeded", null, false, "none"],
    ["worker_error", "worker_crashed", true, "re_preview"],
  ]);
  expect((await fixture.readOrder(next)).status).toBe("pending");
  await fixture.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id: next } });
});

it("a worker ends an order over its time limit with a final screenshot", async () => {
  const { id } = await fixture.addOrder();
  const logger = createLogger("silent");
  const client = createServiceClient({ serviceUrl: fixture.stack.baseUrl, token: WORKER_TOKEN });
  const browser = await launchBrowser({ chromiumPath: null, allowLoopback: true });
  const hangs = () => new Promise<never>(() => {});
  try {
    const job = await client.claim({ workerUrl: "http://127.0.0.1:1", slots: 1 }, 0, AbortSignal.timeout(10_000));
    if (!job) throw new Error("no order");
    const lease = maintainLease(client, { ...job, timeoutMs: 2_000 });
    await runOrder(
      {
        client,
        browser,
        logger,
        liveViews: createLiveViews(),
        drivers: { purchase: hangs, exploration: hangs, dryRun: hangs },
      },
      job,
      lease,
    );
    expect(await waitForEnd(id)).toEqual(["timeout", "time_spent", true, "re_preview"]);
    const { steps } = await fixture.readEvidence(id);
    expect(steps).toMatchObject([{ action: "Stop", outcome: "time_spent", screenshotId: expect.any(String) }]);
  } finally {
    await browser.close();
  }
});

it("a browser crash ends its order, and a new browser drives the next one", async () => {
  const { id } = await fixture.addOrder();
  const worker = start({ STOP_AT: "card" });
  await waitForPoint(worker, "card");
  // The browser of the spare process drives no order.
  const browsers = listDescendants(worker.child.pid ?? 0).filter((pid) => /remote-debugging/.test(readCommand(pid)));
  expect(browsers.length).toBeGreaterThan(0);
  for (const browser of browsers) process.kill(browser, "SIGKILL");
  expect(await waitForEnd(id)).toEqual(["worker_error", "worker_crashed", true, "re_preview"]);
  const { id: next } = await fixture.addOrder();
  expect(await waitForEnd(next)).toEqual(["succeeded", null, false, "none"]);
});

it("a worker without a browser claims no orders", async () => {
  const { id } = await fixture.addOrder();
  const worker = start({ CHROMIUM_PATH: "/nowhere/chromium" });
  await expect.poll(worker.output, { timeout: 60_000 }).toContain("No orders can be leased");
  expect((await fixture.readOrder(id)).status).toBe("pending");
  await fixture.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id } });
});
