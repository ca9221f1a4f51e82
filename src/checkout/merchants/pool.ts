/** The approved pool: configured merchants that agents may search and buy from. */
import { readFileSync } from "node:fs";
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import { ConfigError } from "../../platform/config/load.ts";
import type { Database } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";

const country = z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166 code such as GB");
const poolEntry = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin),
  name: z.string().min(1).max(200),
  country,
  currency: z.string().refine((value) => currencyOf(value) !== undefined, "must be an ISO 4217 code such as GBP"),
  rail: z.enum(["shopify", "worker"]).default("shopify"),
  isTest: z.boolean().default(false),
  shipsTo: z.array(country).default([]),
  supportsPickup: z.boolean().default(false),
  taxPolicy: z.enum(["included", "added", "unknown"]).default("unknown"),
  logoUrl: z.url({ protocol: /^https?$/ }).nullish(),
  /** False: included in search only, until explored. */
  onboarded: z.boolean().default(false),
});

export type PoolEntry = z.output<typeof poolEntry>;

/**
 * Parses CHECKOUT_POOL: JSON, or the path of a JSON file.
 * @throws {ConfigError} naming the invalid entries
 */
export function readPool(text: string): PoolEntry[] {
  const parsed = z.array(poolEntry).safeParse(parse(text));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) => `CHECKOUT_POOL: ${path.join(".") || "it"} ${message}`),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(/^\s*\[/.test(text) ? text : readFileSync(text, "utf8"));
  } catch (error) {
    throw new ConfigError([`CHECKOUT_POOL: is neither valid JSON nor a readable file (${(error as Error).name})`]);
  }
}

/**
 * Stores the pool in the database. Fields that an entry omits retain the values found by exploration, and an onboarded
 * merchant remains onboarded.
 */
export async function savePool(db: Database, entries: readonly PoolEntry[]): Promise<void> {
  const now = new Date();
  for (const { onboarded, ...entry } of entries) {
    const facts = { ...pickColumns(entry), isPooled: true, updatedAt: now };
    await db.prisma.merchant.upsert({
      where: { domain: new URL(entry.url).host },
      create: { ...facts, id: newId("mer"), domain: new URL(entry.url).host, onboardedAt: onboarded ? now : null },
      update: { ...facts, ...(onboarded ? { onboardedAt: now } : {}) },
    });
  }
}

function pickColumns({ url, name, country, currency, rail, isTest, ...more }: Omit<PoolEntry, "onboarded">) {
  const { shipsTo, supportsPickup, taxPolicy, logoUrl } = more;
  return {
    ...{ url, name, countryCode: country, currency, rail, isTest },
    ...(shipsTo.length > 0 ? { shipsTo } : {}),
    ...(supportsPickup ? { supportsPickup } : {}),
    ...(taxPolicy === "unknown" ? {} : { taxPolicy }),
    ...(logoUrl ? { logoUrl } : {}),
  };
}
