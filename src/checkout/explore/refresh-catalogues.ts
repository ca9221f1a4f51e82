/**
 * The repeated job of catalogues: those of shops without an API that are older than a day are read again, page by page, as
 * prices and stocks change. New products are found by exploring alone.
 */
import type { Merchant, MerchantProduct } from "../../../generated/prisma/client.ts";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import type { PricingDeps } from "../deps.ts";
import { PATIENTLY } from "../orders/deps.ts";
import { productsOf } from "../shop-pages/products-of.ts";
import { readPage } from "../shop-pages/read-page.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import { saveProducts } from "./save-products.ts";

type RefreshDeps = Pick<PricingDeps, "db" | "egress">;
/** Rows of one page, and what the page says of them now: null, that it is gone. */
type Read = readonly [rows: readonly MerchantProduct[], now: readonly FoundProduct[] | null];

const OLD_MS = 86_400_000;
/** A shop that did not answer is asked again after this. */
const AGAIN_MS = 3_600_000;
const SHOPS_A_RUN = 3;
const MOST_PAGES = 200;
const AT_ONCE = 4;
const PAGE_MS = 10_000;
const SHOP_MS = 60_000;
const MAX_PAGE_BYTES = 2 * 1_048_576;

/** Answers how many catalogues are new again. */
export async function refreshCatalogues(deps: RefreshDeps): Promise<number> {
  const now = Date.now();
  const { merchant } = deps.db.prisma;
  const old = await merchant.findMany({
    where: {
      ...{ rail: "worker", onboardedAt: { not: null }, catalogueReadAt: { lt: new Date(now - OLD_MS) } },
      updatedAt: { lt: new Date(now - AGAIN_MS) },
    },
    orderBy: { updatedAt: "asc" },
    take: SHOPS_A_RUN,
  });
  let refreshed = 0;
  for (const shop of old) {
    await merchant.update({ where: { id: shop.id }, data: { updatedAt: new Date() } });
    if (await refresh(deps, shop)) refreshed += 1;
  }
  return refreshed;
}

/** False: no page of it could be read, and nothing changed. */
async function refresh(deps: RefreshDeps, { id: merchantId }: Merchant): Promise<boolean> {
  const rows = await deps.db.prisma.merchantProduct.findMany({ where: { merchantId }, orderBy: { readAt: "asc" } });
  const pages = [...Map.groupBy(rows, ({ productId }) => productId).values()].slice(0, MOST_PAGES);
  const read = await readPages(deps.egress, pages);
  if (read.length === 0) return false;
  // Another currency is another country's page.
  const told = read.flatMap(([, now]) => now ?? []).filter(({ currency }) => currency === rows[0]?.currency);
  const seen = new Set(told.map(({ sku }) => sku));
  // A page may name products without end: those that are known go first.
  const known = new Set(rows.map(({ sku }) => sku));
  const products = told.toSorted((one, other) => Number(known.has(other.sku)) - Number(known.has(one.sku)));
  const skusOf = (of: readonly Read[]) =>
    of.flatMap(([shown]) => shown.map(({ sku }) => sku)).filter((sku) => !seen.has(sku));
  const gone = skusOf(read.filter(([, now]) => now === null));
  const unsaid = skusOf(read.filter(([, now]) => now !== null));
  await deps.db.prisma.$transaction(async (tx) => {
    const now = new Date();
    await tx.merchant.update({ where: { id: merchantId }, data: { catalogueReadAt: now, updatedAt: now } });
    await tx.merchantProduct.deleteMany({ where: { merchantId, sku: { in: gone } } });
    // Its page is there and does not name it any more.
    await tx.merchantProduct.updateMany({ where: { merchantId, sku: { in: unsaid } }, data: { available: false } });
    await saveProducts(tx, merchantId, { products: products.slice(0, MAX_PRODUCTS), isWhole: false });
  }, PATIENTLY);
  return true;
}

/** Those that answered in time. */
async function readPages(egress: Egress, pages: readonly (readonly MerchantProduct[])[]): Promise<Read[]> {
  const untilMs = performance.now() + SHOP_MS;
  const read: Read[] = [];
  for (let at = 0; at < pages.length && performance.now() < untilMs; at += AT_ONCE) {
    const batch = pages.slice(at, at + AT_ONCE);
    const answers = await Promise.all(batch.map(([first]) => readProducts(egress, first?.productUrl ?? "")));
    answers.forEach((now, index) => {
      if (now !== undefined) read.push([batch[index] ?? [], now]);
    });
  }
  return read;
}

/** Null: the page is gone; undefined: it says nothing of products, or does not answer. */
async function readProducts(egress: Egress, url: string): Promise<readonly FoundProduct[] | null | undefined> {
  try {
    const headers = { accept: "text/html,application/xhtml+xml" };
    const answer = await egress.request({ url, method: "GET", headers, timeoutMs: PAGE_MS, maxRedirects: 3 });
    if (answer.status !== 200 || new URL(answer.url).origin !== new URL(url).origin) {
      answer.body.destroy();
      return answer.status === 404 || answer.status === 410 ? null : undefined;
    }
    const products = productsOf(readPage(await readBounded(answer.body, MAX_PAGE_BYTES)), answer.url);
    return products.length > 0 ? products : undefined;
  } catch {
    // Whatever goes wrong is the shop's doing, and it is asked again.
    return undefined;
  }
}
