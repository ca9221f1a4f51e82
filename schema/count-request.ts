import { admitQuote, admitTrade } from "../src/trade/admit.ts";
import type { Context } from "./context.ts";
import { announcingLimits } from "./rate-limit-headers.ts";

const ADMISSIONS = { send: admitTrade, "trade-quote": admitQuote };

/**
 * Counts a request of the context's account before it is read, and has its operation not count it again.
 * @throws {ForbiddenError | RateLimitedError} when the credential may not ask it, and when the minute's requests are used up
 */
export async function countRequest(context: Context, bucket: keyof typeof ADMISSIONS): Promise<void> {
  const { viewer } = context;
  if (viewer?.kind !== "account") return;
  const { rateLimiter } = announcingLimits(context);
  context.counted = { bucket, rateLimit: await ADMISSIONS[bucket](rateLimiter, viewer) };
}
