/**
 * Storage of an exploration: the merchant, its products, and the recipe for driving its checkout. All of it comes from
 * untrusted pages and therefore belongs to the account that explored. Facts and recipes of pooled merchants are the
 * operator's. An exploration adds the account's catalogue, and a recipe that no order uses until a reviewer vets it.
 */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { addressKind } from "../../platform/egress/addresses.ts";
import { LOCALHOST } from "../../platform/egress/target-url.ts";
import { newId } from "../../platform/ids.ts";
import { isPooledName } from "../merchants/merchant-names.ts";
import { alternativeDomains, lockDomain } from "../merchants/merchants.ts";
import { saveRecipe } from "../merchants/recipes.ts";
import type { Exploration } from "../worker-protocol/exploration.ts";
import type { RecipeDefinition } from "../worker-protocol/recipe.ts";
import { saveProducts } from "./save-products.ts";

/** Result of an exploration. A Storefront API merchant has no recipe; workers drive its checkout generically. */
export type ExploredMerchant = Omit<Exploration, "recipe"> & {
  readonly rail: "shopify" | "worker";
  readonly recipe: RecipeDefinition | null;
};

/**
 * Stores an exploration of the account in the caller's transaction. The merchant is identified by `explored.url`, not by
 * the requested URL: a site that links to another merchant is not that merchant.
 *
 * @returns the merchant; null if it uses the name of a pooled merchant, and then nothing is stored
 */
export async function saveExploration(
  tx: Prisma.TransactionClient,
  accountId: string,
  explored: ExploredMerchant,
): Promise<Merchant | null> {
  const { host } = new URL(explored.url);
  await lockDomain(tx, host);
  const domains = alternativeDomains(host);
  const pooled = await tx.merchant.findFirst({ where: { pooledDomain: { in: domains } } });
  if (!pooled && (await isPooledName(tx, explored.name))) return null;
  const merchant = pooled ?? (await saveOwnMerchant(tx, accountId, explored, domains));
  const catalogueId = await saveCatalogue(tx, merchant.id, accountId);
  await saveProducts(tx, catalogueId, explored);
  if (explored.recipe) await saveRecipe(tx, { merchantId: merchant.id, accountId }, explored.recipe);
  return merchant;
}

/** Writes the account's own record of a merchant outside the pool. */
async function saveOwnMerchant(
  tx: Prisma.TransactionClient,
  accountId: string,
  { url, rail, name, currency, countryCode, shipsTo, supportsPickup, taxPolicy, logoUrl }: ExploredMerchant,
  domains: readonly string[],
): Promise<Merchant> {
  const now = new Date();
  const { host, hostname } = new URL(url);
  const known = await tx.merchant.findMany({
    where: { accountId, domain: { in: [...domains] } },
    select: { domain: true },
  });
  const domain = known.length === 1 ? (known[0]?.domain ?? host) : host;
  const facts = { name, rail, currency, countryCode, shipsTo, supportsPickup, logoUrl };
  const written = await tx.merchant.upsert({
    where: { accountId_domain: { accountId, domain } },
    create: {
      ...{ ...facts, taxPolicy, id: newId("mer"), accountId, domain, url },
      ...{ isTest: isLoopbackHost(hostname), onboardedAt: now },
    },
    // A policy that pages stated, or a charge showed, remains known.
    update: { ...facts, ...(taxPolicy === "unknown" ? {} : { taxPolicy }), updatedAt: now, onboardedAt: now },
  });
  // The first exploration may have used http.
  return written.url === url.replace(/^https:/, "http:")
    ? await tx.merchant.update({ where: { id: written.id }, data: { url } })
    : written;
}

/** Records that the account read the merchant's catalogue now, and returns the catalogue's id. */
async function saveCatalogue(tx: Prisma.TransactionClient, merchantId: string, accountId: string): Promise<string> {
  const now = new Date();
  const { id } = await tx.merchantCatalogue.upsert({
    where: { merchantId_accountId: { merchantId, accountId } },
    create: { id: newId("cat"), merchantId, accountId, readAt: now, attemptedAt: now },
    update: { readAt: now, attemptedAt: now },
  });
  return id;
}

/** Reports whether the host is this machine. Such merchants are for testing only. */
function isLoopbackHost(hostname: string): boolean {
  return LOCALHOST.test(hostname) || addressKind(hostname.replace(/^\[|\]$/g, "")) === "loopback";
}
