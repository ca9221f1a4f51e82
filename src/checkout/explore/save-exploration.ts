/** Storage of an exploration: the merchant, its products, and the recipe for driving its checkout. */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { addressKind } from "../../platform/egress/addresses.ts";
import { LOCALHOST } from "../../platform/egress/target-url.ts";
import { newId } from "../../platform/ids.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { Exploration } from "../worker-protocol/exploration.ts";
import { RecipeDefinition } from "../worker-protocol/recipe.ts";
import { saveProducts } from "./save-products.ts";

/** Result of an exploration. A Storefront API merchant has no recipe; workers drive its checkout generically. */
export type ExploredMerchant = Omit<Exploration, "recipe"> & {
  readonly rail: "shopify" | "worker";
  readonly recipe: RecipeDefinition | null;
};

/**
 * Stores an exploration in the caller's transaction. Concurrent explorations of the same merchant wait for its end.
 * The merchant is identified by `explored.url`, not by the requested URL: a site that links to another merchant is not
 * that merchant.
 */
export async function saveExploration(tx: Prisma.TransactionClient, explored: ExploredMerchant): Promise<Merchant> {
  const merchant = await saveMerchant(tx, explored);
  await saveProducts(tx, merchant.id, explored);
  if (explored.recipe) await saveRecipe(tx, merchant.id, explored.recipe);
  return merchant;
}

async function saveMerchant(
  tx: Prisma.TransactionClient,
  { url, rail, name, currency, countryCode, shipsTo, supportsPickup, taxPolicy, logoUrl }: ExploredMerchant,
): Promise<Merchant> {
  const now = new Date();
  const { host, hostname } = new URL(url);
  const domain = await findStoredDomain(tx, host);
  const found = { name, rail, currency, countryCode, shipsTo, supportsPickup, taxPolicy, logoUrl };
  const read = { catalogueReadAt: now, updatedAt: now };
  const written = await tx.merchant.upsert({
    where: { domain },
    create: { ...found, ...read, id: newId("mer"), domain, url, isTest: isLoopbackHost(hostname), onboardedAt: now },
    update: read,
  });
  return await tx.merchant.update({
    where: { id: written.id },
    data: {
      // The first exploration may have used http.
      ...(written.url === url.replace(/^https:/, "http:") ? { url } : {}),
      ...(written.isPooled ? pickUnsetFields(written, found) : found),
      ...(written.onboardedAt === null ? { onboardedAt: now } : {}),
    },
  });
}

/** Returns the stored domain of the merchant, which may be stored with or without `www.`. */
async function findStoredDomain(tx: Prisma.TransactionClient, host: string): Promise<string> {
  const alternative = host.startsWith("www.") ? host.slice(4) : `www.${host}`;
  const known = await tx.merchant.findMany({
    where: { domain: { in: [host, alternative] } },
    select: { domain: true },
  });
  return known.length === 1 ? (known[0]?.domain ?? host) : host;
}

type Found = Pick<ExploredMerchant, "shipsTo" | "supportsPickup" | "taxPolicy" | "logoUrl">;

/** Returns the explored values for fields that the operator's pool entry leaves open; configured values are preserved. */
function pickUnsetFields(pooled: Merchant, { shipsTo, supportsPickup, taxPolicy, logoUrl }: Found) {
  return {
    ...(pooled.shipsTo.length === 0 ? { shipsTo } : {}),
    ...(pooled.taxPolicy === "unknown" ? { taxPolicy } : {}),
    ...(pooled.logoUrl === null ? { logoUrl } : {}),
    ...(supportsPickup ? { supportsPickup } : {}),
  };
}

/** Reports whether the host is this machine. Such merchants are for testing only. */
function isLoopbackHost(hostname: string): boolean {
  return LOCALHOST.test(hostname) || addressKind(hostname.replace(/^\[|\]$/g, "")) === "loopback";
}

async function saveRecipe(tx: Prisma.TransactionClient, merchantId: string, found: RecipeDefinition): Promise<void> {
  const newest = await tx.checkoutRecipe.findFirst({ where: { merchantId }, orderBy: { version: "desc" } });
  const known = newest ? RecipeDefinition.safeParse(newest.definition).data : undefined;
  const definition = known ? mergeRecipes(known, found) : found;
  if (known && Buffer.compare(canonicalDigest(known), canonicalDigest(definition)) === 0) return;
  const version = (newest?.version ?? 0) + 1;
  await tx.checkoutRecipe.create({ data: { id: newId("rcp"), merchantId, version, definition } });
}

/** Merges two recipes and preserves earlier findings: an exploration stops where the checkout requires personal data. */
function mergeRecipes(known: RecipeDefinition, found: RecipeDefinition): RecipeDefinition {
  return {
    ...found,
    basketUrl: found.basketUrl ?? known.basketUrl,
    cardFrameOrigins: found.cardFrameOrigins ?? known.cardFrameOrigins,
    fields: { ...known.fields, ...found.fields },
    controls: { ...known.controls, ...found.controls },
    payPath: found.payPath ?? known.payPath,
  };
}
