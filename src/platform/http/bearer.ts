import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns true if the request has the bearer token `token` (RFC 6750, section 2.1). Compares in constant time, regardless of
 * lengths.
 */
export function isBearer({ headers }: { readonly headers: IncomingHttpHeaders }, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}
