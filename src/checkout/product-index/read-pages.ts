/** Catalogue pages of sites without an API: those of the sitemap, by their structured data. */
import { extractProducts } from "../merchant-pages/extract-products.ts";
import { findNodes, readText } from "../merchant-pages/linked-data.ts";
import { type PageFacts, readPage } from "../merchant-pages/read-page.ts";
import { readSitemap } from "../merchant-pages/sitemap.ts";
import type { FoundProduct } from "../worker-protocol/exploration.ts";
import { type Cursor, pickBest, type ReadProduct, type Step, type StepContext } from "./catalogue-step.ts";

type PagesCursor = Extract<Cursor, { source: "pages" }>;

export const PAGES_START: PagesCursor = {
  ...{ source: "pages", sitemaps: ["/sitemap.xml"], readSitemaps: [], isCrawling: false, after: "" },
};

const MAX_SITEMAPS = 50;
/** Maximum number of pages per pass: of sitemaps, and of a site whose links are followed. */
const MAX_LISTED = 20_000;
const MAX_CRAWLED = 500;
const MAX_DESCRIPTION_LENGTH = 2_000;
const XML = "application/xml, text/xml";
const HTML = "text/html, application/xhtml+xml";
const PRODUCT_SITEMAP = /product|produkt|item|artikel|shop/i;
const PRODUCT_PATH =
  /\/(?:products?|items?|p|dp|pd|produkte?|artikel|produits?|productos?|prodotti|goods|shop|buy)\/[^/]|-p-?\d+|\.html?$/i;
/** URLs that change state or contain no products. */
const SKIPPED =
  /\/(?:cart|basket|bag|checkouts?|account|login|log-?out|sign-?in|sign-?out|register|wishlist|compare|search|admin|wp-admin|feed)(?:[/?.]|$)|[?&](?:add|remove|delete|quantity|action|add-to-cart)\b|\.(?:jpe?g|png|gif|svg|webp|pdf|zip|css|js|json|xml|mp4)(?:\?|$)/i;

/** Reads the next sitemap, or else the next page. */
export async function readPagesStep(context: StepContext, cursor: PagesCursor): Promise<Step> {
  const { host } = context;
  if (!host.isAllowed(`${host.origin}/`) && !host.isAllowed(`${host.origin}/products/`)) {
    return { next: "refused", wasRequested: false };
  }
  const [sitemap] = cursor.sitemaps;
  if (sitemap !== undefined) return await readSitemapStep(context, cursor, new URL(sitemap, host.origin).href);
  if (cursor.after === "" && !cursor.isCrawling && (await context.countListed()) === 0) {
    return { next: { ...cursor, isCrawling: true }, listed: [`${host.origin}/`], wasRequested: false };
  }
  const unread = (await context.findUnread(cursor.after)) ?? (cursor.isCrawling ? await context.findUnread("") : null);
  if (!unread) return { next: null, wasRequested: false };
  const { url, ...validators } = unread;
  const next = { ...cursor, after: url };
  // A page whose links are followed is read as a whole each time.
  const read = await host.read(url, HTML, cursor.isCrawling ? undefined : validators);
  if (read.kind !== "content") {
    const [wasUnchanged, wasUnusable] = [read.kind === "unchanged", read.kind === "unusable"];
    const products = read.kind === "gone" ? "gone" : "unchanged";
    return { next, page: { url, products }, wasRequested: true, wasUnchanged, wasUnusable };
  }
  const facts = readPage(read.text);
  const listed =
    cursor.isCrawling && (await context.countListed()) < MAX_CRAWLED
      ? listUrls(
          context,
          facts.links.map(({ href }) => href),
          url,
        )
      : [];
  const page = { url, products: toProducts(facts, url), validators: read.validators };
  return { next, page, listed, wasRequested: true };
}

async function readSitemapStep(context: StepContext, cursor: PagesCursor, url: string): Promise<Step> {
  const { host } = context;
  const queue = new Set(cursor.sitemaps.slice(1));
  const readSitemaps = [...cursor.readSitemaps, url];
  // The first step adds those that robots.txt names.
  const named = cursor.readSitemaps.length === 0 ? host.sitemaps : [];
  const isReadable = host.isAllowed(url) && new URL(url).origin === host.origin;
  const read = isReadable ? await host.read(url, XML) : null;
  const { isIndex, addresses } = read?.kind === "content" ? readSitemap(read.text) : { isIndex: false, addresses: [] };
  for (const one of [...named, ...(isIndex ? addresses : [])]) {
    const sitemap = URL.parse(one, host.origin);
    if (sitemap?.origin === host.origin && !readSitemaps.includes(sitemap.href)) queue.add(sitemap.href);
  }
  const listed = isIndex ? [] : listUrls(context, addresses, host.origin).slice(0, MAX_LISTED);
  const likely = listed.filter((one) => PRODUCT_PATH.test(new URL(one).pathname));
  // Sitemaps with product URLs come first.
  const sitemaps = [...queue]
    .toSorted((one, other) => Number(PRODUCT_SITEMAP.test(other)) - Number(PRODUCT_SITEMAP.test(one)))
    .slice(0, Math.max(0, MAX_SITEMAPS - readSitemaps.length));
  const isFull = (await context.countListed()) + listed.length >= MAX_LISTED;
  const next = { ...cursor, sitemaps: isFull ? [] : sitemaps, readSitemaps };
  return { next, listed: likely.length > 0 ? likely : listed, wasRequested: read !== null };
}

/** Returns the site's own URLs that may be read, without fragments. */
function listUrls({ host }: StepContext, addresses: readonly string[], base: string): string[] {
  const urls = addresses.flatMap((address) => {
    const url = URL.parse(address, base);
    if (!url || url.origin !== host.origin || url.href.length > 2_048) return [];
    url.hash = "";
    return SKIPPED.test(url.pathname + url.search) || !host.isAllowed(url.href) ? [] : [url.href];
  });
  return [...new Set(urls)];
}

/** Returns the products of a page, each by its best variant. */
function toProducts(facts: PageFacts, url: string): ReadProduct[] {
  const byProduct = Map.groupBy(extractProducts(facts, url), ({ productId }) => productId);
  const nodes = findNodes(facts.linkedData, ["Product", "ProductGroup"]);
  const meta = facts.meta.get("og:description") ?? facts.meta.get("description") ?? "";
  return [...byProduct].flatMap(([productId, variants]) => {
    const best = pickBest(variants);
    const node = nodes.find(({ name }) => readText(name) === best?.title);
    if (!best) return [];
    const isOnly = byProduct.size === 1;
    const description = (node && readText(node["description"])) ?? (isOnly ? meta : "");
    return [
      {
        ...{ productId, market: "", otherMarkets: [], compareAtMinor: null },
        ...toVariant(best),
        vendor: node ? readText(node["brand"]) : null,
        keywords: [
          ...[node?.["category"], node?.["keywords"]].flatMap((value) => readText(value) ?? []),
          ...variants.flatMap(({ variantTitle, sku }) => [variantTitle ?? "", sku]),
        ],
        description: description.slice(0, MAX_DESCRIPTION_LENGTH),
      },
    ];
  });
}

function toVariant({ sku, title, variantTitle, priceMinor, currency, available, imageUrl, productUrl }: FoundProduct) {
  return { sku, title, variantTitle, priceMinor, currency, available, imageUrl, productUrl };
}
