/** Where promises are kept: a Map, or a cache that forgets. */
interface PromiseCache<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, asked: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/** Keeps what was asked under `key` for whoever asks the same, and forgets it should it fail. Returns it. */
export function cachePromise<Key, Value>(
  kept: PromiseCache<Key, Value>,
  key: Key,
  asked: Promise<Value>,
): Promise<Value> {
  kept.set(key, asked);
  asked.catch(() => {
    // Another may have taken its place.
    if (kept.get(key) === asked) kept.delete(key);
  });
  return asked;
}
