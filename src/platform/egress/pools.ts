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

/**
 * RFC 9110 sets no limit; this one bounds the memory that a target can use. Sellers of X402 version 2 describe their resource in
 * `PAYMENT-REQUIRED`, often in more than 30 KiB.
 */
export const MAX_RESPONSE_HEADER_BYTES = 128 * 1024;

/** OpenSSL's code for the TLS alert `no_application_protocol`. */
const NO_APPLICATION_PROTOCOL = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";

/** Creates a bounded cache of keep-alive pools by origin. All connections use the guarded lookup. */
export function createPools(options: PoolOptions): Pools {
  const connectorOptions = {
    lookup: createGuardedLookup(options.allowLoopback, options.resolveAll),
    timeout: options.connectTimeoutMs,
    ...(options.trustedCa === undefined ? {} : { ca: options.trustedCa }),
  };
  const connectors = [
    buildConnector({ ...connectorOptions, allowH2: false }),
    buildConnector({ ...connectorOptions, allowH2: true }),
  ] as const;
  const poolOptions: Pool.Options = {
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
      const pool = new Pool(origin, { ...poolOptions, connect: preferHttp1(...connectors) });
      pools.set(origin, pool);
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/**
 * Returns a connector for one origin that offers HTTP/1.1, and HTTP/2 as well after the server has refused HTTP/1.1 alone (RFC 7301
 * section 3.2). HTTP/1.1 first, because one connection for each request isolates requests of different accounts.
 */
function preferHttp1(http1: buildConnector.connector, http1And2: buildConnector.connector): buildConnector.connector {
  let refusesHttp1 = false;
  return (target, callback) => {
    if (refusesHttp1) return http1And2(target, callback);
    http1(target, (...result) => {
      refusesHttp1 = (result[0] as NodeJS.ErrnoException | null)?.code === NO_APPLICATION_PROTOCOL;
      if (refusesHttp1) http1And2(target, callback);
      else callback(...result);
    });
  };
}
