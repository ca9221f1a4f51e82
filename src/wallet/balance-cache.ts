import { LRUCache } from "lru-cache";
import { cachePromise } from "../platform/concurrency/memoize.ts";

const CACHED_OWNERS = 20_000;
const TTL_MS = 1_500;

interface BalanceCache {
  /** The balance of `owner` in `asset`, at most a second and a half old; concurrent callers share one reading. */
  get(owner: string, asset: string): Promise<bigint>;
  /** Forgets what was read, also what is still being read: it may be from before the money moved. */
  forget(owner: string): void;
}

/** Keeps what `read` answers for a moment. Failures are not kept. */
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
    forget(owner) {
      owners.delete(owner);
    },
  };
}
