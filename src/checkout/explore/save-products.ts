/** A shop's catalogue as it was just read. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { FoundProduct } from "../worker-protocol/exploration.ts";

/** What was read of a shop in parts is kept this long without being seen again. */
const UNSEEN_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * In a transaction that has the merchant's row. What was not seen is gone where all was read; else it may only not have been
 * looked at, and is kept for a while.
 */
export async function saveProducts(
  tx: Prisma.TransactionClient,
  merchantId: string,
  { products, isWhole }: { readonly products: readonly FoundProduct[]; readonly isWhole: boolean },
): Promise<void> {
  const readAt = new Date();
  const skus = products.map(({ sku }) => sku);
  const unseen = { readAt: { lt: new Date(readAt.getTime() - UNSEEN_DAYS * DAY_MS) } };
  await tx.merchantProduct.deleteMany({
    where: { merchantId, ...(isWhole ? {} : { OR: [{ sku: { in: skus } }, unseen] }) },
  });
  const rows = products.map((product) => ({
    ...product,
    ...{ merchantId, readAt, priceMinor: BigInt(product.priceMinor) },
  }));
  await tx.merchantProduct.createMany({ data: rows, skipDuplicates: true });
}
