/** Limits that count requests, well-formed or not (spec section 8): a request is counted before it is read. */
import { SENDS_PER_MINUTE } from "../src/payments/sends-per-minute.ts";
import { QUOTES_PER_MINUTE } from "../src/trade/quote-trade.ts";
import { requireTrader } from "../src/trade/swap-request.ts";
import type { Context } from "./context.ts";
import { announcingLimits } from "./rate-limit-headers.ts";

/** Whoever may not do it at all uses up nothing: others of the account send within the same limit. */
const LIMITS = {
  send: { perMinute: SENDS_PER_MINUTE, admit: requireTrader },
  "trade-quote": { perMinute: QUOTES_PER_MINUTE, admit: () => {} },
};

/**
 * Counts a request of the context's account, and has its operation not count it again.
 * @throws {ForbiddenError | RateLimitedError} when the credential may not ask it, and when the minute's requests are used up
 */
export async function countRequest(context: Context, bucket: keyof typeof LIMITS): Promise<void> {
  const { viewer } = context;
  if (viewer?.kind !== "account") return;
  const { perMinute, admit } = LIMITS[bucket];
  admit(viewer);
  const { rateLimiter } = announcingLimits(context);
  const rateLimit = await rateLimiter.consume(bucket, viewer.accountId, perMinute);
  context.counted = { bucket, rateLimit };
}
