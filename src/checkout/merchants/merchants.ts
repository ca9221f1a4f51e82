/** Merchants that accept orders, and the pool that search covers (spec sections 2.12 and 4.8). */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { containsFilter } from "../../platform/database/text.ts";
import { NotFoundError } from "../../platform/errors.ts";

/** Maximum size of the merchant list (spec section 8). */
export const MAX_MERCHANTS = 50;

/** Returns a filter for onboarded merchants whose name or domain contains `q`. */
export function merchantsFilter(q: string | null): Prisma.MerchantWhereInput {
  const like = q?.trim() ? containsFilter(q) : null;
  return { onboardedAt: { not: null }, ...(like ? { OR: [{ name: like }, { domain: like }] } : {}) };
}

/**
 * Returns the onboarded merchant with this id.
 * @throws {NotFoundError} there is none; if the merchant is only in the pool, the message states that it must be explored
 */
export async function requireMerchant(db: Database, id: string): Promise<Merchant> {
  const merchant = await db.prisma.merchant.findUnique({ where: { id } });
  if (merchant?.onboardedAt) return merchant;
  const message = merchant
    ? `${merchant.name} is not onboarded. Explore ${merchant.url} first.`
    : "There is no such merchant.";
  throw new NotFoundError(message);
}

/** Returns the merchants at these hosts by host, both onboarded ones and those only in the pool. */
export async function findMerchantsByDomain(db: Database, domains: readonly string[]): Promise<Map<string, Merchant>> {
  const rows = await db.prisma.merchant.findMany({ where: { domain: { in: [...new Set(domains)] } } });
  return new Map(rows.map((row) => [row.domain, row]));
}
