import type { RateLimiter } from "../rate-limit.ts";
import { networkOf, wideNetworkOf } from "./client-address.ts";

/** A customer may have every address of an IPv4 /24 or an IPv6 /48. Together they may do this many times as much as one address. */
const WIDE_NETWORK_FACTOR = 3;

/**
 * Counts one request of a client's network: an IPv4 address or an IPv6 /64, and the wide network around it.
 * @param bucket the limited operation
 * @param limit maximum number of requests of one network in the window
 * @throws {RateLimitedError} if one of the networks exceeds its limit
 */
export async function limitByNetwork(
  { rateLimiter }: { readonly rateLimiter: RateLimiter },
  bucket: string,
  ip: string | null,
  limit: number,
  windowSeconds?: number,
): Promise<void> {
  await rateLimiter.consume(bucket, networkOf(ip), limit, windowSeconds);
  await rateLimiter.consume(`${bucket}_wide`, wideNetworkOf(ip), limit * WIDE_NETWORK_FACTOR, windowSeconds);
}
