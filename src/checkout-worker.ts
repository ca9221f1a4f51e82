/** `npm run worker`: a checkout worker, standalone or as a child process of `npm start`. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createShutdown } from "./app/shutdown.ts";
import { readWorkerTokens } from "./app/worker-token.ts";
import { ConfigError, readEnvironment } from "./platform/config/load.ts";
import { createLogger } from "./platform/observability/logger.ts";
import { driveCheckout } from "./worker/checkout/drive-checkout.ts";
import { loadWorkerConfig, type WorkerConfig } from "./worker/config.ts";
import { safeReason } from "./worker/evidence/redact.ts";
import { driveExploration } from "./worker/explore/drive-exploration.ts";
import { startWorker, type Worker } from "./worker/worker.ts";
import { createWorkerFolder } from "./worker/worker-folder.ts";

/** Time for cleanup after the last checkout has ended. */
const CLEANUP_MS = 10_000;

const isChild = process.send !== undefined;
const config = readConfig();
const logger = createLogger(config.LOG_LEVEL);
// Contains all temporary files of the browsers, so they can be deleted at shutdown.
const folder = await createWorkerFolder(tmpdir());
process.env["TMPDIR"] = folder;

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: config.WORKER_STOP_MS + CLEANUP_MS });
shutdown.addStep("orders", () => worker?.stop());
shutdown.addStep("files", () => rm(folder, { recursive: true, force: true }));
// The parent service has exited; results of submitted orders are reported to its successor.
if (isChild) process.once("disconnect", () => void shutdown.stop("the service has exited"));
// A page can cause unhandled rejections in browser code; other orders must continue. The error's text may contain page content.
process.on("unhandledRejection", (error) => logger.warn({ reason: safeReason(error) }, "Unhandled promise rejection"));

try {
  const drivers = { purchase: driveCheckout, exploration: driveExploration };
  const [token, ...acceptedTokens] = await readWorkerTokens(config);
  worker = await startWorker({ config, token, acceptedTokens, logger, drivers });
  logger.info({ workerUrl: worker.url }, "Checkout worker ready");
} catch (error) {
  logger.fatal({ reason: safeReason(error) }, "Checkout worker did not start");
  await rm(folder, { recursive: true, force: true });
  process.exitCode = 1;
  process.disconnect?.();
}

function readConfig(): WorkerConfig {
  try {
    // A child process does not read `.env`, which contains the service's secrets; its parent sets its environment.
    return loadWorkerConfig(isChild ? process.env : readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
