/**
 * Starts checkout workers in their own processes. They load untrusted pages and share only a token with the service.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Config } from "../platform/config/load.ts";
import type { Logger } from "../platform/observability/logger.ts";

export interface WorkerProcesses {
  /**
   * Sends SIGTERM and waits for the exits, at most `timeoutMs`. A worker that waits for a bank's response then
   * continues on its own.
   */
  stop(timeoutMs: number): Promise<void>;
}

const END_WITH_PARENT = new URL("../worker/end-with-parent.ts", import.meta.url).href;
const MIN_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;
/** After this uptime, an exit no longer counts as a failed start. */
const STABLE_UPTIME_MS = 60_000;

/** @param options.serviceUrl the service's URL on the same host */
export function startWorkerProcesses(options: {
  readonly config: Config;
  readonly serviceUrl: string;
  readonly logger: Logger;
}): WorkerProcesses {
  const { config, serviceUrl, logger } = options;
  const stopping = new AbortController();
  const children = new Set<ChildProcess>();
  const env = createEnvironment(config, serviceUrl);

  async function superviseWorker(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      const startedAtMs = performance.now();
      const child = fork(join(import.meta.dirname, "../checkout-worker.ts"), {
        env,
        execArgv: ["--disable-warning=ExperimentalWarning", "--import", END_WITH_PARENT],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      children.add(child);
      const [code, signal] = await once(child, "exit").catch(() => [null, null]);
      children.delete(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAtMs > STABLE_UPTIME_MS) failures = 0;
      logger.error({ code, signal }, "Checkout worker exited; restart scheduled");
      const delayMs = Math.min(MIN_RESTART_DELAY_MS * 2 ** failures, MAX_RESTART_DELAY_MS);
      await after(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const count = config.CHECKOUT_WORKERS ?? (config.SANDBOX ? 1 : 0);
  const supervisors = Promise.all(Array.from({ length: count }, superviseWorker));
  return {
    async stop(timeoutMs) {
      stopping.abort();
      for (const child of children) child.kill("SIGTERM");
      const waiting = new AbortController();
      await Promise.race([supervisors, after(timeoutMs, undefined, { signal: waiting.signal })]);
      waiting.abort();
      for (const child of children) {
        if (child.connected) child.disconnect();
        child.unref();
      }
    },
  };
}

/** Returns the workers' environment, without the service's keys and database URLs. */
function createEnvironment(config: Config, serviceUrl: string): Record<string, string> {
  const variables = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: process.env["TMPDIR"],
    NODE_ENV: config.NODE_ENV,
    LOG_LEVEL: config.LOG_LEVEL,
    DATA_DIR: config.DATA_DIR,
    WORKER_TOKEN: config.WORKER_TOKEN.length > 0 ? config.WORKER_TOKEN.join() : undefined,
    CHROMIUM_PATH: config.CHROMIUM_PATH,
    EGRESS_ALLOW_LOOPBACK: (config.EGRESS_ALLOW_LOOPBACK ?? config.SANDBOX) ? "1" : "0",
    SERVICE_URL: serviceUrl,
    WORKER_CONCURRENCY: process.env["WORKER_CONCURRENCY"],
    WORKER_STOP_MS: process.env["WORKER_STOP_MS"],
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
