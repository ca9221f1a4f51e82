/** Storage of a step: its products, pages and position in one transaction, by the holder of the lease only. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import type { Cursor, ReadProduct, Step } from "./catalogue-step.ts";
import type { ClaimedIndex } from "./claim-indexes.ts";
import { LEASE_MS } from "./claim-indexes.ts";
import { bandLexeme, priceBandOf, readProductWords } from "./words.ts";

/** Another node holds the lease. Nothing was stored. */
export class LeaseLostError extends Error {}

const MAX_TITLE_LENGTH = 300;

/**
 * Stores a step and renews the lease.
 * @param source that the step read
 * @throws {LeaseLostError}
 */
export async function saveStep(db: Database, index: ClaimedIndex, step: Step, source: Cursor["source"]): Promise<void> {
  const { id, leaseId, pass } = index;
  const { next, page, listed = [] } = step;
  await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.catalogueIndex.updateMany({
      where: { id, leaseId },
      data: {
        ...(next === null || next === "refused" ? { source } : { cursor: next, source: next.source }),
        leasedUntil: new Date(Date.now() + LEASE_MS),
        attemptedAt: new Date(),
        requestCount: { increment: Number(step.wasRequested) },
        unchangedCount: { increment: Number(step.wasUnchanged ?? false) },
      },
    });
    if (count === 0) throw new LeaseLostError();
    await listPages(tx, index, listed);
    if (!page) return;
    if (page.products === "gone") {
      await tx.cataloguePage.deleteMany({ where: { indexId: id, url: page.url } });
      return;
    }
    if (page.products === "unchanged") {
      await tx.$executeRaw`UPDATE indexed_products SET pass = ${pass}, read_at = now() WHERE index_id = ${id} AND page = ${page.url}`;
    } else await saveProducts(tx, index, page.url, page.products);
    const { etag = null, lastModified = null } = page.validators ?? {};
    const isUnchanged = page.products === "unchanged";
    await tx.cataloguePage.upsert({
      where: { indexId_url: { indexId: id, url: page.url } },
      create: { indexId: id, url: page.url, listedPass: pass, readPass: pass, etag, lastModified },
      update: { listedPass: pass, readPass: pass, ...(isUnchanged ? {} : { etag, lastModified }) },
    });
  }, LONG_TRANSACTION);
}

async function listPages(tx: Prisma.TransactionClient, { id, pass }: ClaimedIndex, urls: readonly string[]) {
  if (urls.length === 0) return;
  await tx.$executeRaw`INSERT INTO catalogue_pages (index_id, url, listed_pass)
    SELECT ${id}::int, url, ${pass}::int FROM unnest(${urls}::text[]) AS url
    ON CONFLICT (index_id, url) DO UPDATE SET listed_pass = excluded.listed_pass`;
}

async function saveProducts(
  tx: Prisma.TransactionClient,
  { id, pass }: ClaimedIndex,
  page: string,
  products: readonly ReadProduct[],
): Promise<void> {
  const unique = new Map(products.map((product) => [`${product.market} ${product.productId}`, product]));
  const rows = [...unique.values()].map(toRow);
  // In one order on every node, so that two transactions cannot deadlock.
  const vocabulary = [...new Set(rows.flatMap((row) => row.vocabulary))].toSorted();
  await tx.$executeRaw`INSERT INTO product_words (word) SELECT unnest(${vocabulary}::text[]) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`INSERT INTO indexed_products (index_id, page, pass, read_at, product_id, market, other_markets, title,
      vendor, sku, variant_title, price_minor, compare_at_minor, currency, available, image_url, product_url, price_band, search)
    SELECT ${id}::int, ${page}, ${pass}::int, now(), r.product_id, r.market, r.other_markets, r.title, r.vendor, r.sku,
      r.variant_title, r.price_minor, r.compare_at_minor, r.currency, r.available, r.image_url, r.product_url, r.price_band,
      array_to_tsvector(r.lexemes)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (product_id text, market text, other_markets text[], title text,
      vendor text, sku text, variant_title text, price_minor bigint, compare_at_minor bigint, currency text, available boolean,
      image_url text, product_url text, price_band int, lexemes text[])
    ON CONFLICT (index_id, product_id, market) DO UPDATE SET page = excluded.page, pass = excluded.pass,
      read_at = excluded.read_at, other_markets = excluded.other_markets, title = excluded.title, vendor = excluded.vendor,
      sku = excluded.sku, variant_title = excluded.variant_title, price_minor = excluded.price_minor,
      compare_at_minor = excluded.compare_at_minor, currency = excluded.currency, available = excluded.available,
      image_url = excluded.image_url, product_url = excluded.product_url, price_band = excluded.price_band,
      search = excluded.search`;
}

/** The row of a product. Its keys are the statement's columns. */
function toRow(product: ReadProduct) {
  const title = product.title.slice(0, MAX_TITLE_LENGTH);
  const { vendor, keywords, description, currency, available, priceMinor } = product;
  const { lexemes, vocabulary } = readProductWords({ short: [title, ...keywords], long: [vendor, description] });
  const band = priceBandOf(priceMinor);
  return {
    ...{ product_id: product.productId, market: product.market, other_markets: product.otherMarkets, title, vendor },
    ...{ sku: product.sku, variant_title: product.variantTitle, price_minor: priceMinor, currency, available },
    ...{ compare_at_minor: product.compareAtMinor, image_url: product.imageUrl, product_url: product.productUrl },
    ...{ price_band: band, lexemes: available ? [...lexemes, bandLexeme(currency, band)] : lexemes, vocabulary },
  };
}
