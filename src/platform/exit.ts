import { setTimeout as wait } from "node:timers/promises";

/** Time for V8's compiler threads to complete what they have begun. */
const COMPILATION_MS = 100;

/**
 * Ends the process after a short wait. `process.exit` alone can block forever, because it waits for V8's compiler threads
 * (nodejs/node#54918). Such a thread may wait for a garbage collection, which only the exiting thread runs.
 */
export async function exit(code: number): Promise<never> {
  await wait(COMPILATION_MS);
  process.exit(code);
}
