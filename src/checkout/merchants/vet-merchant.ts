/** Vetting of explored merchants by administrators: what one account's exploration found becomes available to every account. */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { requireReviewer } from "../../accounts/reviewer.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { RecipeDefinition } from "../worker-protocol/recipe.ts";
import { isPooledName } from "./merchant-names.ts";
import { alternativeDomains, lockDomain } from "./merchants.ts";
import { retireOwnRecords } from "./pool.ts";
import { findNewestRecipe, saveRecipe } from "./recipes.ts";

/** The account explored the merchant again after the reviewer read it. Nothing was changed. */
export class MerchantChangedError extends ServiceError {
  readonly code = "merchant_changed";
  constructor() {
    super("The merchant was explored again since you read it. Nothing was changed. Reload it, then decide.");
  }
}

/**
 * Admits an explored merchant to the pool with its facts, catalogue and recipe. For a merchant of the pool, only the
 * catalogue and the recipe are admitted, because its facts are the operator's.
 *
 * @param input.catalogueId the account's catalogue of the merchant
 * @param input.ifReadAt the `readAt` that the reviewer saw
 * @throws {ForbiddenError} if the viewer is not a reviewer
 * @throws {NotFoundError | MerchantChangedError}
 * @throws {InvalidRequestError} the pool has another merchant with this domain or a name that looks like this one
 */
export async function vetMerchant(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  input: { readonly catalogueId: string; readonly ifReadAt: Date },
): Promise<Merchant> {
  const { reviewerId: vettedById } = requireReviewer(viewer);
  const { catalogueId: id, ifReadAt } = input;
  return await db.prisma.$transaction(async (tx) => {
    const find = () => tx.merchantCatalogue.findUnique({ where: { id }, include: { merchant: true } });
    // The lock prevents a concurrent exploration from changing what is vetted. The domain of a merchant never changes.
    await lockDomain(tx, (await find())?.merchant.domain ?? "");
    const found = await find();
    if (!found?.accountId) throw new NotFoundError("There is no such explored merchant.");
    const { merchant, accountId, readAt } = found;
    if (readAt.getTime() !== ifReadAt.getTime()) throw new MerchantChangedError();
    const recipe = await findNewestRecipe(tx, { merchantId: merchant.id, accountId });
    if (merchant.pooledDomain === null) await assertMayJoinPool(tx, merchant);
    const now = new Date();
    const vetted = await tx.merchant.update({
      where: { id: merchant.id },
      data: { accountId: null, pooledDomain: merchant.domain, onboardedAt: now, updatedAt: now },
    });
    await retireOwnRecords(tx, vetted.domain);
    await replaceVettedCatalogue(tx, { id, merchantId: vetted.id }, { vettedAt: now, vettedById });
    if (recipe) {
      const definition = RecipeDefinition.parse(recipe.definition);
      await saveRecipe(tx, { merchantId: vetted.id, accountId: null }, definition);
    }
    return vetted;
  }, LONG_TRANSACTION);
}

async function assertMayJoinPool(tx: Prisma.TransactionClient, { name, domain }: Merchant): Promise<void> {
  const domains = alternativeDomains(domain);
  const pooled = await tx.merchant.findFirst({ where: { pooledDomain: { in: domains } }, select: { id: true } });
  if (pooled) throw new InvalidRequestError(`The pool already has a merchant at ${domain}.`, "id");
  if (await isPooledName(tx, name)) {
    throw new InvalidRequestError(`The pool already has a merchant whose name looks like "${name}".`, "id");
  }
}

async function replaceVettedCatalogue(
  tx: Prisma.TransactionClient,
  { id, merchantId }: { readonly id: string; readonly merchantId: string },
  vetted: { readonly vettedAt: Date; readonly vettedById: string | null },
): Promise<void> {
  const former = { merchantId, accountId: null };
  await tx.merchantProduct.deleteMany({ where: { catalogue: former } });
  await tx.merchantCatalogue.deleteMany({ where: former });
  await tx.merchantCatalogue.update({ where: { id }, data: { ...vetted, accountId: null } });
}
