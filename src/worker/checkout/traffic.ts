/** What the pages of a checkout send: when they have come to rest, and what they repeat while they are filled in. */
import type { BrowserContext, Page, Request, Response } from "playwright-core";
import { CheckoutEndedError, type Timing } from "./ending.ts";
import { isSafe, keyOf } from "./request-key.ts";
import { withTimeout } from "./with-timeout.ts";

export interface Traffic {
  /** `RequestKey.exact` of what was sent and changes something. */
  readonly seen: ReadonlySet<string>;
  /** HTTP status of the newest page, or of a frame's document; null while there is none. */
  statusOf(url: string): number | null;
  /** Whether a document of some frame was not to be had. */
  readonly hasBrokenFrame: boolean;
  /** Whether the newest answer to what the page sends while it is filled in names errors of what was filled in. */
  readonly hasFormErrors: boolean;
  /** Resolves once nothing was under way for a while, or too long. */
  waitUntilSettled(page: Page): Promise<void>;
  stop(): void;
}

/** What takes longer is no answer that a page waits for. */
const MAX_COUNTED_MS = 8_000;
const POLL_INTERVAL_MS = 40;
const BLUR_MS = 500;
const MAX_RESPONSE_BYTES = 262_144;
const COUNTED = /^(?:document|xhr|fetch|script)$/;

export function watchTraffic(context: BrowserContext, timing: Timing): Traffic {
  const inFlight = new Map<Request, number>();
  const seen = new Set<string>();
  const statuses = new Map<string, number>();
  /** The newest answer of each address, as far as it speaks of errors. */
  const hasErrorsByUrl = new Map<string, boolean>();
  let hasBrokenFrame = false;
  let lastActivityAtMs = performance.now();

  const onRequest = (request: Request) => {
    if (!isSafe(request.method())) seen.add(keyOf(request).exact);
    if (!COUNTED.test(request.resourceType())) return;
    lastActivityAtMs = performance.now();
    inFlight.set(request, lastActivityAtMs);
  };
  const onEnded = (request: Request) => {
    if (inFlight.delete(request)) lastActivityAtMs = performance.now();
  };
  const onFailed = (request: Request) => {
    if (isFrameDocument(request) && request.failure()?.errorText !== "net::ERR_ABORTED") hasBrokenFrame = true;
    onEnded(request);
  };
  const onResponse = async (response: Response) => {
    const request = response.request();
    if (!isSafe(request.method()) && /^(?:xhr|fetch)$/.test(request.resourceType())) {
      const isFromMerchant = isSameOrigin(request);
      if (isFromMerchant) hasErrorsByUrl.set(request.url(), namesErrors(await textOf(response)));
    }
    if (request.resourceType() !== "document") return;
    statuses.set(withoutFragment(response.url()), response.status());
    if (isFrameDocument(request) && response.status() >= 500) hasBrokenFrame = true;
  };
  context
    .on("request", onRequest)
    .on("requestfinished", onEnded)
    .on("requestfailed", onFailed)
    .on("response", onResponse);

  return {
    seen,
    statusOf: (url) => statuses.get(withoutFragment(url)) ?? null,
    get hasBrokenFrame() {
      return hasBrokenFrame;
    },
    get hasFormErrors() {
      return [...hasErrorsByUrl.values()].some((hasErrors) => hasErrors);
    },
    async waitUntilSettled(page) {
      // What was typed last is told to the page's scripts when it is left.
      await withTimeout(page.evaluate("document.activeElement?.blur?.()"), BLUR_MS).catch(() => {});
      const startedAtMs = performance.now();
      lastActivityAtMs = startedAtMs;
      for (;;) {
        const nowMs = performance.now();
        const isNavigating = [...inFlight].some(([request]) => isMainDocument(request, page));
        if (isNavigating && nowMs - startedAtMs >= timing.navigationMs) {
          throw new CheckoutEndedError("shop_unavailable", "the shop's next page does not come");
        }
        const isBusy = isNavigating || [...inFlight.values()].some((atMs) => nowMs - atMs < MAX_COUNTED_MS);
        if (!isBusy && nowMs - lastActivityAtMs >= timing.quietMs) return;
        if (page.isClosed() || (!isNavigating && nowMs - startedAtMs >= timing.settleMs)) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    },
    stop() {
      context
        .off("request", onRequest)
        .off("requestfinished", onEnded)
        .off("requestfailed", onFailed)
        .off("response", onResponse);
    },
  };
}

function isMainDocument(request: Request, page: Page): boolean {
  if (request.resourceType() !== "document") return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return true;
  }
}

function isFrameDocument(request: Request): boolean {
  if (request.resourceType() !== "document") return false;
  try {
    return request.frame().parentFrame() !== null;
  } catch {
    return false;
  }
}

function isSameOrigin(request: Request): boolean {
  try {
    return new URL(request.frame().url()).origin === new URL(request.url()).origin;
  } catch {
    return false;
  }
}

async function textOf(response: Response): Promise<string> {
  if (!/\bjson\b/.test(response.headers()["content-type"] ?? "")) return "";
  const body = await response.body().catch(() => null);
  return body && body.length <= MAX_RESPONSE_BYTES ? body.toString() : "";
}

/** `errors` with something in them, as arrays or by field. */
function namesErrors(json: string): boolean {
  try {
    const errors: unknown = (JSON.parse(json) as { errors?: unknown } | null)?.errors;
    return typeof errors === "object" && errors !== null && Object.keys(errors).length > 0;
  } catch {
    return false;
  }
}

const withoutFragment = (url: string) => url.split("#", 1)[0] ?? "";
