/** How often somebody may try to sign in. */
import { createHash } from "node:crypto";
import { networkOf } from "../../platform/http/client-address.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";

const TEN_MINUTES = 600;
const HOUR = 3_600;
const DAY = 86_400;

/** Many people share an address behind one office's or carrier's router: these stop programs, not offices. */
const PER_NETWORK = {
  email_code: { limit: 60, seconds: TEN_MINUTES },
  email_guess: { limit: 300, seconds: TEN_MINUTES },
  passkey: { limit: 300, seconds: TEN_MINUTES },
  upstream: { limit: 120, seconds: TEN_MINUTES },
  new_account: { limit: 100, seconds: HOUR },
} as const;

/**
 * Most of an address's codes are out of one network's reach, so that no stranger alone keeps a person from theirs. With five
 * guesses a code, strangers who ask for as many as they may guess right once in 2,000 days.
 */
const CODES_PER_ADDRESS = [
  { limit: 20, perNetwork: 10, seconds: TEN_MINUTES },
  { limit: 100, perNetwork: 25, seconds: DAY },
] as const;

interface LimitDeps {
  readonly rateLimiter: RateLimiter;
}

/** @throws {RateLimitedError} when too much came from the caller's network */
export async function limitByNetwork(
  { rateLimiter }: LimitDeps,
  what: keyof typeof PER_NETWORK,
  ip: string | null,
): Promise<void> {
  const { limit, seconds } = PER_NETWORK[what];
  await rateLimiter.consume(`sign_in_${what}`, networkOf(ip), limit, seconds);
}

/** @throws {RateLimitedError} when too many codes were sent to the address. The same for addresses nobody here has. */
export async function limitCodes({ rateLimiter }: LimitDeps, email: string, ip: string | null): Promise<void> {
  const key = createHash("sha256").update(email).digest("hex");
  for (const { limit, perNetwork, seconds } of CODES_PER_ADDRESS) {
    await rateLimiter.consume(`sign_in_codes_${seconds}_network`, `${key} ${networkOf(ip)}`, perNetwork, seconds);
    await rateLimiter.consume(`sign_in_codes_${seconds}`, key, limit, seconds);
  }
}
