/** An order's process for termination tests. Its driver prints each point and blocks at the configured one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import { serveOrder } from "../../src/worker/order-process.ts";
import { inThisProcess } from "../../src/worker/this-process.ts";

/** Stop points of successive orders: `leased`, `card`, `submitted`, or empty for none. */
const stopAt = (process.env["STOP_AT"] ?? "").split(",");
/** Has a folder for each stop point that an order has claimed. */
const { STOP_FOLDER = "" } = process.env;
/** Duration of the merchant's response to a submission. */
const responseMs = Number(process.env["RESPONSE_MS"] ?? 0);
const config = loadWorkerConfig(process.env);

const orders = inThisProcess({
  async purchase(session) {
    const stop = claimStop();
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
  dryRun: async () => ({ cause: "exploration_failed" }),
});

/** Returns the next stop point that no other process has claimed. */
function claimStop(): string | undefined {
  return stopAt.find((_point, index) => {
    try {
      mkdirSync(join(STOP_FOLDER, String(index)));
      return true;
    } catch {
      return false;
    }
  });
}

async function stopAtPoint(point: string, stop: string | undefined): Promise<void> {
  process.stdout.write(`at ${point}\n`);
  if (point === stop) await new Promise(() => {});
}

await serveOrder(orders({ config, token: config.WORKER_TOKEN[0] ?? "", logger: createLogger("trace") }));
