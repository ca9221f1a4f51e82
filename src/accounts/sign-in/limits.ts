/** Rate limits for sign-in. */
import { createHash } from "node:crypto";
import { networkOf } from "../../platform/http/client-address.ts";
import { limitByNetwork } from "../../platform/http/limit-by-network.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";

const TEN_MINUTES = 600;
const HOUR = 3_600;
const DAY = 86_400;

/** Many users share an IP address behind NAT, so these limits are high enough for an office but stop programs. */
const PER_NETWORK = {
  email_code: { limit: 60, seconds: TEN_MINUTES },
  email_guess: { limit: 300, seconds: TEN_MINUTES },
  passkey: { limit: 300, seconds: TEN_MINUTES },
  upstream: { limit: 120, seconds: TEN_MINUTES },
  new_account: { limit: 100, seconds: HOUR },
} as const;

/**
 * One network can use only part of an address's codes, so a single attacker cannot lock the owner out. With five
 * guesses a code, attackers who request the maximum guess right once in 2,000 days.
 */
const CODES_PER_ADDRESS = [
  { limit: 20, perNetwork: 10, seconds: TEN_MINUTES },
  { limit: 100, perNetwork: 25, seconds: DAY },
] as const;

/** A browser that signed in to the account before has its own limits, which requests from others cannot exhaust. */
const PER_KNOWN_BROWSER = {
  codes: [
    { limit: 10, seconds: TEN_MINUTES },
    { limit: 25, seconds: DAY },
  ],
  guesses: [{ limit: 50, seconds: TEN_MINUTES }],
} as const;

interface LimitDeps {
  readonly rateLimiter: RateLimiter;
}

/** @throws {RateLimitedError} if the caller's network exceeds the limit of this operation */
export async function limitSignIn(
  deps: LimitDeps,
  operation: keyof typeof PER_NETWORK,
  ip: string | null,
): Promise<void> {
  const { limit, seconds } = PER_NETWORK[operation];
  await limitByNetwork(deps, `sign_in_${operation}`, ip, limit, seconds);
}

/**
 * Limits the codes sent to an address, regardless of whether an account has it.
 * @throws {RateLimitedError}
 */
export async function limitCodes({ rateLimiter }: LimitDeps, email: string, ip: string | null): Promise<void> {
  const key = createHash("sha256").update(email).digest("hex");
  for (const { limit, perNetwork, seconds } of CODES_PER_ADDRESS) {
    await rateLimiter.consume(`sign_in_codes_${seconds}_network`, `${key} ${networkOf(ip)}`, perNetwork, seconds);
    await rateLimiter.consume(`sign_in_codes_${seconds}`, key, limit, seconds);
  }
}

/**
 * Limits what a known browser does beyond the limits of its network and of its address.
 * @param browserId result of `findKnownBrowser`
 * @throws {RateLimitedError}
 */
export async function limitKnownBrowser(
  { rateLimiter }: LimitDeps,
  operation: keyof typeof PER_KNOWN_BROWSER,
  browserId: string,
): Promise<void> {
  for (const { limit, seconds } of PER_KNOWN_BROWSER[operation]) {
    await rateLimiter.consume(`sign_in_known_${operation}_${seconds}`, browserId, limit, seconds);
  }
}
