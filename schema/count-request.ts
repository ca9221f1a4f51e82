/** Limits that count requests, well-formed or not (spec section 8): a request is counted before it is read. */
import { SENDS_PER_MINUTE } from "../src/payments/sends-per-minute.ts";
import { QUOTES_PER_MINUTE } from "../src/trade/quote-trade.ts";
import type { Context } from "./context.ts";
import { announcingLimits } from "./rate-limit-headers.ts";

const PER_MINUTE = { send: SENDS_PER_MINUTE, "trade-quote": QUOTES_PER_MINUTE };

/**
 * Counts a request of the context's account, and has its operation not count it again.
 * @throws {RateLimitedError} when the minute's requests are used up
 */
export async function countRequest(context: Context, bucket: keyof typeof PER_MINUTE): Promise<void> {
  const { viewer } = context;
  if (viewer?.kind !== "account") return;
  const { rateLimiter } = announcingLimits(context);
  const rateLimit = await rateLimiter.consume(bucket, viewer.accountId, PER_MINUTE[bucket]);
  context.counted = { bucket, rateLimit };
}
