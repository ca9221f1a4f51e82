/**
 * The gate that the payment goes through: one request, once. Chromium sends a request again by itself when a connection is
 * dropped that it had used before, and pages send twice what they should send once. So whatever may pay is sent from here,
 * outside of the browser's own network stack, without retries, and what does the same again is refused.
 *
 * Limit: Playwright attaches to a worker that another worker started only after it began to run. A request that such a nested
 * worker sends at once may pass the gate.
 */
import type { APIResponse, BrowserContext, Frame, Request, Route } from "playwright-core";
import { isSafe, keyOf } from "./request-key.ts";

export interface PayGate {
  /** From now on the payment may leave, once. Before, what would pay is refused. */
  open(): void;
  /** The bank has asked the card's owner: shops then send the payment again, with what the bank said. */
  bankAsked(): void;
  /** What was let through, in order. */
  readonly sent: readonly SentRequest[];
  /** How many were refused. */
  readonly refused: number;
  /** True once the answer to one is lost: from then on nothing is let through. */
  readonly isLost: boolean;
  /** Nothing leaves any more: it stays shut for as long as the pages live. */
  close(): void;
}

export interface SentRequest {
  readonly url: string;
  /** Null while it is awaited, and when it was lost. */
  httpStatus: number | null;
  state: "sent" | "answered" | "lost";
}

export interface PayGateOptions {
  /** Where pages of the shop's checkout may be. */
  readonly shopOrigins: ReadonlySet<string>;
  /** What pays for certain, such as the address of the form around the button. */
  readonly isPayment: (url: string) => boolean;
  /** `RequestKey.exact` of what the page repeated while it was filled in: that goes on as before. */
  readonly seen: ReadonlySet<string>;
  readonly answerMs: number;
}

const MAX_REDIRECTS = 5;

/** Stands from before the card is typed. */
export async function installPayGate(context: BrowserContext, options: PayGateOptions): Promise<PayGate> {
  const { shopOrigins, isPayment, seen, answerMs } = options;
  const sent: SentRequest[] = [];
  const kinds = new Set<string>();
  /** What was sent, to the letter: the same is never sent again. */
  const sentFingerprints = new Set<string>();
  // Of before the click: what the click sends is new to the page, even when it is sent thrice at once.
  const repeated = new Set(seen);
  let isOpen = false;
  let isClosed = false;
  let isLost = false;
  let refused = 0;
  /** How many certain payments may leave still. */
  let remainingPayments = 1;

  const refuse = async (route: Route) => {
    refused += 1;
    await route.abort("failed");
  };

  async function handle(route: Route, request: Request): Promise<void> {
    if (isSafe(request.method())) return await route.fallback();
    const isKnownPayment = isPayment(request.url()) || isMainNavigation(request);
    const mayPay = isFromMerchant(request, shopOrigins) && !isBeacon(request);
    if (!isKnownPayment && !mayPay) return await route.fallback();
    const { kind, exact } = keyOf(request);
    if (!isOpen) {
      if (isKnownPayment) return await refuse(route);
      repeated.add(exact);
      return await route.fallback();
    }
    if (!isKnownPayment && repeated.has(exact)) return await route.fallback();
    const fingerprint = `${exact} ${request.postData() ?? ""}`;
    const isRepeat = sentFingerprints.has(fingerprint) || (isKnownPayment ? remainingPayments === 0 : kinds.has(kind));
    if (isLost || isClosed || isRepeat) return await refuse(route);
    if (isKnownPayment) remainingPayments -= 1;
    kinds.add(kind);
    sentFingerprints.add(fingerprint);
    await send(route, request);
  }

  async function send(route: Route, request: Request): Promise<void> {
    const entry: SentRequest = { url: request.url(), httpStatus: null, state: "sent" };
    sent.push(entry);
    try {
      const response = await fetchOnce(context, route, answerMs);
      entry.httpStatus = response.status();
      entry.state = "answered";
      // A fault of the shop's own says nothing of what happened before it.
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
    bankAsked() {
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

/** Follows what asks for the same request elsewhere: the browser would send it by itself, past every route. */
async function fetchOnce(context: BrowserContext, route: Route, timeout: number): Promise<APIResponse> {
  const once = { maxRedirects: 0, maxRetries: 0, timeout };
  let response = await route.fetch(once);
  let url = route.request().url();
  for (let hops = 0; hops < MAX_REDIRECTS && isMethodPreservingRedirect(response.status()); hops += 1) {
    const { location } = response.headers();
    if (location === undefined) break;
    url = new URL(location, url).href;
    // Cookies are added for where it goes now; those of the first address, and what it was let in with, are nobody else's.
    const { host: _host, "content-length": _length, cookie: _cookie, ...sent } = await route.request().allHeaders();
    const { authorization, ...others } = sent;
    const isSameOrigin = new URL(url).origin === new URL(route.request().url()).origin;
    const headers = isSameOrigin && authorization !== undefined ? sent : others;
    const data = route.request().postDataBuffer();
    const method = route.request().method();
    response = await context.request.fetch(url, { ...once, method, headers, ...(data ? { data } : {}) });
  }
  if (isMethodPreservingRedirect(response.status())) throw new Error("The shop redirects its payment without an end.");
  return response;
}

/** 307 and 308 have the method and the body sent again. */
const isMethodPreservingRedirect = (status: number) => status === 307 || status === 308;

/** Sent to be forgotten: nobody waits for an answer, so it is no payment unless it goes where one is made for certain. */
const isBeacon = (request: Request) => /^(?:ping|beacon|cspviolationreport)$/.test(request.resourceType());

function isMainNavigation(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // A navigation whose frame is not there yet: a page of its own.
    return true;
  }
}

/** To the shop, or from its own pages to anybody: the card's frames and the bank's speak to their own. */
function isFromMerchant(request: Request, shopOrigins: ReadonlySet<string>): boolean {
  if (shopOrigins.has(new URL(request.url()).origin)) return true;
  try {
    let frame: Frame | null = request.frame();
    // A document that a page wrote itself is that page's.
    while (frame && /^(?:about|blob|data):/.test(frame.url())) frame = frame.parentFrame();
    return frame === null || shopOrigins.has(new URL(frame.url()).origin);
  } catch {
    return true;
  }
}
