/** Recipes of merchants. Each version is immutable and belongs to the account that found it, or to the operator. */
import type { CheckoutRecipe, Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { RecipeDefinition } from "../worker-protocol/recipe.ts";

/** A merchant and the owner of its recipe: an account, or null for the operator. */
interface RecipeOwner {
  readonly merchantId: string;
  readonly accountId: string | null;
}

/**
 * Returns the recipe by which orders at the merchant are driven; null if it has none. For a pooled merchant that is the
 * operator's, otherwise that of the account that explored the merchant.
 */
export async function findRecipe(
  db: Pick<Prisma.TransactionClient, "checkoutRecipe">,
  { id: merchantId, accountId }: Pick<Merchant, "id" | "accountId">,
): Promise<CheckoutRecipe | null> {
  return await findNewestRecipe(db, { merchantId, accountId });
}

/**
 * Stores a new version, unless the owner's newest version has the same contents. A version replaces all findings of earlier
 * ones, because findings of an earlier exploration may be false. The transaction holds the lock of the domain (`lockDomain`).
 */
export async function saveRecipe(
  tx: Prisma.TransactionClient,
  owner: RecipeOwner,
  definition: RecipeDefinition,
  { isConfigured = false }: { readonly isConfigured?: boolean } = {},
): Promise<void> {
  const before = await findNewestRecipe(tx, owner);
  const known = RecipeDefinition.safeParse(before?.definition).data;
  const isSame = known && Buffer.compare(canonicalDigest(known), canonicalDigest(definition)) === 0;
  if (isSame && before?.isConfigured === isConfigured) return;
  const { merchantId, accountId } = owner;
  const newest = await tx.checkoutRecipe.findFirst({ where: { merchantId }, orderBy: { version: "desc" } });
  const version = (newest?.version ?? 0) + 1;
  await tx.checkoutRecipe.create({
    data: { id: newId("rcp"), merchantId, accountId, version, definition, isConfigured },
  });
}

/** Returns the newest version that the owner found or wrote. */
export async function findNewestRecipe(
  db: Pick<Prisma.TransactionClient, "checkoutRecipe">,
  { merchantId, accountId }: RecipeOwner,
): Promise<CheckoutRecipe | null> {
  return await db.checkoutRecipe.findFirst({ where: { merchantId, accountId }, orderBy: { version: "desc" } });
}

/** Returns the newest recipe of each owner that has one. */
export async function findNewestRecipes(
  db: Pick<Prisma.TransactionClient, "checkoutRecipe">,
  owners: readonly RecipeOwner[],
): Promise<CheckoutRecipe[]> {
  return await db.checkoutRecipe.findMany({
    where: { OR: owners.map(({ merchantId, accountId }) => ({ merchantId, accountId })) },
    orderBy: { version: "desc" },
    distinct: ["merchantId", "accountId"],
  });
}
