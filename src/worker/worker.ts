/** A checkout worker: asks the service for orders, and drives as many at once as it may, on one browser. */
import { setTimeout as after } from "node:timers/promises";
import type { Logger } from "../platform/observability/logger.ts";
import { launchBrowser, type WorkerBrowser } from "./browser.ts";
import type { WorkerConfig } from "./config.ts";
import { safeReason } from "./evidence/redact.ts";
import { type Hold, holdLease } from "./lease.ts";
import { startLiveServer } from "./live/live-server.ts";
import { type Drivers, runOrder } from "./run-order.ts";
import { createServiceClient } from "./service-client.ts";

export interface Worker {
  /** Where the service reaches it for the live view. */
  readonly url: string;
  /** Takes no more orders, gives up what is not submitted, and waits for what is. */
  stop(): Promise<void>;
}

const CLAIM_WAIT_MS = 20_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** Of failures in a row every so many is logged again. */
const LOG_EVERY = 20;

export async function startWorker(parts: {
  readonly config: WorkerConfig;
  readonly token: string;
  readonly logger: Logger;
  readonly drivers: Drivers;
}): Promise<Worker> {
  const { config, token, logger, drivers } = parts;
  const liveServer = await startLiveServer({ host: config.WORKER_HOST, port: config.WORKER_PORT, token });
  const workerUrl = config.WORKER_URL ?? liveServer.url;
  const client = createServiceClient({ serviceUrl: config.SERVICE_URL, token });
  const browsers = keepBrowser(() =>
    launchBrowser({
      chromiumPath: config.CHROMIUM_PATH ?? null,
      allowLoopback: config.EGRESS_ALLOW_LOOPBACK ?? false,
    }),
  );
  const stopping = new AbortController();
  const { signal } = stopping;
  const holds = new Set<Hold>();

  async function driveNext(): Promise<void> {
    // First: who cannot drive an order takes none.
    const ready = await browsers.get();
    const askedAtMs = performance.now();
    const job = await client.claim(workerUrl, CLAIM_WAIT_MS, signal);
    if (!job) return await untilAskedAgain(askedAtMs, signal);
    const hold = holdLease(client, job);
    holds.add(hold);
    if (signal.aborted) hold.stop();
    // It may have gone while no order came; without another one this is told as any order that breaks off.
    const browser = await browsers.get().catch(() => ready);
    try {
      await runOrder({ client, browser, logger, drivers, liveServer }, job, hold);
    } finally {
      holds.delete(hold);
    }
  }

  async function serve(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await driveNext();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (failures % LOG_EVERY === 0) logger.warn({ reason: safeReason(error) }, "no orders can be taken");
        const longestMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
        failures += 1;
        // Workers that lost their service do not come back all at once.
        await after(longestMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      }
    }
  }

  const serving = Array.from({ length: config.WORKER_CONCURRENCY }, serve);
  return {
    url: workerUrl,
    async stop() {
      stopping.abort();
      for (const hold of holds) hold.stop();
      await Promise.all(serving);
      await browsers.close();
      await liveServer.close();
    },
  };
}

/** A service that answers at once, because it is stopping, is not asked in a circle. */
async function untilAskedAgain(askedAtMs: number, signal: AbortSignal): Promise<void> {
  const restMs = FIRST_WAIT_MS - (performance.now() - askedAtMs);
  if (restMs > 0) await after(restMs, undefined, { signal }).catch(() => {});
}

/** One browser for all, started when it is needed first, and again when it has gone. */
function keepBrowser(launch: () => Promise<WorkerBrowser>) {
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
