import { isIP } from "node:net";
import { InvalidRequestError } from "../errors.ts";
import { isAddressAllowed } from "./addresses.ts";
import { UrlNotAllowedError } from "./errors.ts";

/** RFC 6761 section 6.3: these names always mean loopback, regardless of DNS. */
export const LOCALHOST = /^(?:.+\.)?localhost$/;

/**
 * Rejects a URL that the service may not call. Checks IP literals here, since they need no DNS query; the guarded lookup
 * checks host names. The WHATWG parser has already normalised every spelling of a literal (`127.1`, `0x7f.1`, `2130706433`,
 * fullwidth digits, a trailing dot).
 *
 * @throws {UrlNotAllowedError} a scheme other than http and https, credentials, or a private or reserved address
 */
export function assertUrlAllowed(url: URL, allowLoopback: boolean): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UrlNotAllowedError("Only http and https URLs are allowed.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UrlNotAllowedError("The URL must not contain credentials.");
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (host === "") throw new UrlNotAllowedError("The URL has no host.");
  const isAllowed = isIP(host) ? isAddressAllowed(host, allowLoopback) : allowLoopback || !LOCALHOST.test(host);
  if (!isAllowed) throw new UrlNotAllowedError(`${host} is a private or reserved address.`);
}

/**
 * Rejects a URL with control characters. The WHATWG parser would remove line breaks and tabs, so the service would call another URL.
 * @throws {InvalidRequestError} naming the field `url`
 */
export function assertOneLine(text: string): void {
  if (/\p{Cc}/u.test(text.trim())) {
    throw new InvalidRequestError("url must not contain line breaks, tabs or other control characters.", "url");
  }
}

/**
 * Parses and checks a URL from a user. Removes the fragment, which is never sent.
 * @throws {InvalidRequestError} the text is not an absolute URL
 * @throws {UrlNotAllowedError} the URL is not allowed
 */
export function parseTargetUrl(text: string, allowLoopback: boolean): URL {
  assertOneLine(text);
  const url = URL.parse(text);
  if (!url) throw new InvalidRequestError("url must be an absolute http or https URL.", "url");
  assertUrlAllowed(url, allowLoopback);
  url.hash = "";
  return url;
}
