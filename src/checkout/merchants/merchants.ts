/** Merchants that accept orders, and the pool that search covers (spec sections 2.12 and 4.8). */
import type { Merchant, MerchantCatalogue, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { containsFilter } from "../../platform/database/text.ts";
import { NotFoundError } from "../../platform/errors.ts";

/** First key of the advisory locks on merchants' domains. */
const DOMAIN_LOCKS = 1_297_436_243;

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

/** As `visibleFilter`, without the account's own records that a merchant of the pool has replaced. */
export function currentFilter(accountId: string): { OR: Prisma.MerchantWhereInput[] } {
  return { OR: [{ pooledDomain: { not: null } }, { accountId, onboardedAt: { not: null } }] };
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
    where: { domain: { in: [...new Set(domains)] }, ...currentFilter(accountId) },
    orderBy: { pooledDomain: { sort: "desc", nulls: "first" } },
  });
  return new Map(rows.map((row) => [row.domain, row]));
}

/** Returns the host with and without `www.`: both are the same merchant. */
export function alternativeDomains(host: string): string[] {
  return [host, host.startsWith("www.") ? host.slice(4) : `www.${host}`];
}

/**
 * Waits for, and then prevents, other changes of merchants at this host and of their catalogues and recipes, until the
 * transaction ends. Every transaction that makes such changes acquires this lock first.
 */
export async function lockDomain(tx: Prisma.TransactionClient, host: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${DOMAIN_LOCKS}::int, hashtext(${host.replace(/^www\./, "")}))`;
}

/** Returns the ids of all records of the merchant, also of other accounts: each account may have its own. */
export async function findRecordIds(db: Database, { domain }: Pick<Merchant, "domain">): Promise<string[]> {
  const rows = await db.prisma.merchant.findMany({
    where: { domain: { in: alternativeDomains(domain) } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
