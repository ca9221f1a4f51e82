/** What a shop sells: from the pages it tells search engines of, else from those its pages lead to. What was asked for first. */
import type { Page } from "playwright-core";
import { productsOf } from "../../checkout/shop-pages/products-of.ts";
import { type PageFacts, readPage } from "../../checkout/shop-pages/read-page.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../../checkout/worker-protocol/exploration.ts";
import { fetchTexts } from "./fetch-texts.ts";
import { readSitemaps } from "./sitemaps.ts";

export interface Catalogue {
  /** All in one currency, numbers of all different. */
  readonly products: readonly FoundProduct[];
  /** Whether that is all the shop has. */
  readonly isWhole: boolean;
  /** What some of its pages say, the first of them the one that is open. */
  readonly pages: readonly PageFacts[];
}

const MOST_PAGES = 200;
const MOST_CRAWLED = 80;
const MOST_RENDERED = 6;
const AT_ONCE = 8;
const SAMPLES = 5;
const RENDER_MS = 10_000;
const PRODUCT_PATH =
  /\/(?:products?|items?|p|dp|pd|produkte?|artikel|produits?|productos?|prodotti|goods|shop|buy)\/[^/]|-p-?\d+|\.html?$/i;
/** Addresses that change something, or hold nothing to buy. */
const NOT_READ =
  /\/(?:cart|basket|bag|checkouts?|account|login|log-?out|sign-?in|sign-?out|register|wishlist|compare|search|admin|wp-admin|feed)(?:[/?.]|$)|[?&](?:add|remove|delete|quantity|action|add-to-cart)\b|\.(?:jpe?g|png|gif|svg|webp|pdf|zip|css|js|json|xml|mp4)(?:\?|$)/i;

/** A reading under way, and what it has found so far. */
interface Reading {
  readonly page: Page;
  /** The page that was open, and its origin: no other is read. */
  readonly landing: string;
  readonly origin: string;
  readonly wanted: readonly string[];
  /** On the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly found: FoundProduct[];
  readonly pages: PageFacts[];
}

/** @param options.untilMs on the clock of `performance.now()`; what was read by then is answered */
export async function readCatalogue(
  page: Page,
  { goal, untilMs }: { readonly goal: string; readonly untilMs: number },
): Promise<Catalogue> {
  const landing = page.url();
  const { origin } = new URL(landing);
  const open = readPage(await page.content());
  const wanted = wordsOf(goal);
  const reading = { page, landing, origin, wanted, untilMs, found: [...productsOf(open, landing)], pages: [open] };
  const { found, pages } = reading;
  const listed = (await readSitemaps(page, origin)).filter((url) => !NOT_READ.test(url));
  const likely = listed.filter((url) => PRODUCT_PATH.test(new URL(url).pathname));
  const candidates = byWorth(likely.length > 0 ? likely : listed, wanted);
  const unreadCount = await readAll(reading, candidates.slice(0, MOST_PAGES));
  let isWhole = likely.length > 0 && unreadCount === 0 && candidates.length <= MOST_PAGES;
  if (found.length === 0 || listed.length === 0) {
    await crawl(reading, open);
    isWhole = false;
  }
  if (found.length === 0) await render(reading, byWorth([landing, ...candidates], wanted).slice(0, MOST_RENDERED));
  return { products: inOneCurrency(found), isWhole, pages };
}

/** Answers how many were not read. */
async function readAll(
  { page, untilMs, found, pages }: Reading,
  urls: readonly string[],
  onPage?: (facts: PageFacts, url: string) => void,
): Promise<number> {
  let unreadCount = 0;
  for (let at = 0; at < urls.length; at += AT_ONCE) {
    if (performance.now() > untilMs || found.length >= MAX_PRODUCTS) return unreadCount + urls.length - at;
    for (const read of await fetchTexts(page, urls.slice(at, at + AT_ONCE))) {
      if (read?.status === 200) {
        const facts = readPage(read.text);
        found.push(...productsOf(facts, read.url));
        if (pages.length < SAMPLES) pages.push(facts);
        onPage?.(facts, read.url);
      } else if (read?.status !== 404 && read?.status !== 410) unreadCount++;
    }
  }
  return unreadCount;
}

/** From page to page, the open one first: those that look like a product's before others. */
async function crawl(reading: Reading, open: PageFacts): Promise<void> {
  const { landing, origin, wanted, untilMs } = reading;
  const known = new Set([landing]);
  let queue: string[] = [];
  const follow = ({ links }: PageFacts, base: string) => {
    for (const { href } of links) {
      const url = addressIn(href, base, origin);
      if (url === null || known.has(url)) continue;
      known.add(url);
      queue.push(url);
    }
  };
  follow(open, landing);
  if (!known.has(`${origin}/`)) queue.push(`${origin}/`);
  for (let count = 0; queue.length > 0 && count < MOST_CRAWLED && performance.now() < untilMs; ) {
    const ranked = byWorth(queue, wanted);
    const now = ranked.slice(0, AT_ONCE);
    queue = ranked.slice(AT_ONCE);
    count += now.length;
    await readAll(reading, now, follow);
  }
}

/** Where a link leads, without its fragment; null when that is elsewhere, or not to be read. */
function addressIn(href: string, base: string, origin: string): string | null {
  const url = URL.parse(href, base);
  if (!url || url.origin !== origin || NOT_READ.test(url.pathname + url.search)) return null;
  url.hash = "";
  return url.href;
}

/** Shops whose pages are made by scripts say what they sell once those have run. */
async function render({ page, origin, untilMs, found }: Reading, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    if (performance.now() > untilMs || found.length > 0) return;
    const isThere = await page.goto(url, { waitUntil: "load", timeout: RENDER_MS }).then(
      () => true,
      () => false,
    );
    if (isThere && new URL(page.url()).origin === origin) {
      found.push(...productsOf(readPage(await page.content()), page.url()));
    }
  }
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);

/** How much of what was asked for is in a text. */
function matchOf(text: string, wanted: readonly string[]): number {
  const lower = text.toLowerCase();
  return wanted.filter((word) => lower.includes(word)).length;
}

function byWorth(urls: readonly string[], wanted: readonly string[]): string[] {
  const worthOf = (url: string) => {
    const { pathname } = new URL(url);
    return matchOf(pathname, wanted) * 2 + Number(PRODUCT_PATH.test(pathname));
  };
  const worth = new Map(urls.map((url) => [url, worthOf(url)]));
  return [...worth.keys()].toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0));
}

/** Best first, for what was asked for: what can be bought, then what matches. */
export function byGoal(products: readonly FoundProduct[], goal: string): FoundProduct[] {
  const wanted = wordsOf(goal);
  const worthOf = ({ title, variantTitle, available }: FoundProduct) =>
    (available ? 100 : 0) + matchOf(`${title} ${variantTitle ?? ""}`, wanted);
  return products.toSorted((one, other) => worthOf(other) - worthOf(one));
}

/** A shop is quoted in one currency: the one that most of its prices are in. */
function inOneCurrency(found: readonly FoundProduct[]): FoundProduct[] {
  const byCurrency = [...Map.groupBy(found, ({ currency }) => currency).values()];
  const [most = []] = byCurrency.toSorted((one, other) => other.length - one.length);
  const bySku = Map.groupBy(most, ({ sku }) => sku);
  return [...bySku.values()].flatMap(([product]) => product ?? []).slice(0, MAX_PRODUCTS);
}
