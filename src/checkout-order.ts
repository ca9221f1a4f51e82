/** The process of one order, which a checkout worker starts. */
import { flushCompileCache } from "node:module";
import { createLogger } from "./platform/observability/logger.ts";
import { driveCheckout } from "./worker/checkout/drive-checkout.ts";
import { driveDryRun } from "./worker/checkout/drive-dry-run.ts";
import { loadWorkerConfig } from "./worker/config.ts";
import { safeReason } from "./worker/evidence/redact.ts";
import { driveExploration } from "./worker/explore/drive-exploration.ts";
import { serveOrder } from "./worker/order-process.ts";
import { inThisProcess } from "./worker/this-process.ts";

const config = loadWorkerConfig(process.env);
const logger = createLogger(config.LOG_LEVEL);
// A page can cause unhandled rejections in browser code; the order must continue. The error's text may contain page content.
process.on("unhandledRejection", (error) => logger.warn({ reason: safeReason(error) }, "Unhandled promise rejection"));
const orders = inThisProcess({ purchase: driveCheckout, exploration: driveExploration, dryRun: driveDryRun });
await serveOrder(orders({ config, token: config.WORKER_TOKEN[0] ?? "", logger }));
// For the next processes. At the exit, the order's end would wait for it.
flushCompileCache();
