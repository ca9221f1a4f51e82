import { RateLimitedError } from "../errors.ts";

/**
 * Runs `work` with one of the key's permits. Callers without a permit wait in order of arrival.
 * @throws {RateLimitedError} no permit within `MAX_WAIT_MS`; `work` was not started
 */
export type KeyedSemaphore = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** After a longer wait, data that the caller read earlier, such as a balance, may be stale. */
export const MAX_WAIT_MS = 15_000;
const RETRY_AFTER_MS = 1_000;

/**
 * Limits concurrent work per key in this process. Callers waiting for a row lock in the database would each block a pooled
 * connection, and one busy account would block them all. With two permits, one caller works while the next is ready.
 */
export function createKeyedSemaphore(permits = 2): KeyedSemaphore {
  const queues = new Map<string, { running: number; readonly waiting: Set<() => void> }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
    queues.set(key, queue);
    if (queue.running < permits) queue.running++;
    else await waitForPermit(queue.waiting);
    try {
      return await work();
    } finally {
      const [next] = queue.waiting;
      // The permit passes to the longest waiting caller, so `running` does not change.
      if (next) next();
      else if (--queue.running === 0) queues.delete(key);
    }
  };
}

function waitForPermit(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      waiting.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(
        new RateLimitedError(
          "Too many requests of this kind are in flight. This one was not started. Retry in a second.",
          RETRY_AFTER_MS,
        ),
      );
    }, MAX_WAIT_MS);
    waiting.add(begin);
  });
}
