/** Workers that are killed, stopped, too slow or without their browser, at every point: how their orders end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { launchBrowser } from "../../src/worker/browser.ts";
import { holdLease } from "../../src/worker/lease.ts";
import { startLiveServer } from "../../src/worker/live/live-server.ts";
import { runOrder } from "../../src/worker/run-order.ts";
import { createServiceClient } from "../../src/worker/service-client.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker.ts";
import { openRuntimeRoom, type RuntimeRoom } from "./runtime-room.ts";

const PROGRAM = join(import.meta.dirname, "stoppable-worker.ts");

/** What killed browsers leave. */
const LEFT_BEHIND = mkdtempSync(join(tmpdir(), "satchel-test-workers-"));

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

let room: RuntimeRoom;
const running: Running[] = [];
beforeAll(async () => {
  room = await openRuntimeRoom({ CHECKOUT_TIMEOUT_MS: "120000" });
});
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
});
afterAll(async () => {
  await room?.stop();
  rmSync(LEFT_BEHIND, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: LEFT_BEHIND, NODE_ENV: "test" },
      ...{ SERVICE_URL: room.stack.baseUrl, WORKER_TOKEN, EGRESS_ALLOW_LOOPBACK: "1", WORKER_CONCURRENCY: "1", ...env },
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

const isAt = (worker: Running, point: string) =>
  expect.poll(worker.output, { timeout: 60_000 }).toContain(point === "ready" ? "ready" : `at ${point}`);

/** As after half a minute without a word. */
async function loseLease(id: string): Promise<void> {
  const { prisma } = room.stack.service.deps.db;
  await prisma.checkoutOrder.update({ where: { id }, data: { leasedUntil: new Date(Date.now() - 1_000) } });
}

async function ended(id: string) {
  await expect.poll(async () => (await room.read(id)).completedAt, { timeout: 60_000 }).not.toBeNull();
  const { status, errorCode, retryable, retryAction } = await room.read(id);
  return [status, errorCode, retryable, retryAction];
}

/** Processes that a process started, and theirs. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
        return [[Number(name), Number(parent)] as const];
      } catch {
        return [];
      }
    });
  const childrenOf = (one: number): number[] =>
    parents.filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...childrenOf(child)]);
  return childrenOf(pid);
}
const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

describe("a worker that is killed", () => {
  it("before it has an order leaves it to the next one", async () => {
    const first = start();
    await isAt(first, "ready");
    first.child.kill("SIGKILL");
    await first.exited;
    const { id } = await room.order();
    expect((await room.read(id)).status).toBe("pending");
    await room.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id } });
  });

  it.each([
    ["leased", ["worker_error", "worker_crashed", true, "re_preview"]],
    ["card", ["worker_error", "worker_crashed", true, "re_preview"]],
    ["submitted", ["payment_unconfirmed", "outcome_unknown", null, "contact_support"]],
  ])(
    "at the point %s has its order ended by the service, driven by nobody else, and its browser is gone",
    async (point, end) => {
      const { id } = await room.order();
      const worker = start({ STOP_AT: point });
      await isAt(worker, point);
      const browser = descendantsOf(worker.child.pid ?? 0);
      expect(browser.length).toBeGreaterThan(0);
      worker.child.kill("SIGKILL");
      await worker.exited;
      expect((await room.read(id)).status).toBe("dispatched");
      await loseLease(id);
      expect(await ended(id)).toEqual(end);
      await expect.poll(() => browser.filter(isAlive), { timeout: 60_000 }).toEqual([]);
      expect(worker.output()).not.toContain("4242424242424242");
      const { submittedAt, workerJobId } = await room.read(id);
      expect(submittedAt !== null).toBe(point === "submitted");
      expect(worker.output().match(/at leased/g)).toHaveLength(1);
      expect(workerJobId).toMatch(/^wjb_/);
    },
  );
});

it("a worker that is stopped finishes what is submitted, gives up the rest, and takes no more", async () => {
  const orders = [await room.order(), await room.order()];
  const worker = start({ STOP_AT: "card", ANSWER_MS: "3000", WORKER_CONCURRENCY: "2" });
  await isAt(worker, "submitted");
  await expect.poll(() => worker.output().match(/at card/g)?.length, { timeout: 60_000 }).toBe(2);
  worker.child.kill("SIGTERM");
  const { id: next } = await room.order();
  expect(await worker.exited).toBe(0);
  const ends = await Promise.all(orders.map(({ id }) => ended(id)));
  expect(ends.toSorted()).toEqual([
    ["succeeded", null, false, "none"],
    ["worker_error", "worker_crashed", true, "re_preview"],
  ]);
  expect((await room.read(next)).status).toBe("pending");
  await room.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id: next } });
});

it("an order that takes too long before the card is ended by its worker, with a last look", async () => {
  const { id } = await room.order();
  const logger = createLogger("silent");
  const client = createServiceClient({ serviceUrl: room.stack.baseUrl, token: WORKER_TOKEN });
  const browser = await launchBrowser({ chromiumPath: null, allowLoopback: true });
  const liveServer = await startLiveServer({ host: "127.0.0.1", port: 0, token: WORKER_TOKEN });
  const hangs = () => new Promise<never>(() => {});
  try {
    const job = await client.claim(liveServer.url, 0, AbortSignal.timeout(10_000));
    if (!job) throw new Error("no order");
    const hold = holdLease(client, { ...job, timeoutMs: 2_000 });
    await runOrder(
      { client, browser, logger, liveServer, drivers: { purchase: hangs, exploration: hangs } },
      job,
      hold,
    );
    expect(await ended(id)).toEqual(["timeout", "time_spent", true, "re_preview"]);
    const { steps } = await room.evidence(id);
    expect(steps).toMatchObject([{ action: "Stop", outcome: "time_spent", screenshotId: expect.any(String) }]);
  } finally {
    await browser.close();
    await liveServer.close();
  }
});

it("a browser that dies takes its order along, and another one drives the next", async () => {
  const { id } = await room.order();
  const worker = start({ STOP_AT: "card" });
  await isAt(worker, "card");
  const [browser] = descendantsOf(worker.child.pid ?? 0);
  process.kill(browser ?? 0, "SIGKILL");
  expect(await ended(id)).toEqual(["worker_error", "worker_crashed", true, "re_preview"]);
  const { id: next } = await room.order();
  expect(await ended(next)).toEqual(["succeeded", null, false, "none"]);
});

it("a worker without a browser takes no orders", async () => {
  const { id } = await room.order();
  const worker = start({ CHROMIUM_PATH: "/nowhere/chromium" });
  await expect.poll(worker.output, { timeout: 60_000 }).toContain("No orders can be leased");
  expect((await room.read(id)).status).toBe("pending");
  await room.stack.service.deps.db.prisma.checkoutOrder.delete({ where: { id } });
});
