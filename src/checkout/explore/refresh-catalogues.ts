/**
 * Recurring catalogue refresh: reads the known product pages of merchants without an API again once a day, because prices
 * and stock change. Only exploration finds new products.
 */
import type { MerchantProduct } from "../../../generated/prisma/client.ts";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import type { PricingDeps } from "../deps.ts";
import { extractProducts } from "../merchant-pages/extract-products.ts";
import { readPage } from "../merchant-pages/read-page.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import { saveProducts } from "./save-products.ts";

type RefreshDeps = Pick<PricingDeps, "db" | "egress">;
/** Stored rows of one page and the products that the page now contains; null if the page no longer exists. */
type PageRead = readonly [rows: readonly MerchantProduct[], now: readonly FoundProduct[] | null];

const MAX_AGE_MS = 86_400_000;
/** Minimum time between two attempts for one catalogue. */
const RETRY_INTERVAL_MS = 3_600_000;
const CATALOGUES_PER_RUN = 3;
const MAX_PAGES = 200;
const MAX_CONCURRENT_PAGES = 4;
const PAGE_TIMEOUT_MS = 10_000;
const CATALOGUE_TIMEOUT_MS = 60_000;
const MAX_PAGE_BYTES = 2 * 1_048_576;

/** Refreshes the longest-waiting outdated catalogues. @returns the number of refreshed catalogues */
export async function refreshCatalogues(deps: RefreshDeps): Promise<number> {
  const now = Date.now();
  const { merchantCatalogue } = deps.db.prisma;
  const outdated = await merchantCatalogue.findMany({
    where: {
      readAt: { lt: new Date(now - MAX_AGE_MS) },
      attemptedAt: { lt: new Date(now - RETRY_INTERVAL_MS) },
      merchant: { rail: "worker", OR: [{ onboardedAt: { not: null } }, { pooledDomain: { not: null } }] },
    },
    orderBy: { attemptedAt: "asc" },
    take: CATALOGUES_PER_RUN,
  });
  let refreshed = 0;
  for (const { id } of outdated) {
    await merchantCatalogue.update({ where: { id }, data: { attemptedAt: new Date() } });
    if (await refreshCatalogue(deps, id)) refreshed += 1;
  }
  return refreshed;
}

/** Refreshes one catalogue. Returns false and changes nothing if no page could be read. */
async function refreshCatalogue(deps: RefreshDeps, catalogueId: string): Promise<boolean> {
  const rows = await deps.db.prisma.merchantProduct.findMany({ where: { catalogueId }, orderBy: { readAt: "asc" } });
  const pages = [...Map.groupBy(rows, ({ productId }) => productId).values()].slice(0, MAX_PAGES);
  const read = await readPages(deps.egress, pages);
  if (read.length === 0) return false;
  // Another currency indicates a page for another country.
  const currentProducts = read.flatMap(([, now]) => now ?? []).filter(({ currency }) => currency === rows[0]?.currency);
  const seen = new Set(currentProducts.map(({ sku }) => sku));
  // Pages may list any number of products, so known ones precede new ones within the limit.
  const known = new Set(rows.map(({ sku }) => sku));
  const products = currentProducts.toSorted((one, other) => Number(known.has(other.sku)) - Number(known.has(one.sku)));
  const skusOf = (of: readonly PageRead[]) =>
    of.flatMap(([shown]) => shown.map(({ sku }) => sku)).filter((sku) => !seen.has(sku));
  const removedSkus = skusOf(read.filter(([, now]) => now === null));
  const unlistedSkus = skusOf(read.filter(([, now]) => now !== null));
  await deps.db.prisma.$transaction(async (tx) => {
    const now = new Date();
    await tx.merchantCatalogue.update({ where: { id: catalogueId }, data: { readAt: now, attemptedAt: now } });
    await tx.merchantProduct.deleteMany({ where: { catalogueId, sku: { in: removedSkus } } });
    // The page exists but no longer lists these products.
    await tx.merchantProduct.updateMany({
      where: { catalogueId, sku: { in: unlistedSkus } },
      data: { available: false },
    });
    await saveProducts(tx, catalogueId, { products: products.slice(0, MAX_PRODUCTS), isWhole: false });
  }, LONG_TRANSACTION);
  return true;
}

/** Reads pages in batches until the time limit. Omits pages without a usable response. */
async function readPages(egress: Egress, pages: readonly (readonly MerchantProduct[])[]): Promise<PageRead[]> {
  const untilMs = performance.now() + CATALOGUE_TIMEOUT_MS;
  const read: PageRead[] = [];
  for (let at = 0; at < pages.length && performance.now() < untilMs; at += MAX_CONCURRENT_PAGES) {
    const batch = pages.slice(at, at + MAX_CONCURRENT_PAGES);
    const results = await Promise.all(batch.map(([first]) => readProducts(egress, first?.productUrl ?? "")));
    results.forEach((now, index) => {
      if (now !== undefined) read.push([batch[index] ?? [], now]);
    });
  }
  return read;
}

/** Returns null if the page no longer exists; undefined if it contains no products or cannot be read. */
async function readProducts(egress: Egress, url: string): Promise<readonly FoundProduct[] | null | undefined> {
  try {
    const headers = { accept: "text/html,application/xhtml+xml" };
    const response = await egress.request({ url, method: "GET", headers, timeoutMs: PAGE_TIMEOUT_MS, maxRedirects: 3 });
    if (response.status !== 200 || new URL(response.url).origin !== new URL(url).origin) {
      response.body.destroy();
      return response.status === 404 || response.status === 410 ? null : undefined;
    }
    const products = extractProducts(readPage(await readBounded(response.body, MAX_PAGE_BYTES)), response.url);
    return products.length > 0 ? products : undefined;
  } catch {
    // Any failure here originates at the merchant; the next run retries the page.
    return undefined;
  }
}
