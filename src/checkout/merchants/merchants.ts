/** Merchants that accept orders, and the pool that search covers (spec sections 2.12 and 4.8). */
import type { Merchant, MerchantCatalogue, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { containsFilter } from "../../platform/database/text.ts";
import { NotFoundError } from "../../platform/errors.ts";

/** Maximum size of the merchant list (spec section 8). */
export const MAX_MERCHANTS = 50;

/** A merchant with the catalogue that an account uses; null if it has none. */
export type MerchantView = Merchant & { readonly catalogue: MerchantCatalogue | null };

/** Whether the merchant is in the approved pool, whose data the operator maintains. */
export function isPooled({ pooledDomain }: Pick<Merchant, "pooledDomain">): boolean {
  return pooledDomain !== null;
}

/** Returns a filter for the merchants that an account may see: those of the pool, and those that it explored. */
export function visibleFilter(accountId: string): { OR: Prisma.MerchantWhereInput[] } {
  return { OR: [{ pooledDomain: { not: null } }, { accountId }] };
}

/** Returns a filter for visible merchants that accept orders from the account and whose name or domain contains `q`. */
export function merchantsFilter(accountId: string, q: string | null): Prisma.MerchantWhereInput {
  const like = q?.trim() ? containsFilter(q) : null;
  const explored = { pooledDomain: { not: null }, catalogues: { some: { accountId } } };
  const accepting = { OR: [{ onboardedAt: { not: null } }, explored] };
  return { AND: [visibleFilter(accountId), accepting, ...(like ? [{ OR: [{ name: like }, { domain: like }] }] : [])] };
}

/**
 * Selects the catalogues that an account may use: its own, and the vetted one, which is used without an own one. Pass the
 * result to `pickCatalogue`.
 */
export function cataloguesOf(accountId: string) {
  return {
    where: { OR: [{ accountId }, { accountId: null }] },
    orderBy: { accountId: { sort: "asc", nulls: "last" } },
  } satisfies Prisma.Merchant$cataloguesArgs;
}

/** Returns the catalogue to use of those that `cataloguesOf` selected. */
export function pickCatalogue<Catalogue>([catalogue]: readonly Catalogue[]): Catalogue | null {
  return catalogue ?? null;
}

/** Whether the account may order from a visible merchant. Other merchants must be explored first. */
export function isOnboarded(
  { onboardedAt, pooledDomain }: Pick<Merchant, "onboardedAt" | "pooledDomain">,
  catalogue: Pick<MerchantCatalogue, "accountId"> | null,
): boolean {
  return onboardedAt !== null || (pooledDomain !== null && catalogue !== null && catalogue.accountId !== null);
}

/**
 * Returns the merchant with this id, as the account sees it.
 * @throws {NotFoundError} there is none, or it belongs to another account. If the merchant is only in the pool, the message
 *   states that it must be explored.
 */
export async function requireMerchant(db: Database, accountId: string, id: string): Promise<MerchantView> {
  const found = await db.prisma.merchant.findFirst({
    where: { id, ...visibleFilter(accountId) },
    include: { catalogues: cataloguesOf(accountId) },
  });
  if (!found) throw new NotFoundError("There is no such merchant.");
  const { catalogues, ...merchant } = found;
  const catalogue = pickCatalogue(catalogues);
  if (!isOnboarded(merchant, catalogue)) {
    throw new NotFoundError(`${merchant.name} is not onboarded. Explore ${merchant.url} first.`);
  }
  return { ...merchant, catalogue };
}

/** Returns the visible merchants at these hosts by host. A pooled merchant precedes the account's own record of its host. */
export async function findMerchantsByDomain(
  db: Pick<Prisma.TransactionClient, "merchant">,
  accountId: string,
  domains: readonly string[],
): Promise<Map<string, Merchant>> {
  const rows = await db.merchant.findMany({
    where: { domain: { in: [...new Set(domains)] }, ...visibleFilter(accountId) },
    orderBy: { pooledDomain: { sort: "desc", nulls: "first" } },
  });
  return new Map(rows.map((row) => [row.domain, row]));
}

/** Returns the host with and without `www.`: both are the same merchant. */
export function alternativeDomains(host: string): string[] {
  return [host, host.startsWith("www.") ? host.slice(4) : `www.${host}`];
}
