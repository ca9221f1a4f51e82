import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { cachePromise } from "../../concurrency/memoize.ts";
import { type KeyEncryptionKeys, openDataKey, type WrappedKey } from "./wrapped-key.ts";

const CACHED_DATA_KEYS = 10_000;
const CACHE_TTL_MS = 5 * 60_000;

/**
 * Creates a function that unwraps data keys and caches them for a few minutes, which saves calls to a remote key-encryption key.
 * The cached KeyObjects are outside the JavaScript heap, and OpenSSL erases them when they are freed.
 */
export function createDataKeyCache(keks: KeyEncryptionKeys): (row: WrappedKey, context: string) => Promise<KeyObject> {
  const dataKeys = new LRUCache<string, Promise<KeyObject>>({ max: CACHED_DATA_KEYS, ttl: CACHE_TTL_MS });
  return (row, context) => {
    // The cache key includes the context and the wrapped bytes: a tampered row misses the cache and fails to unwrap.
    const cacheKey = `${row.kekId}\0${context}\0${Buffer.from(row.wrappedDataKey).toString("base64")}`;
    const cached = dataKeys.get(cacheKey);
    if (cached) return cached;
    return cachePromise(dataKeys, cacheKey, openDataKey(keks, row, context));
  };
}
