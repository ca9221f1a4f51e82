import { TargetResponseInvalidError, UrlNotAllowedError } from "./errors.ts";
import { assertUrlAllowed } from "./target-url.ts";

/** One request as it goes over the wire; header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | null;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Headers that speak about a body, and go when it goes (Fetch standard, "request-body-header name"). */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];

/** Headers no other origin may see, whoever set them. */
const ALWAYS_SECRET = ["authorization", "cookie", "proxy-authorization", "x-payment", "payment-signature"];

/** Connection management belongs to the client that owns the connection (RFC 9110 section 7.6.1), as does framing. */
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

/** The headers of a request as they are sent: lower case, framing removed, no compression unless asked for. */
export function outgoingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const outgoing: Record<string, string> = { "accept-encoding": "identity", "user-agent": "Satchel" };
  for (const name in headers) {
    const key = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(key)) outgoing[key] = headers[name] as string;
  }
  return outgoing;
}

/** Whether the answer asks the client to go elsewhere. */
export function isRedirect(status: number, location: string | string[] | undefined): location is string {
  return REDIRECT_STATUSES.has(status) && typeof location === "string";
}

function redirectUrl(location: string, base: URL, allowLoopback: boolean): URL {
  const url = URL.parse(location, base.href);
  if (!url) throw new TargetResponseInvalidError(`${base.host} redirects to something that is no address.`);
  assertUrlAllowed(url, allowLoopback);
  url.hash = "";
  return url;
}

/**
 * The request that follows a redirect, by the Fetch standard ("HTTP-redirect fetch"): 303 turns everything but GET and
 * HEAD into GET, 301 and 302 turn POST into GET, 307 and 308 change nothing. Secret headers stay with their origin;
 * once dropped they do not come back.
 * @throws {UrlNotAllowedError} the new address may not be called, or leaves https while secrets are present.
 * @throws {TargetResponseInvalidError} the location is no address.
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
