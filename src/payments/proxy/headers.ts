import type { ResponseHeaders } from "../../platform/egress/exchange.ts";
import type { AuthorizedPayment } from "./ports.ts";

/** Hop-by-hop headers: RFC 9110 section 7.6.1, and older ones still in use. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Caller headers meant for Satchel rather than the target: credentials, the caller's identity and location, and payments. */
const NOT_FORWARDED = new Set([
  "authorization",
  "content-length",
  "content-type",
  "cookie",
  "dpop",
  "expect",
  "fastly-client-ip",
  "fly-client-ip",
  "forwarded",
  "host",
  "idempotency-key",
  "origin",
  "payment-signature",
  "referer",
  "true-client-ip",
  "via",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-forwarded",
  "x-original-forwarded-for",
  "x-payment",
  "x-real-ip",
  "x-satchel-token",
  "x-service-token",
]);
/** Prefixes of such headers, including the user identity that an authenticating load balancer adds. */
const NOT_FORWARDED_PREFIX =
  /^(?:x-forwarded-|sec-|cf-|x-amzn-oidc-|x-azure-|x-goog-authenticated-user-|x-goog-iap-|x-ms-client-principal)/;

/** Headers that do not identify the caller. All others are sent only to the origin the caller named. */
const NOT_IDENTIFYING = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "range",
  "user-agent",
]);

/** Response headers that a browser applies to Satchel's own origin: cookies, policies, service workers, CORS. */
const ORIGIN_SCOPED = new Set([
  "accept-ch",
  "alt-svc",
  "clear-site-data",
  "critical-ch",
  "expect-ct",
  "nel",
  "origin-agent-cluster",
  "public-key-pins",
  "public-key-pins-report-only",
  "refresh",
  "report-to",
  "reporting-endpoints",
  "service-worker-allowed",
  "set-cookie",
  "set-cookie2",
  "strict-transport-security",
  "x-content-type-options",
  "x-request-id",
]);
const ORIGIN_SCOPED_PREFIX = /^(?:access-control-|content-security-policy)/;

function namedInConnection(headers: Readonly<Record<string, string | string[]>>): Set<string> {
  const value = headers["connection"];
  if (value === undefined) return new Set();
  return new Set(
    String(value)
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
}

/** Returns the caller's headers to forward, names in lower case. `contentType` is the body's; null leaves it out. */
export function headersForTarget(
  callerHeaders: Readonly<Record<string, string>>,
  contentType: string | null,
): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(callerHeaders)) lower[name.toLowerCase()] = value;
  const named = namedInConnection(lower);
  for (const name of Object.keys(lower)) {
    if (HOP_BY_HOP.has(name) || NOT_FORWARDED.has(name) || NOT_FORWARDED_PREFIX.test(name) || named.has(name)) {
      delete lower[name];
    }
  }
  if (contentType !== null) lower["content-type"] = contentType;
  return lower;
}

/** Returns the names of headers that must not follow a redirect to another origin. */
export function secretNames(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).filter((name) => !NOT_IDENTIFYING.has(name));
}

/**
 * Returns the target's headers for the caller. Hop-by-hop headers, headers scoped to Satchel's origin and `x-satchel-*` are removed.
 * After a payment, `x-satchel-payment-id` and `x-satchel-amount-paid` (decimal USD) are added.
 */
export function headersForCaller(
  targetHeaders: ResponseHeaders,
  payment: Pick<AuthorizedPayment, "transactionId" | "amountPaidUsd"> | null,
): ResponseHeaders {
  const headers: ResponseHeaders = {};
  const named = namedInConnection(targetHeaders);
  for (const name in targetHeaders) {
    if (HOP_BY_HOP.has(name) || named.has(name) || name.startsWith("x-satchel-")) continue;
    if (ORIGIN_SCOPED.has(name) || ORIGIN_SCOPED_PREFIX.test(name)) continue;
    headers[name] = targetHeaders[name] as string | string[];
  }
  if (payment) {
    headers["x-satchel-payment-id"] = payment.transactionId;
    headers["x-satchel-amount-paid"] = payment.amountPaidUsd;
  }
  return headers;
}
