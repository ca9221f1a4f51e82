/** Reads a merchant's products from the pages in its sitemap, otherwise by following links. Matches of the goal come first. */
import type { Page } from "playwright-core";
import { extractProducts } from "../../checkout/merchant-pages/extract-products.ts";
import { type PageFacts, readPage } from "../../checkout/merchant-pages/read-page.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../../checkout/worker-protocol/exploration.ts";
import { fetchTexts } from "./fetch-texts.ts";
import { readSitemaps } from "./sitemaps.ts";

export interface Catalogue {
  /** All in one currency, with distinct SKUs. */
  readonly products: readonly FoundProduct[];
  /** Whether the merchant has no further products. */
  readonly isWhole: boolean;
  /** Facts of some pages, starting with the open one. */
  readonly pages: readonly PageFacts[];
}

const MAX_PAGES = 200;
const MAX_CRAWLED = 80;
const MAX_RENDERED = 6;
const BATCH_SIZE = 8;
const MAX_SAMPLE_PAGES = 5;
const RENDER_MS = 10_000;
const PRODUCT_PATH =
  /\/(?:products?|items?|p|dp|pd|produkte?|artikel|produits?|productos?|prodotti|goods|shop|buy)\/[^/]|-p-?\d+|\.html?$/i;
/** URLs that change state or contain no products. */
const SKIPPED_PATH =
  /\/(?:cart|basket|bag|checkouts?|account|login|log-?out|sign-?in|sign-?out|register|wishlist|compare|search|admin|wp-admin|feed)(?:[/?.]|$)|[?&](?:add|remove|delete|quantity|action|add-to-cart)\b|\.(?:jpe?g|png|gif|svg|webp|pdf|zip|css|js|json|xml|mp4)(?:\?|$)/i;

/** State of a catalogue read in progress. */
interface CatalogueRead {
  readonly page: Page;
  /** URL of the open page, and its origin. Pages of other origins are not read. */
  readonly landing: string;
  readonly origin: string;
  readonly keywords: readonly string[];
  /** Deadline, as a `performance.now()` time. */
  readonly untilMs: number;
  readonly found: FoundProduct[];
  readonly pages: PageFacts[];
}

/**
 * Reads the catalogue from the open page's site.
 * @param options.landing the open page's URL
 * @param options.preferredCurrency products in this currency are returned if there are any; null: those in the most common one
 * @param options.untilMs deadline as a `performance.now()` time; products read by then are returned
 */
export async function readCatalogue(
  page: Page,
  {
    landing,
    goal,
    preferredCurrency,
    untilMs,
  }: {
    readonly landing: string;
    readonly goal: string;
    readonly preferredCurrency: string | null;
    readonly untilMs: number;
  },
): Promise<Catalogue> {
  const { origin } = new URL(landing);
  const open = readPage(await page.content());
  const keywords = keywordsOf(goal);
  const reading = {
    page,
    landing,
    origin,
    keywords,
    untilMs,
    found: [...extractProducts(open, landing)],
    pages: [open],
  };
  const { found, pages } = reading;
  const listed = (await readSitemaps(page, origin)).filter((url) => !SKIPPED_PATH.test(url));
  const likely = listed.filter((url) => PRODUCT_PATH.test(new URL(url).pathname));
  const candidates = rankUrls(likely.length > 0 ? likely : listed, keywords);
  const unreadCount = await readAll(reading, candidates.slice(0, MAX_PAGES));
  let isWhole = likely.length > 0 && unreadCount === 0 && candidates.length <= MAX_PAGES;
  if (found.length === 0 || listed.length === 0) {
    await crawl(reading, open);
    isWhole = false;
  }
  if (found.length === 0) await render(reading, rankUrls([landing, ...candidates], keywords).slice(0, MAX_RENDERED));
  return { products: selectCurrency(found, preferredCurrency), isWhole, pages };
}

/** Reads the pages in batches. Returns the number of pages not read. */
async function readAll(
  { page, origin, untilMs, found, pages }: CatalogueRead,
  urls: readonly string[],
  onPage?: (facts: PageFacts, url: string) => void,
): Promise<number> {
  let unreadCount = 0;
  for (let at = 0; at < urls.length; at += BATCH_SIZE) {
    if (performance.now() > untilMs || found.length >= MAX_PRODUCTS) return unreadCount + urls.length - at;
    for (const read of await fetchTexts(page, urls.slice(at, at + BATCH_SIZE), origin)) {
      if (read?.status === 200) {
        const facts = readPage(read.text);
        found.push(...extractProducts(facts, read.url));
        if (pages.length < MAX_SAMPLE_PAGES) pages.push(facts);
        onPage?.(facts, read.url);
      } else if (read?.status !== 404 && read?.status !== 410) unreadCount++;
    }
  }
  return unreadCount;
}

/** Follows links breadth-first from the open page, with likely product pages first. */
async function crawl(reading: CatalogueRead, open: PageFacts): Promise<void> {
  const { landing, origin, keywords, untilMs } = reading;
  const known = new Set([landing]);
  let queue: string[] = [];
  const enqueueLinks = ({ links }: PageFacts, base: string) => {
    for (const { href } of links) {
      const url = crawlableUrl(href, base, origin);
      if (url === null || known.has(url)) continue;
      known.add(url);
      queue.push(url);
    }
  };
  enqueueLinks(open, landing);
  if (!known.has(`${origin}/`)) queue.push(`${origin}/`);
  for (let count = 0; queue.length > 0 && count < MAX_CRAWLED && performance.now() < untilMs; ) {
    const ranked = rankUrls(queue, keywords);
    const now = ranked.slice(0, BATCH_SIZE);
    queue = ranked.slice(BATCH_SIZE);
    count += now.length;
    await readAll(reading, now, enqueueLinks);
  }
}

/** Returns a link's URL without its fragment. Null for other origins and for excluded URLs. */
function crawlableUrl(href: string, base: string, origin: string): string | null {
  const url = URL.parse(href, base);
  if (!url || url.origin !== origin || SKIPPED_PATH.test(url.pathname + url.search)) return null;
  url.hash = "";
  return url.href;
}

/** Opens pages in the browser and reads them after their scripts have run. For sites without server-rendered products. */
async function render({ page, origin, untilMs, found }: CatalogueRead, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    if (performance.now() > untilMs || found.length > 0) return;
    const isLoaded = await page.goto(url, { waitUntil: "load", timeout: RENDER_MS }).then(
      () => true,
      () => false,
    );
    if (isLoaded && new URL(page.url()).origin === origin) {
      found.push(...extractProducts(readPage(await page.content()), page.url()));
    }
  }
}

const keywordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);

/** Returns the number of keywords that a text contains. */
function countMatches(text: string, keywords: readonly string[]): number {
  const lower = text.toLowerCase();
  return keywords.filter((word) => lower.includes(word)).length;
}

function rankUrls(urls: readonly string[], keywords: readonly string[]): string[] {
  const scoreOf = (url: string) => {
    const { pathname } = new URL(url);
    return countMatches(pathname, keywords) * 2 + Number(PRODUCT_PATH.test(pathname));
  };
  const scores = new Map(urls.map((url) => [url, scoreOf(url)]));
  return [...scores.keys()].toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/** Sorts available products before others, then by matches of the goal. */
export function rankByGoal(products: readonly FoundProduct[], goal: string): FoundProduct[] {
  const keywords = keywordsOf(goal);
  const scoreOf = ({ title, variantTitle, available }: FoundProduct) =>
    (available ? 100 : 0) + countMatches(`${title} ${variantTitle ?? ""}`, keywords);
  return products.toSorted((one, other) => scoreOf(other) - scoreOf(one));
}

/** Returns the products in the preferred or else the most common currency, one per SKU. A quote has a single currency. */
function selectCurrency(found: readonly FoundProduct[], preferred: string | null): FoundProduct[] {
  const byCurrency = Map.groupBy(found, ({ currency }) => currency);
  const [mostCommon = []] = [...byCurrency.values()].toSorted((one, other) => other.length - one.length);
  const selected = (preferred === null ? undefined : byCurrency.get(preferred)) ?? mostCommon;
  const bySku = Map.groupBy(selected, ({ sku }) => sku);
  return [...bySku.values()].flatMap(([product]) => product ?? []).slice(0, MAX_PRODUCTS);
}
