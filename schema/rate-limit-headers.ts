/** Rate limit headers of REST responses, as in the IETF draft "RateLimit header fields for HTTP". */
import { RateLimitedError } from "../src/platform/errors.ts";
import type { RateLimiter } from "../src/platform/rate-limit.ts";
import type { Context, SchemaDeps } from "./context.ts";

/** Returns the dependencies with a rate limiter that adds the limit, its remainder and its reset to the response headers. */
export function withRateLimitHeaders({ deps, addHeader, isTrusted, counted }: Context): SchemaDeps {
  // A GraphQL operation may consume several limits, but the response headers can describe only one.
  if (!addHeader || !isTrusted) return deps;
  const addRateLimitHeaders = (limit: number, remaining: number, resetMs: number) => {
    addHeader("ratelimit-limit", String(limit));
    addHeader("ratelimit-remaining", String(remaining));
    addHeader("ratelimit-reset", String(Math.ceil(resetMs / 1_000)));
  };
  const rateLimiter: RateLimiter = {
    ...deps.rateLimiter,
    async consume(bucket, key, limit, windowSeconds) {
      if (counted?.bucket === bucket) return counted.rateLimit;
      try {
        const rateLimit = await deps.rateLimiter.consume(bucket, key, limit, windowSeconds);
        addRateLimitHeaders(rateLimit.limit, rateLimit.remaining, rateLimit.resetMs);
        return rateLimit;
      } catch (error) {
        if (error instanceof RateLimitedError) addRateLimitHeaders(limit, 0, error.retryAfterMs);
        throw error;
      }
    },
  };
  return { ...deps, rateLimiter };
}
