import { TargetResponseInvalidError, UrlNotAllowedError } from "./errors.ts";
import { assertUrlAllowed } from "./target-url.ts";

/** One request as sent on the wire. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | null;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Headers removed together with the body (Fetch standard, "request-body-header name"). */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];

/** Headers that are never sent to another origin. */
const ALWAYS_SECRET = ["authorization", "cookie", "proxy-authorization", "x-payment", "payment-signature"];

/** Connection-specific headers (RFC 9110 section 7.6.1) and framing, which the HTTP client sets itself. */
const CONNECTION_HEADERS = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns the headers to send: names in lower case, no framing, no compression unless `headers` requests it. */
export function outgoingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const outgoing: Record<string, string> = { "accept-encoding": "identity", "user-agent": "Satchel" };
  for (const name in headers) {
    const key = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(key)) outgoing[key] = headers[name] as string;
  }
  return outgoing;
}

export function isRedirect(status: number, location: string | string[] | undefined): location is string {
  return REDIRECT_STATUSES.has(status) && typeof location === "string";
}

function redirectUrl(location: string, base: URL, allowLoopback: boolean): URL {
  const url = URL.parse(location, base.href);
  if (!url) throw new TargetResponseInvalidError(`${base.host} redirects to an invalid URL.`);
  assertUrlAllowed(url, allowLoopback);
  url.hash = "";
  return url;
}

/**
 * Returns the request that follows a redirect, as in the Fetch standard ("HTTP-redirect fetch"):
 * - 303 changes every method except GET and HEAD to GET.
 * - 301 and 302 change POST to GET.
 * - 307 and 308 change nothing.
 *
 * A redirect to another origin removes secret headers for good.
 *
 * @throws {UrlNotAllowedError} the new URL is not allowed, or a request with secret headers would change from https to http
 *
 * @throws {TargetResponseInvalidError} the location is not a URL
 */
export function followRedirect(
  hop: Hop,
  status: number,
  location: string,
  secretHeaders: readonly string[],
  allowLoopback: boolean,
): Hop {
  const url = redirectUrl(location, hop.url, allowLoopback);
  const headers: Record<string, string> = { ...hop.headers };
  if (url.origin !== hop.url.origin) {
    const secrets = [...ALWAYS_SECRET, ...secretHeaders.map((name) => name.toLowerCase())];
    if (hop.url.protocol === "https:" && url.protocol === "http:" && secrets.some((name) => name in headers)) {
      throw new UrlNotAllowedError(`${hop.url.host} redirects from https to http.`);
    }
    for (const name of secrets) delete headers[name];
  }
  const becomesGet =
    (status === 303 && hop.method !== "GET" && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  if (!becomesGet) return { url, method: hop.method, headers, body: hop.body };
  for (const name of BODY_HEADERS) delete headers[name];
  return { url, method: "GET", headers, body: null };
}
