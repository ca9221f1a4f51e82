/**
 * Polite reads of one merchant's site: one request at a time, with a delay, as its robots.txt permits (RFC 9309). Requests
 * are conditional (RFC 9110, section 13). A merchant that limits the rate of requests is left alone until later.
 */
import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import robotsModule from "robots-parser";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { readRetryAfterMs } from "../../platform/egress/retry-after.ts";
import { CatalogUnavailableError, MerchantThrottledError } from "../errors.ts";
import { alternativeDomains } from "../merchants/merchants.ts";

/** Name by which a robots.txt may address this reader. */
export const ROBOTS_AGENT = "Satchel";
const TIMEOUT_MS = 15_000;
/** RFC 9309, section 2.5: at least 500 KiB of a robots.txt are read. */
const MAX_ROBOTS_BYTES = 512 * 1_024;
const MAX_PAGE_BYTES = 4 * 1_048_576;
/** A longer `Crawl-delay` would never let a catalogue become current. */
const MAX_CRAWL_DELAY_MS = 30_000;
const ROBOTS_AGE_MS = 3_600_000;
const THROTTLED = new Set([429, 430, 503]);

type Robots = ReturnType<typeof robotsModule.default>;
/** The package's types declare a default export; its CommonJS module is the function itself. */
const parseRobots = robotsModule as unknown as typeof robotsModule.default;
const robotsByOrigin = new LRUCache<string, Robots>({ max: 2_000, ttl: ROBOTS_AGE_MS });

/** Validators of an earlier response. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** `unchanged`: status 304. `gone`: 404 or 410. `unusable`: any other response without content. */
export type PageRead =
  | { readonly kind: "content"; readonly url: string; readonly text: string; readonly validators: Validators }
  | { readonly kind: "unchanged" | "gone" | "unusable" };

export interface HostReader {
  readonly origin: string;
  /** Whether robots.txt permits requests of the URL. */
  isAllowed(url: string): boolean;
  /** Sitemaps that robots.txt names. */
  readonly sitemaps: readonly string[];
  /** Waits until the next request may be sent. */
  pace(): Promise<void>;
  /**
   * Reads a page of the site.
   * @throws {MerchantThrottledError | CatalogUnavailableError}
   */
  read(url: string, accept: string, validators?: Validators): Promise<PageRead>;
}

/**
 * Opens a reader, which reads robots.txt first.
 * @throws {CatalogUnavailableError} robots.txt cannot be read, so that requests are not permitted
 */
export async function openHostReader(
  egress: Egress,
  origin: string,
  { delayMs }: { readonly delayMs: number },
): Promise<HostReader> {
  let nextAtMs = 0;
  const robots = robotsByOrigin.get(origin) ?? (await readRobots());
  robotsByOrigin.set(origin, robots);
  const crawlDelayMs = Math.min((robots.getCrawlDelay(ROBOTS_AGENT) ?? 0) * 1_000, MAX_CRAWL_DELAY_MS);
  const intervalMs = Math.max(delayMs, crawlDelayMs);

  async function pace(): Promise<void> {
    const delay = nextAtMs - performance.now();
    if (delay > 0) await wait(delay);
    nextAtMs = performance.now() + intervalMs;
  }

  async function request(url: string, headers: Record<string, string>, maxBytes: number) {
    try {
      const response = await egress.request({ url, method: "GET", headers, timeoutMs: TIMEOUT_MS, maxRedirects: 3 });
      if (response.status === 200) return { ...response, text: await readBounded(response.body, maxBytes) };
      response.body.destroy();
      return { ...response, text: "" };
    } catch (error) {
      throw new CatalogUnavailableError("The merchant did not respond.", { cause: error });
    }
  }

  async function readRobots(): Promise<Robots> {
    const { status, headers, text } = await request(`${origin}/robots.txt`, {}, MAX_ROBOTS_BYTES);
    if (THROTTLED.has(status)) throw new MerchantThrottledError(readRetryAfterMs(headers));
    // RFC 9309, section 2.3.1: an unavailable file permits everything, a server error nothing.
    if (status >= 500) throw new CatalogUnavailableError("The merchant's robots.txt cannot be read.");
    nextAtMs = performance.now() + delayMs;
    return parseRobots(`${origin}/robots.txt`, text);
  }

  return {
    origin,
    isAllowed: (url) => robots.isAllowed(url, ROBOTS_AGENT) !== false,
    sitemaps: robots.getSitemaps(),
    pace,
    async read(url, accept, validators) {
      await pace();
      const { etag, lastModified } = validators ?? {};
      const conditions = {
        ...(etag ? { "if-none-match": etag } : {}),
        ...(lastModified ? { "if-modified-since": lastModified } : {}),
      };
      const { status, headers, text, url: finalUrl } = await request(url, { accept, ...conditions }, MAX_PAGE_BYTES);
      if (THROTTLED.has(status)) throw new MerchantThrottledError(readRetryAfterMs(headers));
      if (status === 304) return { kind: "unchanged" };
      if (status === 404 || status === 410) return { kind: "gone" };
      if (status !== 200 || !isSameSite(finalUrl, origin)) return { kind: "unusable" };
      const of = (name: string) => (typeof headers[name] === "string" ? headers[name].slice(0, 300) : null);
      return {
        kind: "content",
        url: finalUrl,
        text,
        validators: { etag: of("etag"), lastModified: of("last-modified") },
      };
    },
  };
}

/** Whether a redirect stayed at the merchant's host, with or without `www.`. */
function isSameSite(url: string, origin: string): boolean {
  return alternativeDomains(new URL(origin).host).includes(new URL(url).host);
}
