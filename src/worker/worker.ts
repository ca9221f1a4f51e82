/** A checkout worker: leases orders from the service and drives several concurrently in one browser. */
import { setTimeout as after } from "node:timers/promises";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import { slotLimitsOf } from "../checkout/worker-protocol/slots.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { isRunningAsRoot, launchBrowser, type WorkerBrowser } from "./browser.ts";
import type { WorkerConfig } from "./config.ts";
import { safeReason } from "./evidence/redact.ts";
import { type ActiveLease, maintainLease } from "./lease.ts";
import { startLiveServer } from "./live/live-server.ts";
import { type Drivers, runOrder } from "./run-order.ts";
import { createServiceClient, type ServiceClient } from "./service-client.ts";
import { createSlots } from "./slots.ts";

export interface Worker {
  /** URL at which the service reaches the live view. */
  readonly url: string;
  /** Stops leasing orders, aborts those without a submitted card, and waits for the others. */
  stop(): Promise<void>;
}

const CLAIM_WAIT_MS = 20_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 15_000;
/** Of consecutive failures, every n-th is logged. */
const LOG_EVERY_FAILURES = 20;

export async function startWorker(parts: {
  readonly config: WorkerConfig;
  readonly token: string;
  /** Tokens beside `token` that the service may send while it is replaced. */
  readonly acceptedTokens?: readonly string[];
  readonly logger: Logger;
  readonly drivers: Drivers;
}): Promise<Worker> {
  const { config, token, acceptedTokens = [], logger, drivers } = parts;
  if (isRunningAsRoot()) {
    logger.warn("Running as root: Chromium runs without its sandbox. Run checkout workers as another user");
  }
  const liveServer = await startLiveServer({
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    token: [token, ...acceptedTokens],
  });
  const workerUrl = config.WORKER_URL ?? liveServer.url;
  const client = createServiceClient({ serviceUrl: config.SERVICE_URL, token });
  const browsers = createSharedBrowser(() =>
    launchBrowser({
      chromiumPath: config.CHROMIUM_PATH ?? null,
      allowLoopback: config.EGRESS_ALLOW_LOOPBACK ?? false,
    }),
  );
  const stopping = new AbortController();
  const { signal } = stopping;
  const leases = new Set<ActiveLease>();

  const limits = slotLimitsOf(config.WORKER_CONCURRENCY);
  const slots = createSlots(limits);
  const running = new Set<Promise<void>>();

  async function claimNextOrder(): Promise<void> {
    await slots.waitUntilFree(signal);
    // A worker without a browser must not lease an order.
    const launched = await browsers.get();
    const claimedAtMs = performance.now();
    const job = await client.claim({ workerUrl, slots: limits.slots }, CLAIM_WAIT_MS, signal);
    if (!job) return await waitBeforeNextClaim(claimedAtMs, signal);
    const run = driveOrder(job, launched).finally(() => running.delete(run));
    running.add(run);
  }

  async function driveOrder(job: WorkerJob, launched: WorkerBrowser): Promise<void> {
    const order = slots.openOrder();
    const activeLease = maintainLease(client, job);
    leases.add(activeLease);
    if (signal.aborted) activeLease.stop();
    // The browser may have exited during the wait. If no new one starts, the order ends as any aborted checkout.
    const browser = await browsers.get().catch(() => launched);
    const orderClient: ServiceClient = {
      ...client,
      async reportRequiredAction(lease, action, waitMs) {
        await client.reportRequiredAction(lease, action, waitMs);
        // The service has recorded the wait, so the next claim counts the order as waiting.
        if (action !== null) order.releaseSlot();
      },
    };
    try {
      await runOrder({ client: orderClient, browser, logger, drivers, liveServer }, job, activeLease);
    } finally {
      leases.delete(activeLease);
      order.close();
    }
  }

  async function claimOrders(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await claimNextOrder();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (failures % LOG_EVERY_FAILURES === 0)
          logger.warn({ reason: safeReason(error) }, "No orders can be leased; retrying");
        const maxDelayMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
        failures += 1;
        // Random delay, so that workers do not all reconnect concurrently after an outage.
        await after(maxDelayMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      }
    }
  }

  // One claim at a time: each is counted before the next.
  const claiming = claimOrders();
  return {
    url: workerUrl,
    async stop() {
      stopping.abort();
      for (const activeLease of leases) activeLease.stop();
      await claiming;
      await Promise.all(running);
      await browsers.close();
      await liveServer.close();
    },
  };
}

/** Delays the next claim when the service responded immediately, as it does while it shuts down. */
async function waitBeforeNextClaim(claimedAtMs: number, signal: AbortSignal): Promise<void> {
  const remainingMs = FIRST_RETRY_MS - (performance.now() - claimedAtMs);
  if (remainingMs > 0) await after(remainingMs, undefined, { signal }).catch(() => {});
}

/** Returns a browser shared by all orders. It is launched on first use and again after it exited. */
function createSharedBrowser(launch: () => Promise<WorkerBrowser>) {
  let current: { readonly launching: Promise<WorkerBrowser>; browser: WorkerBrowser | null } | null = null;
  return {
    async get(): Promise<WorkerBrowser> {
      if (current && current.browser?.isConnected() !== false) return await current.launching;
      void current?.browser?.close();
      const started = { launching: launch(), browser: null as WorkerBrowser | null };
      current = started;
      try {
        started.browser = await started.launching;
      } catch (error) {
        if (current === started) current = null;
        throw error;
      }
      return started.browser;
    },
    async close(): Promise<void> {
      await (await current?.launching.catch(() => null))?.close();
    },
  };
}
