/** `npm run worker`: a checkout worker, by itself or as a child of `npm start`. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createShutdown } from "./app/shutdown.ts";
import { readWorkerToken } from "./app/worker-token.ts";
import { ConfigError, readEnvironment } from "./platform/config/load.ts";
import { createLogger } from "./platform/observability/logger.ts";
import { driveCheckout } from "./worker/checkout/drive-checkout.ts";
import { loadWorkerConfig, type WorkerConfig } from "./worker/config.ts";
import { safeReason } from "./worker/evidence/redact.ts";
import { driveExploration } from "./worker/explore/drive-exploration.ts";
import { openOwnFolder } from "./worker/own-folder.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

/** For what is done once nothing is driven any more. */
const LEAVING_MS = 10_000;

const isChild = process.send !== undefined;
const config = readConfig();
const logger = createLogger(config.LOG_LEVEL);
// What browsers leave behind is in one place, and goes with the worker.
const folder = await openOwnFolder(tmpdir());
process.env["TMPDIR"] = folder;

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: config.WORKER_STOP_MS + LEAVING_MS });
shutdown.addStep("orders", () => worker?.stop());
shutdown.addStep("files", () => rm(folder, { recursive: true, force: true }));
// The service that started it is gone: what is submitted is told to the next one.
if (isChild) process.once("disconnect", () => void shutdown.stop("the service is gone"));
// A page may break any promise of its browser's; other orders are driven beside it. Nothing of such an error is shown.
process.on("unhandledRejection", (error) => logger.warn({ reason: safeReason(error) }, "a promise was broken"));

try {
  const drivers = { purchase: driveCheckout, exploration: driveExploration };
  worker = await startWorker({ config, token: await readWorkerToken(config), logger, drivers });
  logger.info({ workerUrl: worker.url }, "a checkout worker is ready");
} catch (error) {
  logger.fatal({ reason: safeReason(error) }, "the checkout worker did not start");
  await rm(folder, { recursive: true, force: true });
  process.exitCode = 1;
  process.disconnect?.();
}

function readConfig(): WorkerConfig {
  try {
    // A child is told all it may know: its service's secrets are none of it.
    return loadWorkerConfig(isChild ? process.env : readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
