/** The production browser, launched once for all files of a vitest worker. Each test opens its own contexts. */
import { launchBrowser, type WorkerBrowser } from "../../src/worker/browser.ts";

export type SharedWorkerBrowser = Omit<WorkerBrowser, "close">;
let shared: Promise<WorkerBrowser> | null = null;

/** Returns the browser, which exits with the process of the vitest worker. */
export function sharedWorkerBrowser(): Promise<SharedWorkerBrowser> {
  shared ??= launchBrowser({ chromiumPath: null, allowLoopback: true });
  return shared;
}
