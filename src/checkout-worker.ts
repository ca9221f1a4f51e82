/** `npm run worker`: a checkout worker, standalone or as a child process of `npm start`. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createShutdown } from "./app/shutdown.ts";
import { readWorkerTokens } from "./app/worker-token.ts";
import { ConfigError, readEnvironment } from "./platform/config/load.ts";
import { exit } from "./platform/exit.ts";
import { createLogger } from "./platform/observability/logger.ts";
import { loadWorkerConfig, type WorkerConfig } from "./worker/config.ts";
import { outliveParent } from "./worker/end-with-parent.ts";
import { safeReason } from "./worker/evidence/redact.ts";
import { inOwnProcesses } from "./worker/order-processes.ts";
import { startWorker, type Worker } from "./worker/worker.ts";
import { createWorkerFolder } from "./worker/worker-folder.ts";

/** Time for cleanup after the last checkout has ended. */
const CLEANUP_MS = 10_000;

const isChild = process.send !== undefined;
const config = await readConfig();
const logger = createLogger(config.LOG_LEVEL);
// Contains all temporary files of the orders' processes, so they can be deleted at shutdown.
const folder = await createWorkerFolder(tmpdir());
process.env["TMPDIR"] = folder;

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: config.WORKER_STOP_MS + CLEANUP_MS });
shutdown.addStep("orders", () => worker?.stop());
shutdown.addStep("files", () => rm(folder, { recursive: true, force: true }));
// A service that stops sends SIGTERM first, and a terminal SIGINT. Results of submitted orders are then reported to its successor.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, outliveParent);

try {
  const orders = inOwnProcesses(join(import.meta.dirname, "checkout-order.ts"));
  const [token, ...acceptedTokens] = await readWorkerTokens(config);
  worker = await startWorker({ config, token, acceptedTokens, logger, orders });
  logger.info({ workerUrl: worker.url }, "Checkout worker ready");
} catch (error) {
  logger.fatal({ reason: safeReason(error) }, "Checkout worker did not start");
  await rm(folder, { recursive: true, force: true });
  process.exitCode = 1;
  process.disconnect?.();
}

async function readConfig(): Promise<WorkerConfig> {
  try {
    // A child process does not read `.env`, which contains the service's secrets; its parent sets its environment.
    return loadWorkerConfig(isChild ? process.env : readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return await exit(1);
  }
}
