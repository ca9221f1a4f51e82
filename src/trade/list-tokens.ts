import type { TradeDeps } from "./deps.ts";
import { KNOWN_TOKENS, type Token } from "./tokens.ts";

/** Spec section 8. */
const LISTS_PER_MINUTE = 1_000;

/**
 * The tokens that are known by symbol; any other is traded by its contract's address. Anybody may ask.
 * @param caller the account, or the network a request without a credential came from
 * @throws {RateLimitedError}
 */
export async function listTokens(deps: Pick<TradeDeps, "rateLimiter">, caller: string): Promise<readonly Token[]> {
  await deps.rateLimiter.consume("trade-tokens", caller, LISTS_PER_MINUTE);
  return KNOWN_TOKENS;
}
