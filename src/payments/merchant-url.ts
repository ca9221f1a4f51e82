/** The URL a one-time purchase token is bound to, and the test whether another URL is at or below it (decisions, "X402"). */
import type { SpendingRules } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";

const MAX_LENGTH = 2_048;

/**
 * Parses a merchant URL and returns it in normalised form: host in lower case, default port removed, dot segments resolved.
 *
 * @throws {InvalidRequestError} unless it is an absolute http or https URL without credentials and fragment.
 */
export function readMerchantUrl(text: string, field: string): string {
  const url = /^https?:\/\//i.test(text) && text.length <= MAX_LENGTH ? URL.parse(text) : null;
  if (!url) {
    const format = `an absolute http or https URL of at most ${MAX_LENGTH} characters`;
    throw new InvalidRequestError(`${field} must be ${format}, such as https://merchant.example/report.`, field);
  }
  if (url.username !== "" || url.password !== "" || hasUserinfo(text)) {
    throw new InvalidRequestError(`${field} must not contain credentials.`, field);
  }
  if (text.includes("#")) throw new InvalidRequestError(`${field} must not contain a fragment.`, field);
  if (hasDotSegment(url.pathname)) {
    throw new InvalidRequestError(
      `${field} must not contain encoded dot segments: servers resolve them differently.`,
      field,
    );
  }
  // An origin without a trailing slash is returned without one, which the parser would add.
  return url.pathname === "/" && url.search === "" && !text.endsWith("/") ? url.origin : url.href;
}

/** @throws {ForbiddenError} when the credential is bound to a merchant URL and `url` is not at or below it. */
export function assertWithinMerchant({ merchantUrl }: SpendingRules, url: string): void {
  if (merchantUrl === null || isAtOrUnder(url, merchantUrl)) return;
  throw new ForbiddenError(`This token may only pay ${merchantUrl}. No payment was made.`);
}

/**
 * Returns whether `url` has the origin of `base` and the path of `base` or one below it. Parsed paths are compared case-sensitively.
 * A segment that any server might resolve as `..` makes the result false. A `base` with a query matches only that resource
 * with that query.
 */
export function isAtOrUnder(url: string, base: string): boolean {
  const requested = URL.parse(url);
  const bound = URL.parse(base);
  if (!requested || !bound || requested.origin !== bound.origin || requested.origin === "null") return false;
  if (requested.username !== "" || requested.password !== "") return false;
  if (bound.search !== "") return requested.pathname === bound.pathname && requested.search === bound.search;
  const path = bound.pathname.replace(/\/$/, "");
  if (requested.pathname === path || requested.pathname === `${path}/`) return true;
  return requested.pathname.startsWith(`${path}/`) && !hasDotSegment(requested.pathname.slice(path.length));
}

/** Reads the text because the parser drops an empty userinfo, as in `https://@merchant.example`. */
function hasUserinfo(text: string): boolean {
  const [authority = ""] = text.slice(text.indexOf("://") + 3).split(/[/\\?#]/, 1);
  return authority.includes("@");
}

const MAX_DECODINGS = 5;

/**
 * Returns whether any server could find a dot segment in a parsed path. Covered are segments encoded once or more (`%2e%2e%2f`,
 * `%252e`), with a parameter (`..;x`), with a backslash or in another Unicode form. A path that cannot be decoded also returns true.
 */
function hasDotSegment(path: string): boolean {
  let current = path;
  for (let decoding = 0; decoding < MAX_DECODINGS; decoding++) {
    if (current.split(/[/\\]/).some(isDotSegment)) return true;
    const decoded = decode(current);
    if (decoded === null) return true;
    if (decoded === current) return false;
    current = decoded;
  }
  return true;
}

function isDotSegment(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: servers truncate a segment at NUL, or trim white space around it.
  return /^[\x00-\x20]*\.{1,2}[\x00-\x20]*(?:[;\x00].*)?$/s.test(segment);
}

/** Returns null for escapes that are not UTF-8, such as the overlong dot `%c0%ae`. Other percent signs remain. */
function decode(path: string): string | null {
  try {
    return path.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent).normalize("NFKC");
  } catch {
    return null;
  }
}
