import { isIP } from "node:net";
import { InvalidRequestError } from "../errors.ts";
import { isAddressAllowed } from "./addresses.ts";
import { UrlNotAllowedError } from "./errors.ts";

/** RFC 6761 section 6.3: these names mean loopback, whatever a resolver says. */
export const LOCALHOST = /^(?:.+\.)?localhost$/;

/**
 * Refuses an address the service may not call. IP literals are judged here, because a resolver is never asked about
 * them; names are judged when they are resolved. The WHATWG parser has already brought every spelling of a literal
 * (`127.1`, `0x7f.1`, `2130706433`, fullwidth digits, a trailing dot) into one form.
 * @throws {UrlNotAllowedError} scheme other than http and https, credentials in it, private or reserved address.
 */
export function assertUrlAllowed(url: URL, allowLoopback: boolean): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UrlNotAllowedError("Only http and https addresses may be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UrlNotAllowedError("The address may not carry credentials.");
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (host === "") throw new UrlNotAllowedError("The address names no host.");
  const isAllowed = isIP(host) ? isAddressAllowed(host, allowLoopback) : allowLoopback || !LOCALHOST.test(host);
  if (!isAllowed) throw new UrlNotAllowedError(`${host} is a private or reserved address.`);
}

/**
 * Reads and checks an address a user gave. The fragment is dropped: it never goes over the wire.
 * @throws {InvalidRequestError} when it is no absolute URL.
 * @throws {UrlNotAllowedError} when it may not be called.
 */
export function parseTargetUrl(text: string, allowLoopback: boolean): URL {
  const url = URL.parse(text);
  if (!url) throw new InvalidRequestError("url must be an absolute http or https address.", "url");
  assertUrlAllowed(url, allowLoopback);
  url.hash = "";
  return url;
}
