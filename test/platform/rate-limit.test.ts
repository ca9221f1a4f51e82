import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createRateLimiter, type RateLimiter } from "../../src/platform/rate-limit.ts";
import { freePort } from "../support/free-port.ts";
import { postgresqlUrl, redisUrl } from "../support/servers.ts";

const logger = createLogger("silent");
const opened: RateLimiter[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
});

function open(store: { redisUrl?: string | null; databaseUrl?: string | null } = {}): RateLimiter {
  const { redisUrl, databaseUrl } = store;
  const limiter = createRateLimiter({ redisUrl: redisUrl ?? undefined, databaseUrl: databaseUrl ?? undefined, logger });
  opened.push(limiter);
  return limiter;
}

async function countAllowed(attempts: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(attempts);
  return results.filter(({ status }) => status === "fulfilled").length;
}

test("it counts by bucket and key, and says what is left and how long to wait", async () => {
  const limiter = open();
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
  { name: "PostgreSQL", store: { databaseUrl: postgresqlUrl } },
  { name: "Redis", store: { redisUrl } },
])("two nodes on $name", ({ store }) => {
  test.skipIf(Object.values(store).includes(null))("allow together exactly the limit", async () => {
    const [one, two] = [open(store), open(store)];
    const key = randomUUID();
    const attempts = Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).consume("send", key, 15));
    expect(await countAllowed(attempts)).toBe(15);
  });
});

test.each(["redis", "postgresql"])("without its %s, a node counts for itself", async (kind) => {
  const address = `${kind}://127.0.0.1:${await freePort()}`;
  const limiter = open(kind === "redis" ? { redisUrl: address } : { databaseUrl: address });
  const attempts = Array.from({ length: 10 }, () => limiter.consume("send", "ada", 4));
  expect(await countAllowed(attempts)).toBe(4);
});
