/** Refuses workers that the gate cannot watch. Routes see the requests of a page's workers, but not of their own workers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { CheckoutEndedError } from "../ending.ts";
import { withTimeout } from "../with-timeout.ts";

const GUARD_DOCUMENT = readFileSync(join(import.meta.dirname, "..", "in-page", "guard-workers.js"), "utf8");
/** Evaluated in workers that exist already. */
const GUARD_WORKER = `(() => {
  for (const name of ["Worker", "SharedWorker", "WebSocket", "WebSocketStream", "WebTransport"])
    try { Object.defineProperty(self, name, { value: undefined }); } catch {}
  return true;
})()`;
const WORKER_MS = 3_000;
const FRAME_MS = 2_000;

/**
 * Guards the workers of all current and future documents of a context.
 * @throws {CheckoutEndedError} a worker does not respond, so it may start workers that no route sees
 */
export async function guardWorkers(context: BrowserContext): Promise<void> {
  await context.addInitScript(GUARD_DOCUMENT);
  const pages = context.pages();
  await Promise.all(
    pages
      .flatMap((page) => page.frames())
      .map((frame) => withTimeout(frame.evaluate(GUARD_DOCUMENT), FRAME_MS).catch(() => null)),
  );
  const guarded = await Promise.all(
    pages
      .flatMap((page) => page.workers())
      .map(async (worker) => {
        const ended = new Promise<true>((resolve) => worker.once("close", () => resolve(true)));
        const evaluated = worker.evaluate(GUARD_WORKER).catch(() => true);
        return await withTimeout(Promise.race([evaluated, ended]), WORKER_MS);
      }),
  );
  if (guarded.includes(null))
    throw new CheckoutEndedError("missing_field", "A background script of the page does not respond");
}
