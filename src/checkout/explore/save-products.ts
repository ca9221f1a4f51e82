/** Storage of a catalogue's products as just read. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { FoundProduct } from "../worker-protocol/exploration.ts";

/** Days after which products missing from partial reads are deleted. */
const UNSEEN_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Stores products in a transaction that has locked the catalogue's row. A complete read deletes all other products. A partial
 * read retains unseen products for `UNSEEN_DAYS`.
 */
export async function saveProducts(
  tx: Prisma.TransactionClient,
  catalogueId: string,
  { products, isWhole }: { readonly products: readonly FoundProduct[]; readonly isWhole: boolean },
): Promise<void> {
  const readAt = new Date();
  const skus = products.map(({ sku }) => sku);
  const unseen = { readAt: { lt: new Date(readAt.getTime() - UNSEEN_DAYS * DAY_MS) } };
  await tx.merchantProduct.deleteMany({
    where: { catalogueId, ...(isWhole ? {} : { OR: [{ sku: { in: skus } }, unseen] }) },
  });
  const rows = products.map((product) => ({
    ...product,
    ...{ catalogueId, readAt, priceMinor: BigInt(product.priceMinor) },
  }));
  await tx.merchantProduct.createMany({ data: rows, skipDuplicates: true });
}
