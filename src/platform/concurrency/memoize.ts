/** Returns a function that calls `make` once and caches the result, even a rejected promise. */
export function lazy<Made extends object | string>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The methods that a Map and an LRU cache share. */
interface PromiseCache<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, promise: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/** Caches the promise under `key` and removes it if it rejects. Returns the promise. */
export function cachePromise<Key, Value>(
  cache: PromiseCache<Key, Value>,
  key: Key,
  promise: Promise<Value>,
): Promise<Value> {
  cache.set(key, promise);
  promise.catch(() => {
    // Another promise may be cached under the key by now.
    if (cache.get(key) === promise) cache.delete(key);
  });
  return promise;
}
