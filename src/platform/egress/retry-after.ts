import type { ResponseHeaders } from "./exchange.ts";

/**
 * Returns the delay that `Retry-After` requests, in milliseconds: a number of seconds or an HTTP date (RFC 9110, section 10.2.3).
 * Returns null if the header is absent or invalid, and 0 for a date in the past.
 */
export function readRetryAfterMs(headers: ResponseHeaders): number | null {
  const value = headers["retry-after"];
  if (typeof value !== "string") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // `Date.parse` also accepts texts such as "2.5"; a date contains the name of its month.
  const dateMs = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - Date.now());
}
