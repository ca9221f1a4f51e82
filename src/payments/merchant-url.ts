/** The address that a one-time purchase token is bound to, and what lies within it (decisions, "X402"). */
import type { SpendingRules } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";

const MAX_LENGTH = 2_048;

/**
 * Reads the address of a merchant as a URL parser does: host in lower case, default port left out, dot segments resolved.
 * @throws {InvalidRequestError} unless it is a full http or https address without credentials and fragment.
 */
export function readMerchantUrl(text: string, field: string): string {
  const url = /^https?:\/\//i.test(text) && text.length <= MAX_LENGTH ? URL.parse(text) : null;
  if (!url) {
    const wanted = `a full http or https address of at most ${MAX_LENGTH} characters`;
    throw new InvalidRequestError(`${field} must be ${wanted}, such as https://shop.example/report.`, field);
  }
  if (url.username !== "" || url.password !== "" || hasUserinfo(text)) {
    throw new InvalidRequestError(`${field} may not carry credentials.`, field);
  }
  if (text.includes("#")) throw new InvalidRequestError(`${field} may not have a fragment.`, field);
  if (climbs(url.pathname)) {
    throw new InvalidRequestError(
      `${field} may not hold encoded dot segments: what lies under it is not certain.`,
      field,
    );
  }
  // As a person writes an origin; the parser adds the slash back.
  return url.pathname === "/" && url.search === "" && !text.endsWith("/") ? url.origin : url.href;
}

/** @throws {ForbiddenError} when the credential is bound to a merchant and `url` is not that merchant's. */
export function assertWithinMerchant({ merchantUrl }: SpendingRules, url: string): void {
  if (merchantUrl === null || isAtOrUnder(url, merchantUrl)) return;
  throw new ForbiddenError(`This token pays ${merchantUrl} and nothing else. No money moved.`);
}

/**
 * Whether `url` has the origin of `base` and its path, or one below it. Paths are compared as a URL parser reads them,
 * letter by letter; what a server might still take for a step upwards counts as one. A `base` with a query is that one
 * resource, with that query.
 */
export function isAtOrUnder(url: string, base: string): boolean {
  const asked = URL.parse(url);
  const bound = URL.parse(base);
  if (!asked || !bound || asked.origin !== bound.origin || asked.origin === "null") return false;
  if (asked.username !== "" || asked.password !== "") return false;
  if (bound.search !== "") return asked.pathname === bound.pathname && asked.search === bound.search;
  const path = bound.pathname.replace(/\/$/, "");
  if (asked.pathname === path || asked.pathname === `${path}/`) return true;
  return asked.pathname.startsWith(`${path}/`) && !climbs(asked.pathname.slice(path.length));
}

/** An empty one, as in `https://@shop.example`, is gone once parsed. */
function hasUserinfo(text: string): boolean {
  const [authority = ""] = text.slice(text.indexOf("://") + 3).split(/[/\\?#]/, 1);
  return authority.includes("@");
}

const MAX_DECODINGS = 5;

/**
 * Whether some server would read a dot segment in a path that the parser has read: encoded once or more (`%2e%2e%2f`,
 * `%252e`), with a parameter (`..;x`), with a backslash, in another form of Unicode, or not decodable at all.
 */
function climbs(path: string): boolean {
  let read = path;
  for (let decoding = 0; decoding < MAX_DECODINGS; decoding++) {
    if (read.split(/[/\\]/).some(isDotSegment)) return true;
    const decoded = decode(read);
    if (decoded === null) return true;
    if (decoded === read) return false;
    read = decoded;
  }
  return true;
}

function isDotSegment(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: servers cut a segment at NUL, or drop white space around it.
  return /^[\x00-\x20]*\.{1,2}[\x00-\x20]*(?:[;\x00].*)?$/s.test(segment);
}

/** Null when the escapes are no UTF-8, as in the overlong dot `%c0%ae`. A percent sign that begins no escape stays. */
function decode(path: string): string | null {
  try {
    return path.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent).normalize("NFKC");
  } catch {
    return null;
  }
}
