/** Observes a checkout's requests: detects when a page has settled, and which requests it repeats during form filling. */
import type { BrowserContext, Page, Request, Response } from "playwright-core";
import { CheckoutEndedError, type Timing } from "./ending.ts";
import { blobsIn, createFingerprint, opaqueValuesIn } from "./gate/opaque-values.ts";
import { contentsOf } from "./gate/request-facts.ts";
import { contentKeyOf, isSafe, keyOf, readKeyOf } from "./request-key.ts";
import { withTimeout } from "./with-timeout.ts";

export interface Traffic {
  /** `RequestKey.exact` and `contentKeyOf` of all unsafe requests so far, and `readKeyOf` of what scripts read. */
  readonly seen: ReadonlySet<string>;
  /** Fingerprints of the opaque values in all requests so far. */
  readonly values: ReadonlySet<string>;
  /** Fingerprints a value. */
  readonly fingerprint: (value: string) => string;
  /** HTTP status of the latest document at a URL; null if there is none. */
  statusOf(url: string): number | null;
  /** Whether a frame's document failed to load. */
  readonly hasBrokenFrame: boolean;
  /** Whether the latest response to a form request of the page contains errors. */
  readonly hasFormErrors: boolean;
  /** Resolves when no request was pending for a while, or after a time limit. */
  waitUntilSettled(page: Page): Promise<void>;
  stop(): void;
}

/** Longer requests, such as long polling, do not delay settling. */
const MAX_COUNTED_MS = 8_000;
const POLL_INTERVAL_MS = 40;
const BLUR_MS = 500;
const MAX_RESPONSE_BYTES = 262_144;
/** Bounds the memory of pages that send much. Values beyond it count as new. */
const MAX_VALUES = 20_000;
const RECORDED = /^(?:document|xhr|fetch|ping)$/;
const COUNTED = /^(?:document|xhr|fetch|script)$/;

export function watchTraffic(context: BrowserContext, timing: Timing): Traffic {
  const inFlight = new Map<Request, number>();
  const seen = new Set<string>();
  const values = new Set<string>();
  const fingerprint = createFingerprint();
  const statuses = new Map<string, number>();
  /** Whether the latest response from each URL contains errors. */
  const hasErrorsByUrl = new Map<string, boolean>();
  let hasBrokenFrame = false;
  let lastActivityAtMs = performance.now();

  const onRequest = (request: Request) => {
    if (!isSafe(request.method())) {
      seen.add(keyOf(request).exact);
      if (seen.size < MAX_VALUES) {
        seen.add(contentKeyOf(request.method(), request.url(), fingerprint(contentsOf(request).body)));
      }
    } else if (seen.size < MAX_VALUES && /^(?:xhr|fetch)$/.test(request.resourceType())) seen.add(readKeyOf(request));
    recordValues(request);
    if (!COUNTED.test(request.resourceType())) return;
    lastActivityAtMs = performance.now();
    inFlight.set(request, lastActivityAtMs);
  };
  const recordValues = (request: Request) => {
    if (values.size >= MAX_VALUES || !RECORDED.test(request.resourceType())) return;
    const { url, body, headers } = contentsOf(request);
    for (const text of [url, body, headers])
      for (const value of [...opaqueValuesIn(text), ...blobsIn(text)]) values.add(fingerprint(value));
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
    ...{ seen, values, fingerprint },
    statusOf: (url) => statuses.get(withoutFragment(url)) ?? null,
    get hasBrokenFrame() {
      return hasBrokenFrame;
    },
    get hasFormErrors() {
      return [...hasErrorsByUrl.values()].some((hasErrors) => hasErrors);
    },
    async waitUntilSettled(page) {
      // Many pages send a field's value when the field loses focus.
      await withTimeout(page.evaluate("document.activeElement?.blur?.()"), BLUR_MS).catch(() => {});
      const startedAtMs = performance.now();
      lastActivityAtMs = startedAtMs;
      for (;;) {
        const nowMs = performance.now();
        const isNavigating = [...inFlight].some(([request]) => isMainDocument(request, page));
        if (isNavigating && nowMs - startedAtMs >= timing.navigationMs) {
          throw new CheckoutEndedError("shop_unavailable", "The merchant's next page did not load");
        }
        const isBusy =
          isNavigating ||
          [...inFlight].some(([request, atMs]) => nowMs - atMs < MAX_COUNTED_MS && !isOfClosedPage(request));
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

/** Whether a request's page was closed. Such requests may never end. */
function isOfClosedPage(request: Request): boolean {
  try {
    return request.frame().page().isClosed();
  } catch {
    return false;
  }
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

/** Whether `errors` is a non-empty array or object. */
function namesErrors(json: string): boolean {
  try {
    const errors: unknown = (JSON.parse(json) as { errors?: unknown } | null)?.errors;
    return typeof errors === "object" && errors !== null && Object.keys(errors).length > 0;
  } catch {
    return false;
  }
}

const withoutFragment = (url: string) => url.split("#", 1)[0] ?? "";
