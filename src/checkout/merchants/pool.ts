/** The approved pool: configured merchants that agents may search and buy from. */
import { readFileSync } from "node:fs";
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { ConfigError } from "../../platform/config/load.ts";
import type { Database } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import type { RecipeDefinition } from "../worker-protocol/recipe.ts";
import { alternativeDomains, lockDomain } from "./merchants.ts";
import { findNewestRecipe, saveRecipe } from "./recipes.ts";

const country = z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166 code such as GB");
const origin = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin);
const poolEntry = z.strictObject({
  url: origin,
  name: z.string().min(1).max(200),
  country,
  currency: z.string().refine((value) => currencyOf(value) !== undefined, "must be an ISO 4217 code such as GBP"),
  rail: z.enum(["shopify", "worker"]).default("shopify"),
  isTest: z.boolean().default(false),
  shipsTo: z.array(country).default([]),
  supportsPickup: z.boolean().default(false),
  taxPolicy: z.enum(["included", "added", "unknown"]).default("unknown"),
  logoUrl: z.url({ protocol: /^https?$/ }).nullish(),
  /** Origins of checkout pages other than the merchant's own. */
  checkoutOrigins: z.array(origin).max(10).default([]),
  /** Origins whose frames may contain card fields. Omitted: those of known card processors. */
  cardFrameOrigins: z.array(origin).max(10).nullable().default(null),
  /** False: included in search only, until an account explores it. */
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

/** Stores the pool in the database. All facts of a pooled merchant are the operator's; nothing from an exploration remains. */
export async function savePool(db: Database, entries: readonly PoolEntry[]): Promise<void> {
  for (const entry of entries) await db.prisma.$transaction((tx) => saveEntry(tx, entry), LONG_TRANSACTION);
}

async function saveEntry(tx: Prisma.TransactionClient, entry: PoolEntry): Promise<void> {
  const { url, name, country: countryCode, currency, rail, isTest, shipsTo, supportsPickup, taxPolicy } = entry;
  const domain = new URL(url).host;
  const now = new Date();
  const facts = {
    ...{ domain, pooledDomain: domain, accountId: null, url, name, countryCode, currency, rail, isTest },
    ...{ shipsTo, supportsPickup, taxPolicy, logoUrl: entry.logoUrl ?? null, updatedAt: now },
    // A merchant that an administrator vetted remains onboarded.
    ...(entry.onboarded ? { onboardedAt: now } : {}),
  };
  await lockDomain(tx, domain);
  const known = await tx.merchant.findFirst({ where: { pooledDomain: { in: alternativeDomains(domain) } } });
  const { id } = known
    ? await tx.merchant.update({ where: { id: known.id }, data: facts })
    : await tx.merchant.create({ data: { ...facts, id: newId("mer") } });
  await retireOwnRecords(tx, domain);
  await saveConfiguredRecipe(tx, id, entry);
}

/** Writes the origins of an entry. Without any, a recipe that a reviewer vetted remains. */
async function saveConfiguredRecipe(tx: Prisma.TransactionClient, merchantId: string, entry: PoolEntry): Promise<void> {
  const owner = { merchantId, accountId: null };
  const hasOrigins = entry.checkoutOrigins.length > 0 || entry.cardFrameOrigins !== null;
  const newest = hasOrigins ? null : await findNewestRecipe(tx, owner);
  if (hasOrigins || newest?.isConfigured) await saveRecipe(tx, owner, createRecipe(entry), { isConfigured: true });
}

/** Makes accounts' own records of a host refuse orders, because the pooled merchant replaces them. */
export async function retireOwnRecords(tx: Prisma.TransactionClient, domain: string): Promise<void> {
  await tx.merchant.updateMany({
    where: { pooledDomain: null, domain: { in: alternativeDomains(domain) }, onboardedAt: { not: null } },
    data: { onboardedAt: null },
  });
}

function createRecipe({ url, checkoutOrigins, cardFrameOrigins }: PoolEntry): RecipeDefinition {
  return {
    ...{ format: 1, basketUrl: null, checkoutOrigins: [...new Set([url, ...checkoutOrigins])], cardFrameOrigins },
    ...{ fields: {}, controls: {}, payPath: null },
  };
}
