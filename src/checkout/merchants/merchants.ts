/** Shops that can be bought from, and the pool that is searched (spec sections 2.12 and 4.8). */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database.ts";

/** Spec section 8. */
export const MAX_MERCHANTS = 50;

/** Onboarded shops whose name or domain holds `q`; by name. */
export function merchantsWhere(q: string | null): Prisma.MerchantWhereInput {
  // What LIKE takes for a pattern is meant as it stands.
  const text = (q?.trim() ?? "").replaceAll(/[\\%_]/g, "\\$&");
  const like = { contains: text, mode: "insensitive" } as const;
  return { onboardedAt: { not: null }, ...(text === "" ? {} : { OR: [{ name: like }, { domain: like }] }) };
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
