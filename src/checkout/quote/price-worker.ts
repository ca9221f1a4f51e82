/** Pricing from the stored catalogue, for merchants without an API. Their checkout price is unknown in advance. */
import type { Database } from "../../platform/database/connection.ts";
import { CatalogUnavailableError, SkuNotFoundError } from "../errors.ts";
import type { MerchantView } from "../merchants/merchants.ts";
import { findNearest } from "./nearest.ts";
import type { CartItem, QuoteLine, Unfulfillable } from "./quote.ts";
import { addMaximumTax } from "./tax-ceiling.ts";

const MAX_CANDIDATES = 500;
/** Allowance for the unknown delivery price: a quarter of the goods, and at least 2,000 minor units. */
const SHIPPING_DIVISOR = 4;
const MIN_SHIPPING_MINOR = 2_000;

/** Prices items from the stored catalogue. @throws {SkuNotFoundError | CatalogUnavailableError} */
export async function priceWorker(db: Database, merchant: MerchantView, items: readonly CartItem[]) {
  const catalogueId = merchant.catalogue?.id ?? "";
  const rows = await db.prisma.merchantProduct.findMany({
    where: { catalogueId, sku: { in: items.map(({ sku }) => sku) } },
  });
  const bySku = new Map(rows.map((row) => [row.sku, row]));
  const missing = items.find(({ sku }) => !bySku.has(sku));
  if (missing) throw new SkuNotFoundError(missing.sku, await findNearestProducts(db, catalogueId, missing.sku));
  if (rows.some(({ currency }) => currency !== rows[0]?.currency)) {
    throw new CatalogUnavailableError("The merchant prices the items in several currencies.");
  }
  const lines = items.flatMap(({ sku, quantity }): QuoteLine[] => {
    const row = bySku.get(sku);
    if (!row) return [];
    const unitPriceMinor = Number(row.priceMinor);
    const totalMinor = unitPriceMinor * quantity;
    const { productId, title, variantTitle, available, imageUrl, productUrl } = row;
    return [
      {
        ...{
          sku,
          productId,
          title,
          variantTitle,
          quantity,
          unitPriceMinor,
          available,
          imageUrl,
          productUrl,
          totalMinor,
        },
        subtotalMinor: totalMinor,
        discountMinor: 0,
        requiresShipping: true,
      },
    ];
  });
  const subtotalMinor = lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const shipping = Math.max(MIN_SHIPPING_MINOR, Math.ceil(subtotalMinor / SHIPPING_DIVISOR));
  const soldOut = lines.filter(({ available }) => !available).map(({ sku }) => sku);
  const unfulfillable: Unfulfillable | null =
    soldOut.length > 0
      ? { code: "item_unavailable", message: "The merchant is out of stock.", skus: soldOut, countryCode: null }
      : null;
  const capMinor = addMaximumTax(subtotalMinor + shipping, merchant.countryCode);
  return { currency: rows[0]?.currency ?? merchant.currency, lines, subtotalMinor, capMinor, unfulfillable };
}

async function findNearestProducts(db: Database, catalogueId: string, sku: string) {
  const rows = await db.prisma.merchantProduct.findMany({
    where: { catalogueId },
    take: MAX_CANDIDATES,
    orderBy: { title: "asc" },
  });
  const candidates = rows.map(({ sku: known, title, variantTitle, priceMinor, currency }) => ({
    ...{ sku: known, merchantSku: null, title, variantTitle },
    price: { amountMinor: Number(priceMinor), currency },
  }));
  return findNearest(sku, candidates);
}
