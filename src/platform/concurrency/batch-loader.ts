import DataLoader from "dataloader";

/**
 * Creates a DataLoader without a cache that adapts its batches to the load. Keys of one event loop iteration form a batch. While
 * `maxConcurrent` batches are in flight, further keys queue until one of them returns.
 *
 * @param load returns a value or an Error for each key, in order
 */
export function createBatchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
  { maxBatch, maxConcurrent }: { readonly maxBatch: number; readonly maxConcurrent: number },
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
      batchScheduleFn: (flush) => void (running < maxConcurrent ? start(flush) : waiting.push(flush)),
    },
  );
}
