/** Shops that can be bought from, and the pool that is searched (spec sections 2.12 and 4.8). */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { containsFilter } from "../../platform/database/text.ts";
import { NotFoundError } from "../../platform/errors.ts";

/** Spec section 8. */
export const MAX_MERCHANTS = 50;

/** Onboarded shops whose name or domain holds `q`; by name. */
export function merchantsWhere(q: string | null): Prisma.MerchantWhereInput {
  const like = q?.trim() ? containsFilter(q) : null;
  return { onboardedAt: { not: null }, ...(like ? { OR: [{ name: like }, { domain: like }] } : {}) };
}

/**
 * The onboarded shop of that id.
 * @throws {NotFoundError} it is none; where a search or lookup named it, with what comes first
 */
export async function requireMerchant(db: Database, id: string): Promise<Merchant> {
  const merchant = await db.prisma.merchant.findUnique({ where: { id } });
  if (merchant?.onboardedAt) return merchant;
  const why = merchant
    ? `${merchant.name} is no merchant yet: explore ${merchant.url} first.`
    : "There is no such merchant.";
  throw new NotFoundError(why);
}

/** The shops at these hosts, by host, whether onboarded or only in the pool. */
export async function merchantsByDomain(db: Database, domains: readonly string[]): Promise<Map<string, Merchant>> {
  const rows = await db.prisma.merchant.findMany({ where: { domain: { in: [...new Set(domains)] } } });
  return new Map(rows.map((row) => [row.domain, row]));
}
