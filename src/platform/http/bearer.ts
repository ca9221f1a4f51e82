import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Whether a request carries `token` (RFC 6750, section 2.1). Compares in constant time, whatever the lengths. */
export function isBearer({ headers }: { readonly headers: IncomingHttpHeaders }, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}
