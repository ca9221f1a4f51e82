/** A worker process for termination tests. Its driver prints each point and blocks at the configured one. */

import { createShutdown } from "../../src/app/shutdown.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";

/** Stop points of successive orders: `leased`, `card`, `submitted`, or empty for none. */
const stopAt = (process.env["STOP_AT"] ?? "").split(",");
/** Duration of the merchant's response to a submission. */
const responseMs = Number(process.env["RESPONSE_MS"] ?? 0);
const config = loadWorkerConfig(process.env);
const logger = createLogger("trace");

async function stopAtPoint(point: string, stop: string | undefined): Promise<void> {
  process.stdout.write(`at ${point}\n`);
  if (point === stop) await new Promise(() => {});
}

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: 20_000 });
shutdown.addStep("orders", () => worker?.stop());
worker = await startWorker({
  config,
  token: config.WORKER_TOKEN[0] ?? "",
  logger,
  drivers: {
    async purchase(session) {
      const stop = stopAt.shift();
      await session.page.goto(session.job.basketUrl ?? "");
      await stopAtPoint("leased", stop);
      const card = await session.releaseCard();
      await session.maskField(session.page.locator("#number"));
      await session.page.locator("#number").fill(card.number);
      await stopAtPoint("card", stop);
      await session.recordSubmission();
      await stopAtPoint("submitted", stop);
      await session.page.waitForTimeout(responseMs);
      const confirmation = { orderNumber: "S-1", amountChargedMinor: 2_895, currency: "GBP" };
      return { cause: "confirmed", confirmation };
    },
    exploration: async () => ({ cause: "exploration_failed" }),
  },
});
process.stdout.write("ready\n");
