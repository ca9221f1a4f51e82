// @module-tag postgresql
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createRateLimiter, type RateLimiter } from "../../src/platform/rate-limit.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { postgresqlUrl, redisUrl } from "../support/servers.ts";

const logger = createLogger("silent");
const opened: RateLimiter[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
});

function createLimiter(store: { redisUrl?: string | null; databaseUrl?: string | null } = {}): RateLimiter {
  const { redisUrl, databaseUrl } = store;
  const limiter = createRateLimiter({ redisUrl: redisUrl ?? undefined, databaseUrl: databaseUrl ?? undefined, logger });
  opened.push(limiter);
  return limiter;
}

async function deleteInRedis(key: string): Promise<void> {
  const redis = new Redis(redisUrl ?? "");
  await redis.del(key);
  await redis.quit();
}

async function deleteInPostgresql(key: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresqlUrl ?? "" });
  await client.connect();
  await client.query("DELETE FROM rate_limits.windows WHERE key = $1", [key]);
  await client.end();
}

async function countAllowed(attempts: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(attempts);
  return results.filter(({ status }) => status === "fulfilled").length;
}

test("counts by bucket and key, and returns the remaining requests and the time to wait", async () => {
  const limiter = createLimiter();
  expect(await limiter.consume("send", "ada", 2)).toMatchObject({ limit: 2, remaining: 1 });
  const { remaining, resetMs } = await limiter.consume("send", "ada", 2);
  expect(remaining).toBe(0);
  expect(resetMs).toBeGreaterThan(0);
  expect(resetMs).toBeLessThanOrEqual(60_000);
  const refusal = await limiter.consume("send", "ada", 2).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RateLimitedError);
  expect((refusal as RateLimitedError).retryAfterMs).toBeGreaterThan(0);
  expect((refusal as RateLimitedError).retryAfterMs).toBeLessThanOrEqual(60_000);
  await limiter.consume("send", "bob", 2);
  await limiter.consume("trade", "ada", 2);
});

describe.each([
  { name: "PostgreSQL", store: { databaseUrl: postgresqlUrl }, deleteWindow: deleteInPostgresql },
  { name: "Redis", store: { redisUrl }, deleteWindow: deleteInRedis },
])("two nodes on $name", ({ store, deleteWindow }) => {
  test.skipIf(Object.values(store).includes(null))("together allow exactly the limit", async () => {
    const [one, two] = [createLimiter(store), createLimiter(store)];
    const key = randomUUID();
    const attempts = Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).consume("send", key, 15));
    expect(await countAllowed(attempts)).toBe(15);
  });

  test.skipIf(Object.values(store).includes(null))("do not query the store again in an exhausted window", async () => {
    const [one, two] = [createLimiter(store), createLimiter(store)];
    const key = randomUUID();
    await one.consume("send", key, 2);
    await one.consume("send", key, 2);
    await deleteWindow(`satchel_rate_send:${key}`);
    await expect(one.consume("send", key, 2)).rejects.toThrow(RateLimitedError);
    await two.consume("send", key, 2);
  });
});

test("a request may have a weight greater than one", async () => {
  const limiter = createLimiter();
  expect(await limiter.consume("bytes", "ada", 10, 60, 7)).toMatchObject({ remaining: 3 });
  await expect(limiter.consume("bytes", "ada", 10, 60, 4)).rejects.toThrow(RateLimitedError);
  expect(await limiter.consume("bytes", "bob", 10, 60, 10)).toMatchObject({ remaining: 0 });
});

test.each(["redis", "postgresql"])("a node counts alone while its %s store is unavailable", async (kind) => {
  const address = `${kind}://127.0.0.1:${await findFreePort()}`;
  const limiter = createLimiter(kind === "redis" ? { redisUrl: address } : { databaseUrl: address });
  const attempts = Array.from({ length: 10 }, () => limiter.consume("send", "ada", 4));
  expect(await countAllowed(attempts)).toBe(4);
});
