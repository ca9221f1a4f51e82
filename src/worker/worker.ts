/** A checkout worker: leases orders from the service and runs several concurrently. */
import { setTimeout as after } from "node:timers/promises";
import { slotLimitsOf } from "../checkout/worker-protocol/slots.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { WorkerConfig } from "./config.ts";
import { safeReason } from "./evidence/redact.ts";
import { startLiveServer } from "./live/live-server.ts";
import type { OpenOrderRunner } from "./order-runner.ts";
import { isRunningAsRoot } from "./running-as-root.ts";
import { createServiceClient } from "./service-client.ts";
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
  readonly orders: OpenOrderRunner;
}): Promise<Worker> {
  const { config, token, acceptedTokens = [], logger, orders } = parts;
  if (isRunningAsRoot()) {
    logger.warn("Running as root: Chromium runs without its sandbox. Run checkout workers as another user");
  }
  const runner = orders({ config, token, logger });
  const liveServer = await startLiveServer({
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    token: [token, ...acceptedTokens],
    connectViewer: runner.connectViewer,
  });
  const workerUrl = config.WORKER_URL ?? liveServer.url;
  const client = createServiceClient({ serviceUrl: config.SERVICE_URL, token });
  const stopping = new AbortController();
  const { signal } = stopping;

  const limits = slotLimitsOf(config.WORKER_CONCURRENCY);
  const slots = createSlots(limits);
  const running = new Set<Promise<void>>();

  async function claimNextOrder(): Promise<void> {
    await slots.waitUntilFree(signal);
    // A worker without a browser must not lease an order.
    await runner.prepare();
    const claimedAtMs = performance.now();
    const job = await client.claim({ workerUrl, slots: limits.slots }, CLAIM_WAIT_MS, signal);
    if (!job) return await waitBeforeNextClaim(claimedAtMs, signal);
    const order = slots.openOrder();
    const run = runner.run(job, order.releaseSlot).finally(() => {
      order.close();
      running.delete(run);
    });
    running.add(run);
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
      runner.stopOrders();
      await claiming;
      await Promise.all(running);
      await runner.close();
      liveServer.close();
    },
  };
}

/** Delays the next claim when the service responded immediately, as it does while it shuts down. */
async function waitBeforeNextClaim(claimedAtMs: number, signal: AbortSignal): Promise<void> {
  const remainingMs = FIRST_RETRY_MS - (performance.now() - claimedAtMs);
  if (remainingMs > 0) await after(remainingMs, undefined, { signal }).catch(() => {});
}
