import { LRUCache } from "lru-cache";
import { buildConnector, type Dispatcher, Pool } from "undici";
import { createGuardedLookup, type ResolveAll } from "./guarded-lookup.ts";

export interface PoolOptions {
  readonly allowLoopback: boolean;
  readonly resolveAll?: ResolveAll;
  readonly connectTimeoutMs: number;
  readonly bodyIdleTimeoutMs: number;
  /** Origins that keep connections; the one unused for longest makes room. */
  readonly maxOrigins: number;
  readonly maxConnectionsPerOrigin: number;
  /** How long an unused connection stays open. */
  readonly keepAliveMs: number;
  /** PEM of certificate authorities trusted instead of the system's. */
  readonly trustedCa?: string;
}

export interface Pools {
  /** The keep-alive pool of an origin; made on first use. */
  forOrigin(origin: string): Dispatcher;
  close(): Promise<void>;
}

/** RFC 9110 sets no limit; 32 KiB holds every payment header seen and bounds what a target can make us keep. */
const MAX_RESPONSE_HEADER_BYTES = 32 * 1024;

/** Keep-alive connections by origin, bounded in number, all of them made through the guarded lookup. */
export function createPools(options: PoolOptions): Pools {
  const connect = buildConnector({
    lookup: createGuardedLookup(options.allowLoopback, options.resolveAll),
    timeout: options.connectTimeoutMs,
    allowH2: false,
    ...(options.trustedCa === undefined ? {} : { ca: options.trustedCa }),
  });
  const poolOptions: Pool.Options = {
    connect,
    allowH2: false,
    connections: options.maxConnectionsPerOrigin,
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    // The exchange has its own deadline, which starts before the connection does.
    headersTimeout: 0,
    bodyTimeout: options.bodyIdleTimeoutMs,
  };
  const pools = new LRUCache<string, Pool>({
    max: options.maxOrigins,
    // Requests under way are finished before the pool's connections close.
    dispose: (pool) => void (pool.destroyed || pool.close()),
  });
  return {
    forOrigin(origin) {
      const known = pools.get(origin);
      if (known) return known;
      const pool = new Pool(origin, poolOptions);
      pools.set(origin, pool);
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
