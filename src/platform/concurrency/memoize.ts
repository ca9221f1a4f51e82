/** Makes a thing when it is first asked for, and answers the same from then on: a promise too, whatever becomes of it. */
export function lazy<Made extends object | string>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

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
