/** Shops that can be bought from, and the pool that is searched (spec sections 2.12 and 4.8). */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { containing } from "../../platform/containing.ts";
import type { Database } from "../../platform/database.ts";

/** Spec section 8. */
export const MAX_MERCHANTS = 50;

/** Onboarded shops whose name or domain holds `q`; by name. */
export function merchantsWhere(q: string | null): Prisma.MerchantWhereInput {
  const like = q?.trim() ? containing(q) : null;
  return { onboardedAt: { not: null }, ...(like ? { OR: [{ name: like }, { domain: like }] } : {}) };
}

/** The onboarded shop of that id, or null. */
export function findMerchant(db: Database, id: string): Promise<Merchant | null> {
  return db.prisma.merchant.findFirst({ where: { id, onboardedAt: { not: null } } });
}

/** The shops at these hosts, by host, whether onboarded or only in the pool. */
export async function merchantsByDomain(db: Database, domains: readonly string[]): Promise<Map<string, Merchant>> {
  const rows = await db.prisma.merchant.findMany({ where: { domain: { in: [...new Set(domains)] } } });
  return new Map(rows.map((row) => [row.domain, row]));
}
