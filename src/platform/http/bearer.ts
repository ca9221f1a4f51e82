import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns true if the request has the bearer token, or one of several (RFC 6750, section 2.1). Compares with all of them in
 * constant time, regardless of lengths.
 */
export function isBearer(
  { headers }: { readonly headers: IncomingHttpHeaders },
  valid: string | readonly string[],
): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const digest = (value: string) => createHash("sha256").update(value).digest();
  const givenDigest = digest(given);
  return [valid]
    .flat()
    .map((token) => timingSafeEqual(givenDigest, digest(token)))
    .includes(true);
}
