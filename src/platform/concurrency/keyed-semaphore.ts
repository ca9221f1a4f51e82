import { RateLimitedError } from "../errors.ts";

/**
 * Does `work` once fewer than `atOnce` others of the same key are under way in this process; first come, first served.
 * @throws {RateLimitedError} after `LONGEST_WAIT_MS` in line; the work was not begun
 */
export type KeyedSemaphore = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** What was looked up before the wait, such as a balance, may be out of date after a longer one. */
export const LONGEST_WAIT_MS = 15_000;
const RETRY_AFTER_MS = 1_000;

/**
 * Lines of what would wait in the database for a row that another of the same key holds: there each would wait in a connection,
 * and one account that does much at once would have them all. With two at once, one can work while the next is there already.
 */
export function createKeyedSemaphore(atOnce = 2): KeyedSemaphore {
  const lines = new Map<string, { running: number; readonly waiting: Set<() => void> }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() };
    lines.set(key, line);
    if (line.running < atOnce) line.running++;
    else await turnIn(line.waiting);
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
      // Who waited longest takes the place over.
      if (next) next();
      else if (--line.running === 0) lines.delete(key);
    }
  };
}

/** Waits at the end of the line for whoever has a place and leaves it. */
function turnIn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      waiting.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(new RateLimitedError("Too much of this is under way at once. Try again shortly.", RETRY_AFTER_MS));
    }, LONGEST_WAIT_MS);
    waiting.add(begin);
  });
}
