/** A worker process for termination tests, with the orders of `stoppable-order.ts`. */
import { join } from "node:path";
import { createShutdown } from "../../src/app/shutdown.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import { inOwnProcesses } from "../../src/worker/order-processes.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";

const config = loadWorkerConfig(process.env);
const logger = createLogger("trace");

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: 20_000 });
shutdown.addStep("orders", () => worker?.stop());
worker = await startWorker({
  ...{ config, logger, token: config.WORKER_TOKEN[0] ?? "" },
  orders: inOwnProcesses(
    join(import.meta.dirname, "stoppable-order.ts"),
    Number(process.env["MAX_SILENCE_MS"] ?? 60_000),
  ),
});
process.stdout.write("ready\n");
