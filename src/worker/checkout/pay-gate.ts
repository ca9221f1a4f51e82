/**
 * Ensures that a payment is sent at most once. Chromium automatically resends a request when a reused connection drops, and
 * pages may send a payment twice. The gate therefore sends payments itself, outside the browser's network stack and without
 * retries, and rejects repetitions.
 *
 * Limit: Playwright attaches to nested workers only after they have started. A request that such a worker sends immediately
 * may bypass the gate.
 */
import type { APIResponse, BrowserContext, Frame, Request, Route } from "playwright-core";
import { isSafe, keyOf } from "./request-key.ts";

export interface PayGate {
  /** Lets one payment through from now on. Before, payments are rejected. */
  open(): void;
  /** Lets the payment through again after a 3-D Secure challenge, because merchants resend it with the bank's result. */
  allowResubmission(): void;
  /** Payments let through, in order. */
  readonly sent: readonly SentRequest[];
  /** Number of rejected requests. */
  readonly refused: number;
  /** True after the response to a payment was lost. Nothing is let through after that. */
  readonly isLost: boolean;
  /** Rejects all further payments, for as long as the pages exist. */
  close(): void;
}

export interface SentRequest {
  readonly url: string;
  /** Null while the response is pending, or if it was lost. */
  httpStatus: number | null;
  state: "sent" | "responded" | "lost";
}

export interface PayGateOptions {
  /** Origins of the merchant's checkout pages. */
  readonly merchantOrigins: ReadonlySet<string>;
  /** Whether a URL certainly receives the payment, such as the action of the form around the button. */
  readonly isPayment: (url: string) => boolean;
  /** `RequestKey.exact` of requests that the page repeats while the form is filled in. They are not limited. */
  readonly seen: ReadonlySet<string>;
  readonly responseMs: number;
}

const MAX_REDIRECTS = 5;

/** Installs the gate. Call it before the card is typed. */
export async function installPayGate(context: BrowserContext, options: PayGateOptions): Promise<PayGate> {
  const { merchantOrigins, isPayment, seen, responseMs } = options;
  const sent: SentRequest[] = [];
  const kinds = new Set<string>();
  /** Fingerprints of sent requests, including their bodies. An identical request is never sent again. */
  const sentFingerprints = new Set<string>();
  // Contains requests from before the click only; requests caused by the click are new.
  const repeated = new Set(seen);
  let isOpen = false;
  let isClosed = false;
  let isLost = false;
  let refused = 0;
  /** How many certain payments may still be sent. */
  let remainingPayments = 1;

  const reject = async (route: Route) => {
    refused += 1;
    await route.abort("failed");
  };

  async function handle(route: Route, request: Request): Promise<void> {
    if (isSafe(request.method())) return await route.fallback();
    const isKnownPayment = isPayment(request.url()) || isMainNavigation(request);
    const mayPay = isFromMerchant(request, merchantOrigins) && !isBeacon(request);
    if (!isKnownPayment && !mayPay) return await route.fallback();
    const { kind, exact } = keyOf(request);
    if (!isOpen) {
      if (isKnownPayment) return await reject(route);
      repeated.add(exact);
      return await route.fallback();
    }
    if (!isKnownPayment && repeated.has(exact)) return await route.fallback();
    const fingerprint = `${exact} ${request.postData() ?? ""}`;
    const isRepeat = sentFingerprints.has(fingerprint) || (isKnownPayment ? remainingPayments === 0 : kinds.has(kind));
    if (isLost || isClosed || isRepeat) return await reject(route);
    if (isKnownPayment) remainingPayments -= 1;
    kinds.add(kind);
    sentFingerprints.add(fingerprint);
    await send(route, request);
  }

  async function send(route: Route, request: Request): Promise<void> {
    const entry: SentRequest = { url: request.url(), httpStatus: null, state: "sent" };
    sent.push(entry);
    try {
      const response = await fetchOnce(context, route, responseMs);
      entry.httpStatus = response.status();
      entry.state = "responded";
      // After a server error the outcome is unknown.
      if (response.status() >= 500) isLost = true;
      await route.fulfill({ response });
    } catch {
      if (entry.state === "sent") entry.state = "lost";
      isLost = true;
      await route.abort("failed").catch(() => {});
    }
  }

  await context.route(() => true, handle);
  return {
    open() {
      isOpen = true;
    },
    allowResubmission() {
      if (isLost) return;
      remainingPayments = 1;
      kinds.clear();
    },
    sent,
    get refused() {
      return refused;
    },
    get isLost() {
      return isLost;
    },
    close() {
      isClosed = true;
    },
  };
}

/** Follows redirects that repeat the request. The browser would follow them without calling any route. */
async function fetchOnce(context: BrowserContext, route: Route, timeout: number): Promise<APIResponse> {
  const once = { maxRedirects: 0, maxRetries: 0, timeout };
  let response = await route.fetch(once);
  let url = route.request().url();
  for (let hops = 0; hops < MAX_REDIRECTS && isMethodPreservingRedirect(response.status()); hops += 1) {
    const { location } = response.headers();
    if (location === undefined) break;
    url = new URL(location, url).href;
    // The context adds cookies for the new host. Cookies and credentials of the first host must not reach another.
    const { host: _host, "content-length": _length, cookie: _cookie, ...sent } = await route.request().allHeaders();
    const { authorization, ...others } = sent;
    const isSameOrigin = new URL(url).origin === new URL(route.request().url()).origin;
    const headers = isSameOrigin && authorization !== undefined ? sent : others;
    const data = route.request().postDataBuffer();
    const method = route.request().method();
    response = await context.request.fetch(url, { ...once, method, headers, ...(data ? { data } : {}) });
  }
  if (isMethodPreservingRedirect(response.status()))
    throw new Error("The merchant's payment request exceeded the maximum number of redirects.");
  return response;
}

/** Statuses 307 and 308 require the client to repeat method and body (RFC 9110, sections 15.4.8 and 15.4.9). */
const isMethodPreservingRedirect = (status: number) => status === 307 || status === 308;

/** Beacons have no response that a page reads, so they are payments only if sent to a certain payment URL. */
const isBeacon = (request: Request) => /^(?:ping|beacon|cspviolationreport)$/.test(request.resourceType());

function isMainNavigation(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // The navigation's frame does not exist yet, so it is a new page.
    return true;
  }
}

/** Whether a request goes to the merchant or comes from its pages. Frames of the card and the bank send to their own hosts. */
function isFromMerchant(request: Request, merchantOrigins: ReadonlySet<string>): boolean {
  if (merchantOrigins.has(new URL(request.url()).origin)) return true;
  try {
    let frame: Frame | null = request.frame();
    // An `about:`, `blob:` or `data:` document belongs to the page that created it.
    while (frame && /^(?:about|blob|data):/.test(frame.url())) frame = frame.parentFrame();
    return frame === null || merchantOrigins.has(new URL(frame.url()).origin);
  } catch {
    return true;
  }
}
