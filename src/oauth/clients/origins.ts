import { LRUCache } from "lru-cache";
import { cachePromise } from "../../platform/concurrency/memoize.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";

/** After a revocation, the application's pages can read responses for at most this time. */
const TTL_MS = 2_000;
const MAX_CACHED_ORIGINS = 1_000;
const MAX_ORIGIN_LENGTH = 2_000;

const FIND: Statement = {
  name: "find-approved-origin",
  text: "SELECT 1 AS found FROM oauth_clients WHERE javascript_origins @> ARRAY[$1]::text[] AND status = 'approved' LIMIT 1",
};

/**
 * Returns a function that reports whether an approved application registered an origin (spec section 2.2), compared
 * byte for byte. Each node caches the result for two seconds, so the requests of one page share a query.
 */
export function createOriginCheck(db: Database): (origin: string) => Promise<boolean> {
  const cache = new LRUCache<string, Promise<boolean>>({ max: MAX_CACHED_ORIGINS, ttl: TTL_MS });
  return async (origin) => {
    if (origin.length > MAX_ORIGIN_LENGTH) return false;
    const cached = cache.get(origin);
    if (cached) return await cached;
    const isApproved = async () => (await db.query(FIND, [origin])).length > 0;
    return await cachePromise(cache, origin, isApproved());
  };
}
