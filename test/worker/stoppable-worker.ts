/** A worker as a process, whose driver says where it is and then waits there for ever, or goes on: for tests that end it. */

import { createShutdown } from "../../src/app/shutdown.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";

/** For one order after the other: `leased`, `card`, `submitted`, or nowhere. */
const stopAt = (process.env["STOP_AT"] ?? "").split(",");
/** How long the shop takes to answer what was submitted. */
const answerMs = Number(process.env["ANSWER_MS"] ?? 0);
const config = loadWorkerConfig(process.env);
const logger = createLogger("trace");

async function at(point: string, stop: string | undefined): Promise<void> {
  process.stdout.write(`at ${point}\n`);
  if (point === stop) await new Promise(() => {});
}

let worker: Worker | null = null;
const shutdown = createShutdown({ logger, timeoutMs: 20_000 });
shutdown.addStep("orders", () => worker?.stop());
worker = await startWorker({
  config,
  token: config.WORKER_TOKEN ?? "",
  logger,
  drivers: {
    async purchase(session) {
      const stop = stopAt.shift();
      await session.page.goto(session.job.basketUrl ?? "");
      await at("leased", stop);
      const card = await session.releaseCard();
      await session.maskField(session.page.locator("#number"));
      await session.page.locator("#number").fill(card.number);
      await at("card", stop);
      await session.submitting();
      await at("submitted", stop);
      await session.page.waitForTimeout(answerMs);
      const confirmation = { orderNumber: "S-1", amountChargedMinor: 2_895, currency: "GBP" };
      return { cause: "confirmed", confirmation };
    },
    exploration: async () => ({ cause: "exploration_failed" }),
  },
});
process.stdout.write("ready\n");
