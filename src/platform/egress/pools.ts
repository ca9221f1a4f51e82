import { LRUCache } from "lru-cache";
import { buildConnector, type Dispatcher, Pool } from "undici";
import { createGuardedLookup, type ResolveAll } from "./guarded-lookup.ts";

export interface PoolOptions {
  readonly allowLoopback: boolean;
  readonly resolveAll?: ResolveAll;
  readonly connectTimeoutMs: number;
  readonly bodyIdleTimeoutMs: number;
  /** Maximum number of origins with open connections; the least recently used is evicted. */
  readonly maxOrigins: number;
  readonly maxConnectionsPerOrigin: number;
  /** How long an idle connection remains open. */
  readonly keepAliveMs: number;
  /** Certificate authorities in PEM, trusted instead of the system's. */
  readonly trustedCa?: string;
}

export interface Pools {
  /** Returns the keep-alive pool of an origin, created on first use. */
  forOrigin(origin: string): Dispatcher;
  close(): Promise<void>;
}

/** RFC 9110 sets no limit. 32 KiB is enough for payment headers and bounds the memory that a target can use. */
const MAX_RESPONSE_HEADER_BYTES = 32 * 1024;

/** Creates a bounded cache of keep-alive pools by origin. All connections use the guarded lookup. */
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
    // `exchange` has its own timeout, which also covers connecting.
    headersTimeout: 0,
    bodyTimeout: options.bodyIdleTimeoutMs,
  };
  const pools = new LRUCache<string, Pool>({
    max: options.maxOrigins,
    // `close` waits for in-flight requests.
    dispose: (pool) => void (pool.destroyed || pool.close()),
  });
  return {
    forOrigin(origin) {
      const cached = pools.get(origin);
      if (cached) return cached;
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
