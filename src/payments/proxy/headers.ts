import type { ResponseHeaders } from "../../platform/egress/exchange.ts";
import type { AuthorizedPayment } from "./ports.ts";

/** RFC 9110 section 7.6.1, with the older ones still met. */
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

/** What the caller tells this service, not the target: credentials, who and where it is, and payments of its own. */
const CALLERS_OWN = new Set([
  "authorization",
  "content-length",
  "content-type",
  "cookie",
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
/** Among them who a load balancer has signed in, with its word for it. */
const CALLERS_OWN_PREFIX =
  /^(?:x-forwarded-|sec-|cf-|x-amzn-oidc-|x-azure-|x-goog-authenticated-user-|x-goog-iap-|x-ms-client-principal)/;

/** Headers that say nothing about who is calling; any other one of the caller's stays with the origin it was meant for. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "content-type", "range", "user-agent"]);

/** What a browser would take as said by this service's own origin: cookies, policies, workers, who may read it. */
const ACTS_ON_ORIGIN = new Set([
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
const ACTS_ON_ORIGIN_PREFIX = /^(?:access-control-|content-security-policy)/;

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

/** The caller's headers that may go on to the target, names in lower case. The body brings its own content type. */
export function headersForTarget(
  callerHeaders: Readonly<Record<string, string>>,
  contentType: string | null,
): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(callerHeaders)) lower[name.toLowerCase()] = value;
  const named = namedInConnection(lower);
  for (const name of Object.keys(lower)) {
    if (HOP_BY_HOP.has(name) || CALLERS_OWN.has(name) || CALLERS_OWN_PREFIX.test(name) || named.has(name)) {
      delete lower[name];
    }
  }
  if (contentType !== null) lower["content-type"] = contentType;
  return lower;
}

/** Names of headers that must not follow a redirect to another origin. */
export function secretNames(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).filter((name) => !HARMLESS.has(name));
}

/**
 * The target's headers as the caller gets them: all but hop-by-hop ones, those that would act on this service's own
 * origin and what only this service may say; with the payment's own two when there was one.
 */
export function headersForCaller(
  targetHeaders: ResponseHeaders,
  payment: Pick<AuthorizedPayment, "transactionId" | "amountPaidUsd"> | null,
): ResponseHeaders {
  const headers: ResponseHeaders = {};
  const named = namedInConnection(targetHeaders);
  for (const name in targetHeaders) {
    if (HOP_BY_HOP.has(name) || named.has(name) || name.startsWith("x-satchel-")) continue;
    if (ACTS_ON_ORIGIN.has(name) || ACTS_ON_ORIGIN_PREFIX.test(name)) continue;
    headers[name] = targetHeaders[name] as string | string[];
  }
  if (payment) {
    headers["x-satchel-payment-id"] = payment.transactionId;
    headers["x-satchel-amount-paid"] = payment.amountPaidUsd;
  }
  return headers;
}
