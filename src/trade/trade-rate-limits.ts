/** Permission and rate limits of quotes and trades (spec section 8). Requests count before validation, so malformed ones count too. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { SENDS_PER_MINUTE } from "../payments/send-tokens.ts";
import type { RateLimit, RateLimiter } from "../platform/rate-limit.ts";
import { requireTrader } from "./swap-request.ts";

const QUOTES_PER_MINUTE = 1_000;

/**
 * Counts a trade. A credential that may not trade consumes nothing, because transfers of the account share the limit.
 *
 * @throws {ForbiddenError | RateLimitedError}
 */
export async function admitTrade(rateLimiter: RateLimiter, account: AccountViewer): Promise<RateLimit> {
  requireTrader(account);
  return await rateLimiter.consume("send", account.accountId, SENDS_PER_MINUTE);
}

/** Counts a quote. @throws {RateLimitedError} */
export async function admitQuote(rateLimiter: RateLimiter, { accountId }: AccountViewer): Promise<RateLimit> {
  return await rateLimiter.consume("trade-quote", accountId, QUOTES_PER_MINUTE);
}
