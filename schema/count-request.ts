import { admitQuote, admitTrade } from "../src/trade/trade-rate-limits.ts";
import type { Context } from "./context.ts";
import { withRateLimitHeaders } from "./rate-limit-headers.ts";

const ADMISSIONS = { send: admitTrade, "trade-quote": admitQuote };

/**
 * Counts a request of the account before its body is read. The operation does not count it again.
 * @throws {ForbiddenError} if the credential may not make the request
 * @throws {RateLimitedError} if the account has no requests left in this minute
 */
export async function countRequest(context: Context, bucket: keyof typeof ADMISSIONS): Promise<void> {
  const { viewer } = context;
  if (viewer?.kind !== "account") return;
  const { rateLimiter } = withRateLimitHeaders(context);
  context.counted = { bucket, rateLimit: await ADMISSIONS[bucket](rateLimiter, viewer) };
}
