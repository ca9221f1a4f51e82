import { LRUCache } from "lru-cache";
import { cachePromise } from "../../platform/concurrency/memoize.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";

/** How long a revoked application's pages may go on reading answers. */
const TTL_MS = 2_000;
const MAX_REMEMBERED = 1_000;
const MAX_ORIGIN_LENGTH = 2_000;

const FIND: Statement = {
  name: "find-approved-origin",
  text: "SELECT 1 AS found FROM oauth_clients WHERE javascript_origins @> ARRAY[$1]::text[] AND status = 'approved' LIMIT 1",
};

/**
 * Whether an approved application registered this origin (spec section 2.2), byte for byte. Remembered for two seconds
 * on each node, so that the requests of one page ask once.
 */
export function createOriginCheck(db: Database): (origin: string) => Promise<boolean> {
  const remembered = new LRUCache<string, Promise<boolean>>({ max: MAX_REMEMBERED, ttl: TTL_MS });
  return async (origin) => {
    if (origin.length > MAX_ORIGIN_LENGTH) return false;
    const known = remembered.get(origin);
    if (known) return await known;
    const isApproved = async () => (await db.query(FIND, [origin])).length > 0;
    return await cachePromise(remembered, origin, isApproved());
  };
}
