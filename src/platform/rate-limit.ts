/** Rate limits: requests per caller in a window of time. */
import { Redis } from "ioredis";
import pg from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { RateLimitedError } from "./errors.ts";
import type { Logger } from "./observability/logger.ts";

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const PREFIX = "satchel_rate";
/** A separate PostgreSQL schema, because its data may be lost. */
const SCHEMA = "rate_limits";
const TABLE = "windows";
const STORE_TIMEOUT_MS = 2_000;

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Time until the next window. */
  readonly resetMs: number;
}

export interface RateLimiter {
  /**
   * Counts one request. `bucket` and `key` are stored, so they must not be secrets.
   *
   * @param bucket the limited operation, such as `send`, from a small closed set
   * @param key the limited caller, such as an account id
   *
   * @param limit maximum number of requests in the window
   * @param windowSeconds length of the window; default one minute
   * @param count weight of this request
   *
   * @throws {RateLimitedError} the limit of the window is exceeded
   */
  consume(bucket: string, key: string, limit: number, windowSeconds?: number, count?: number): Promise<RateLimit>;
  close(): Promise<void>;
}

/**
 * Creates a rate limiter that counts in Redis if configured, else in PostgreSQL, for all nodes together. While Redis is
 * unavailable it counts in PostgreSQL. Without a store, each node counts separately: limits are looser, but requests succeed. A node caches an exhausted
 * window and does not query the store until the next.
 */
export function createRateLimiter(options: {
  redisUrl?: string | undefined;
  databaseUrl?: string | undefined;
  logger: Logger;
}): RateLimiter {
  const store = openStore(options);
  const limiters = new Map<string, RateLimiterAbstract>();

  const getLimiter = (bucket: string, limit: number, windowSeconds: number): RateLimiterAbstract => {
    const name = `${bucket}_${limit}_${windowSeconds}`;
    let limiter = limiters.get(name);
    if (!limiter) {
      limiter = store.limiter(`${PREFIX}_${bucket}`, limit, windowSeconds);
      limiters.set(name, limiter);
    }
    return limiter;
  };

  return {
    async consume(bucket, key, limit, windowSeconds = MINUTE_SECONDS, count = 1) {
      await store.ready;
      try {
        const result = await getLimiter(bucket, limit, windowSeconds).consume(key, count);
        return { limit, remaining: result.remainingPoints, resetMs: result.msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
        const text = `Rate limit exceeded: at most ${limit} ${formatWindow(windowSeconds)}. Nothing was done. Retry in ${seconds} s.`;
        throw new RateLimitedError(text, refusal.msBeforeNext);
      }
    },
    close: store.close,
  };
}

function formatWindow(windowSeconds: number): string {
  if (windowSeconds === MINUTE_SECONDS) return "a minute";
  return windowSeconds === DAY_SECONDS ? "a day" : `in ${Math.round(windowSeconds / MINUTE_SECONDS)} minutes`;
}

interface Store {
  /** Resolves when the store can be used. Never rejects. */
  readonly ready: Promise<unknown>;
  limiter(keyPrefix: string, points: number, duration: number): RateLimiterAbstract;
  close(): Promise<void>;
}

function openStore(options: {
  redisUrl?: string | undefined;
  databaseUrl?: string | undefined;
  logger: Logger;
}): Store {
  const memory = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterMemory({ keyPrefix, points, duration });
  const warn = (error: unknown) =>
    options.logger.warn({ err: error }, "Rate limit store failed; counting on this node");

  if (options.redisUrl) {
    // Counts while Redis is unavailable: otherwise each node would allow the whole limit.
    const fallback = openStore({ ...options, redisUrl: undefined });
    const redis = new Redis(options.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: STORE_TIMEOUT_MS,
    });
    redis.on("error", warn);
    return {
      ready: Promise.all([waitForFirstConnection(redis), fallback.ready]),
      limiter: (keyPrefix, points, duration) =>
        new RateLimiterRedis({
          storeClient: redis,
          keyPrefix,
          points,
          inMemoryBlockOnConsumed: points,
          duration,
          insuranceLimiter: fallback.limiter(keyPrefix, points, duration),
        }),
      async close() {
        redis.disconnect();
        await fallback.close();
      },
    };
  }
  if (options.databaseUrl) {
    const pool = new pg.Pool({
      connectionString: options.databaseUrl,
      max: 2,
      connectionTimeoutMillis: STORE_TIMEOUT_MS,
      query_timeout: STORE_TIMEOUT_MS,
    });
    pool.on("error", warn);
    return {
      ready: createTable(pool).catch(warn),
      limiter: (keyPrefix, points, duration) =>
        new RateLimiterPostgres({
          storeClient: pool,
          storeType: "pool",
          schemaName: SCHEMA,
          tableName: TABLE,
          tableCreated: true,
          clearExpiredByTimeout: true,
          keyPrefix,
          points,
          inMemoryBlockOnConsumed: points,
          duration,
          insuranceLimiter: memory(keyPrefix, points, duration),
        }),
      close: () => pool.end(),
    };
  }
  return { ready: Promise.resolve(), limiter: memory, close: async () => {} };
}

/** Resolves after the first connection or the first failure. Later requests handle failures themselves. */
function waitForFirstConnection(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    redis.once("ready", resolve);
    redis.once("error", () => resolve());
  });
}

/** UNLOGGED: faster, and empty after a crash of the server, which a limiter tolerates. */
async function createTable(pool: pg.Pool): Promise<void> {
  const create = `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
    CREATE UNLOGGED TABLE IF NOT EXISTS ${SCHEMA}.${TABLE} (key text PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;
  // If two nodes start concurrently, one may fail; its retry then finds the table.
  await pool.query(create).catch(() => pool.query(create));
}
