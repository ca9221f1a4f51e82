/** Sends a browser's request outside the browser's network stack, so that nothing sends it a second time. */
import type { APIResponse, BrowserContext, Route } from "playwright-core";
import { isPrivateConnection } from "../card-receivers.ts";

const MAX_REDIRECTS = 5;
/** Error of the egress proxy before a connection exists. Other errors may have occurred after the request was written. */
const UNSENT = /Socks5 proxy rejected connection/;
const MAX_READ_BYTES = 1_048_576;
const READABLE = /json|html|text|xml|javascript|x-www-form-urlencoded/;

/**
 * Sends a request once. Follows redirects that repeat it, which the browser would follow without calling any route.
 * @param mayReceive whether a redirect may lead to a URL
 * @throws {Error} no response arrived, or a redirect leads elsewhere
 */
export async function sendOnce(
  context: BrowserContext,
  route: Route,
  timeout: number,
  mayReceive: (url: string) => boolean,
): Promise<APIResponse> {
  const once = { maxRedirects: 0, maxRetries: 0, timeout };
  let response = await route.fetch(once);
  let url = route.request().url();
  for (let hops = 0; hops < MAX_REDIRECTS && isMethodPreservingRedirect(response.status()); hops += 1) {
    const { location } = response.headers();
    if (location === undefined) break;
    url = new URL(location, url).href;
    if (!isPrivateConnection(url)) throw new Error("The payment was redirected to an unencrypted connection.");
    if (!mayReceive(url)) throw new Error("The payment was redirected to another recipient.");
    // The context adds cookies for the new host. Cookies and credentials of the first host must not reach another.
    const { host: _host, "content-length": _length, cookie: _cookie, ...sent } = await route.request().allHeaders();
    const { authorization, ...others } = sent;
    const isSameOrigin = new URL(url).origin === new URL(route.request().url()).origin;
    const headers = isSameOrigin && authorization !== undefined ? sent : others;
    const data = route.request().postDataBuffer();
    const method = route.request().method();
    response = await context.request
      .fetch(url, { ...once, method, headers, ...(data ? { data } : {}) })
      .catch(() => Promise.reject(new Error("The redirected payment request failed.")));
  }
  if (isMethodPreservingRedirect(response.status()))
    throw new Error("The merchant's payment request exceeded the maximum number of redirects.");
  return response;
}

/**
 * Whether an error of `sendOnce` occurred before any byte of the request was written. Playwright appends a log to its messages,
 * which contains status texts and headers of the merchant.
 */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && UNSENT.test(error.message.split("\n", 1)[0] ?? "");
}

/** Returns the text of a response: its body and the address it redirects to. */
export async function textOfResponse(response: APIResponse): Promise<string> {
  const { location = "", "content-type": type = "" } = response.headers();
  const body = READABLE.test(type) ? await response.body().catch(() => null) : null;
  return `${location}\n${body?.subarray(0, MAX_READ_BYTES).toString() ?? ""}`;
}

/** Statuses 307 and 308 require the client to repeat method and body (RFC 9110, sections 15.4.8 and 15.4.9). */
const isMethodPreservingRedirect = (status: number) => status === 307 || status === 308;
