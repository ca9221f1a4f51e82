/** `WorkerSession.withSeparateContext` of tests without an order. */
import type { WorkerSession } from "../../src/worker/session.ts";
import type { SharedWorkerBrowser } from "./shared-worker-browser.ts";

export function openSeparateContext(browser: SharedWorkerBrowser): WorkerSession["withSeparateContext"] {
  return async (use) => {
    const context = await browser.openContext();
    try {
      return await use(context);
    } finally {
      await context.close();
    }
  };
}
