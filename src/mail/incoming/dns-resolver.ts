/** DNS resolver for sender authentication. Caches results for one minute because mail arrives in bursts. */
import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const CACHE_TTL_MS = 60_000;
const MAX_CACHE_ENTRIES = 5_000;
/** Failures expire sooner, so the server is queried again. */
const FAILURE_TTL_MS = 5_000;
const NO_SUCH_RECORD = new Set(["ENOTFOUND", "ENODATA"]);

export type ResolveDns = (domain: string, type: string) => Promise<string[] | string[][]>;

/**
 * Creates a caching resolver.
 * @param servers such as `127.0.0.1:53`; empty for the operating system's servers
 */
export function createDnsResolver(servers: readonly string[]): ResolveDns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  const cache = new LRUCache<string, Promise<string[] | string[][]>>({ max: MAX_CACHE_ENTRIES, ttl: CACHE_TTL_MS });
  return (domain, type) => {
    const key = `${type} ${domain.toLowerCase()}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const lookup = resolver.resolve(domain, type) as Promise<string[] | string[][]>;
    cache.set(key, lookup);
    lookup.catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_RECORD.has(error.code ?? "")) cache.set(key, lookup, { ttl: FAILURE_TTL_MS });
    });
    return lookup;
  };
}
