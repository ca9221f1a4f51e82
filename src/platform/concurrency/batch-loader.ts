import DataLoader from "dataloader";

/**
 * A loader that gathers: what is asked for in one turn of the event loop goes together, and once `atOnce` batches are
 * under way, so does all that comes until one of them has answered. Nothing is remembered.
 *
 * @param load answers each key in its place, with a value or an Error
 */
export function createBatchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
  { maxBatch, atOnce }: { readonly maxBatch: number; readonly atOnce: number },
): DataLoader<Key, Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const start = (flush: () => void) => {
    running++;
    setImmediate(flush);
  };
  return new DataLoader<Key, Value>(
    async (keys) => {
      try {
        return await load(keys);
      } finally {
        running--;
        const next = waiting.shift();
        if (next) start(next);
      }
    },
    {
      cache: false,
      maxBatchSize: maxBatch,
      batchScheduleFn: (flush) => void (running < atOnce ? start(flush) : waiting.push(flush)),
    },
  );
}
