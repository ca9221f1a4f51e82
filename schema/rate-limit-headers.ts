/** Telling REST's callers how much of a limit is left: the headers of the IETF draft "RateLimit header fields for HTTP". */
import { RateLimitedError } from "../src/platform/errors.ts";
import type { RateLimiter } from "../src/platform/rate-limit.ts";
import type { Context, SchemaDeps } from "./context.ts";

/** The use cases' parts, with a rate limiter that says in the answer's headers what it counted. */
export function announcingLimits({ deps, addHeader, isTrusted, counted }: Context): SchemaDeps {
  // A GraphQL operation may ask for several limited things: its answer has room for one.
  if (!addHeader || !isTrusted) return deps;
  const announce = (limit: number, remaining: number, resetMs: number) => {
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
        announce(rateLimit.limit, rateLimit.remaining, rateLimit.resetMs);
        return rateLimit;
      } catch (error) {
        if (error instanceof RateLimitedError) announce(limit, 0, error.retryAfterMs);
        throw error;
      }
    },
  };
  return { ...deps, rateLimiter };
}
