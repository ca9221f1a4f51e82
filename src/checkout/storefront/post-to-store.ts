/** Requests to a store's API, through the egress guard. */
import { getDomain } from "tldts";
import type { Egress, EgressResponse } from "../../platform/egress/egress.ts";
import { readRetryAfterMs } from "../../platform/egress/retry-after.ts";
import { ServiceError } from "../../platform/errors.ts";
import { CatalogUnavailableError, MerchantThrottledError, NotShopifyError } from "../errors.ts";

interface StoreRequest {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** Time limit, on the clock of `performance.now`. */
  readonly untilMs: number;
}

/** 430 is Shopify's own status for too many requests of one client. */
const THROTTLED = new Set([429, 430, 503]);
const MOVED = new Set([301, 302, 307, 308]);
const MAX_REDIRECTS = 3;

/**
 * Posts to a store's API and returns a response with JSON. Follows redirects within the store's site, such as to `www`.
 * @throws {NotShopifyError} the site has no such API
 * @throws {CatalogUnavailableError} the store did not respond, throttles requests, or failed
 */
export async function postToStore(egress: Egress, { url, body, untilMs }: StoreRequest): Promise<EgressResponse> {
  let from = url;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await egress.request({
        url: from,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "multipart/mixed; deferSpec=20220824, application/json",
        },
        body,
        timeoutMs: Math.max(1, untilMs - performance.now()),
        // The cart and its address must not be sent to another site, and a redirect would change POST to GET.
        maxRedirects: 0,
      });
      const target = redirects < MAX_REDIRECTS ? findRedirect(from, response) : null;
      if (target === null) return checkResponse(response);
      response.body.destroy();
      from = target;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw toMerchantError(error);
  }
}

function checkResponse(response: EgressResponse): EgressResponse {
  const { status, headers, body } = response;
  if (status === 200 && /json|multipart/.test(String(headers["content-type"]))) return response;
  body.destroy();
  if (status === 200 || status === 404 || status === 405 || status === 410) throw new NotShopifyError();
  if (THROTTLED.has(status)) {
    const retryAfterMs = readRetryAfterMs(headers);
    throw new MerchantThrottledError(retryAfterMs, { isOutage: status === 503 && retryAfterMs === null });
  }
  throw new CatalogUnavailableError(`The merchant responded with status ${status}.`);
}

/** Returns the URL of the same API to which the store redirects; null for any other response, and for another site. */
function findRedirect(from: string, { status, headers }: EgressResponse): string | null {
  const location = headers["location"];
  const target = MOVED.has(status) && typeof location === "string" ? URL.parse(location, from) : null;
  const source = new URL(from);
  if (!target || target.pathname !== source.pathname || target.search !== "") return null;
  const isSecure = target.protocol === "https:" || target.protocol === source.protocol;
  return isSecure && isSameSite(target.hostname, source.hostname) ? target.href : null;
}

/** Reports whether two hosts have the same registrable domain. Stores of one platform, such as `*.myshopify.com`, do not. */
function isSameSite(one: string, other: string): boolean {
  if (one === other) return true;
  const [site, otherSite] = [one, other].map((host) => getDomain(host, { allowPrivateDomains: true }));
  return typeof site === "string" && site === otherSite;
}

/** Returns the error of a merchant that did not respond usably. */
export function toMerchantError(error: unknown): Error {
  if (error instanceof CatalogUnavailableError || error instanceof NotShopifyError) return error;
  return new CatalogUnavailableError("The merchant did not respond.", { cause: error });
}
