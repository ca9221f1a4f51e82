import { LRUCache } from "lru-cache";
import { cachePromise } from "../platform/concurrency/memoize.ts";

const CACHED_OWNERS = 20_000;
const TTL_MS = 1_500;

interface BalanceCache {
  /** Returns the balance of `owner` in `asset`, at most 1.5 seconds old. Concurrent callers share one read. */
  get(owner: string, asset: string): Promise<bigint>;
  /** Discards the balances of `owner`, including pending reads: they may predate a movement of money. */
  invalidate(owner: string): void;
}

/** Creates a cache of the results of `read`. A failed read is not cached. */
export function createBalanceCache(read: (owner: string, asset: string) => Promise<bigint>): BalanceCache {
  const owners = new LRUCache<string, Map<string, Promise<bigint>>>({ max: CACHED_OWNERS, ttl: TTL_MS });
  return {
    get(owner, asset) {
      let balances = owners.get(owner);
      if (!balances) {
        balances = new Map();
        owners.set(owner, balances);
      }
      return balances.get(asset) ?? cachePromise(balances, asset, read(owner, asset));
    },
    invalidate(owner) {
      owners.delete(owner);
    },
  };
}
