/** Who may ask the exchange, and how often (spec section 8). A request counts before it is read, so that a malformed one counts too. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { SENDS_PER_MINUTE } from "../payments/send-tokens.ts";
import type { RateLimit, RateLimiter } from "../platform/rate-limit.ts";
import { requireTrader } from "./swap-request.ts";

const QUOTES_PER_MINUTE = 1_000;

/**
 * Counts a trade. Whoever may not trade at all uses up nothing: others of the account send within the same limit.
 * @throws {ForbiddenError | RateLimitedError}
 */
export async function admitTrade(rateLimiter: RateLimiter, account: AccountViewer): Promise<RateLimit> {
  requireTrader(account);
  return await rateLimiter.consume("send", account.accountId, SENDS_PER_MINUTE);
}

/** Counts a preview. @throws {RateLimitedError} */
export async function admitQuote(rateLimiter: RateLimiter, { accountId }: AccountViewer): Promise<RateLimit> {
  return await rateLimiter.consume("trade-quote", accountId, QUOTES_PER_MINUTE);
}
