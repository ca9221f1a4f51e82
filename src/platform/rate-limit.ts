/** How often a caller may do a thing in a minute, or in another window of time. */
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
/** A PostgreSQL schema apart from the service's own: what is in it may be lost. */
const SCHEMA = "rate_limits";
const TABLE = "windows";
const STORE_TIMEOUT_MS = 2_000;

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Until the window starts anew. */
  readonly resetMs: number;
}

export interface RateLimiter {
  /**
   * Counts one request.
   *
   * @param bucket what is limited, such as `send`: from a small closed set
   * @param key who is limited, such as an account id; never a secret
   * @param limit how many in the window
   * @param windowSeconds how long the window is; a minute unless given
   * @param count how many this request counts for
   * @throws {RateLimitedError} when the window's requests are used up
   */
  consume(bucket: string, key: string, limit: number, windowSeconds?: number, count?: number): Promise<RateLimit>;
  close(): Promise<void>;
}

/**
 * Counts in Redis when it is configured, else in PostgreSQL, so that all nodes count together. With neither, and while
 * the store is away, each node counts for itself: a limit slackens, and nothing stops. A node that has seen a window used up asks
 * the store no more until the next.
 */
export function createRateLimiter(options: {
  redisUrl?: string | undefined;
  databaseUrl?: string | undefined;
  logger: Logger;
}): RateLimiter {
  const store = openStore(options);
  const limiters = new Map<string, RateLimiterAbstract>();

  const limiterOf = (bucket: string, limit: number, windowSeconds: number): RateLimiterAbstract => {
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
        const result = await limiterOf(bucket, limit, windowSeconds).consume(key, count);
        return { limit, remaining: result.remainingPoints, resetMs: result.msBeforeNext };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
        const text = `At most ${limit} ${inWords(windowSeconds)}; try again in ${seconds} s.`;
        throw new RateLimitedError(text, refusal.msBeforeNext);
      }
    },
    close: store.close,
  };
}

function inWords(windowSeconds: number): string {
  if (windowSeconds === MINUTE_SECONDS) return "a minute";
  return windowSeconds === DAY_SECONDS ? "a day" : `in ${Math.round(windowSeconds / MINUTE_SECONDS)} minutes`;
}

interface Store {
  /** The first requests wait for this; it never rejects. */
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
    options.logger.warn({ err: error }, "rate limit store failed; counting on this node");

  if (options.redisUrl) {
    const redis = new Redis(options.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: STORE_TIMEOUT_MS,
    });
    redis.on("error", warn);
    return {
      ready: firstConnection(redis),
      limiter: (keyPrefix, points, duration) =>
        new RateLimiterRedis({
          storeClient: redis,
          keyPrefix,
          points,
          inMemoryBlockOnConsumed: points,
          duration,
          insuranceLimiter: memory(keyPrefix, points, duration),
        }),
      close: async () => redis.disconnect(),
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

/** Connected, or failed to once: from then on every request finds out for itself. */
function firstConnection(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    redis.once("ready", resolve);
    redis.once("error", () => resolve());
  });
}

/** Not logged ahead: faster, and empty after a crash of the server, which lasts a minute. */
async function createTable(pool: pg.Pool): Promise<void> {
  const create = `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
    CREATE UNLOGGED TABLE IF NOT EXISTS ${SCHEMA}.${TABLE} (key text PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;
  // Of two nodes that start together one may fail, and finds everything there when it looks again.
  await pool.query(create).catch(() => pool.query(create));
}
