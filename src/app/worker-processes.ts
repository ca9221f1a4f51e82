/** Starts checkout workers as processes of their own: they meet strangers' pages, and know nothing of the service but their token. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Config } from "../platform/config/load.ts";
import type { Logger } from "../platform/observability/logger.ts";

export interface WorkerProcesses {
  /** Asks them to leave, and waits for it; no longer than `patienceMs`: one that waits for a bank's answer goes on alone. */
  stop(patienceMs: number): Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Who lived so long did not fail at starting. */
const SETTLED_MS = 60_000;

/** @param options.serviceUrl where the service listens on this machine */
export function startWorkerProcesses(options: {
  readonly config: Config;
  readonly serviceUrl: string;
  readonly logger: Logger;
}): WorkerProcesses {
  const { config, serviceUrl, logger } = options;
  const stopping = new AbortController();
  const children = new Set<ChildProcess>();
  const env = environmentOf(config, serviceUrl);

  async function keep(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      const startedAtMs = performance.now();
      const child = fork(join(import.meta.dirname, "../checkout-worker.ts"), {
        env,
        execArgv: ["--disable-warning=ExperimentalWarning"],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      children.add(child);
      const [code, signal] = await once(child, "exit").catch(() => [null, null]);
      children.delete(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAtMs > SETTLED_MS) failures = 0;
      logger.error({ code, signal }, "a checkout worker ended, and is started again");
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
      await after(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const count = config.CHECKOUT_WORKERS ?? (config.SANDBOX ? 1 : 0);
  const kept = Promise.all(Array.from({ length: count }, keep));
  return {
    async stop(patienceMs) {
      stopping.abort();
      for (const child of children) child.kill("SIGTERM");
      const waiting = new AbortController();
      await Promise.race([kept, after(patienceMs, undefined, { signal: waiting.signal })]);
      waiting.abort();
      for (const child of children) {
        if (child.connected) child.disconnect();
        child.unref();
      }
    },
  };
}

/** Neither keys nor databases are a worker's to know. */
function environmentOf(config: Config, serviceUrl: string): Record<string, string> {
  const given = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: process.env["TMPDIR"],
    NODE_ENV: config.NODE_ENV,
    LOG_LEVEL: config.LOG_LEVEL,
    DATA_DIR: config.DATA_DIR,
    WORKER_TOKEN: config.WORKER_TOKEN,
    CHROMIUM_PATH: config.CHROMIUM_PATH,
    EGRESS_ALLOW_LOOPBACK: (config.EGRESS_ALLOW_LOOPBACK ?? config.SANDBOX) ? "1" : "0",
    SERVICE_URL: serviceUrl,
    WORKER_CONCURRENCY: process.env["WORKER_CONCURRENCY"],
    WORKER_STOP_MS: process.env["WORKER_STOP_MS"],
  };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
