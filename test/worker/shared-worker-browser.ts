/** The production browser, launched once for all files of a vitest worker: tests open contexts of their own. */
import { launchBrowser, type WorkerBrowser } from "../../src/worker/browser.ts";

export type SharedWorkerBrowser = Omit<WorkerBrowser, "close">;
let shared: Promise<WorkerBrowser> | null = null;

/** Ends with the vitest worker's process. */
export function sharedWorkerBrowser(): Promise<SharedWorkerBrowser> {
  shared ??= launchBrowser({ chromiumPath: null, allowLoopback: true });
  return shared;
}
