/** Vetting of explored merchants by administrators: what one account's exploration found becomes available to every account. */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import { optionalReason, refuseOwn, requireAdministrator } from "../../accounts/administration/administrator.ts";
import { type AdministrationDeps, performAct } from "../../accounts/administration/perform-act.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
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
 * @param input.ifReadAt the `readAt` that the administrator saw
 * @param input.proposalId the proposal that this call confirms, if two administrators are required
 * @throws {ForbiddenError} if the viewer is not an administrator, or the catalogue is that of their own account
 * @throws {ReauthenticationRequiredError} if the session's last proof is more than 10 minutes old
 * @throws {SecondAdministratorRequiredError} if vetting requires two administrators; it was proposed
 * @throws {NotFoundError | MerchantChangedError}
 * @throws {InvalidRequestError} the pool has another merchant with this domain or a name that looks like this one
 */
export async function vetMerchant(
  deps: AdministrationDeps,
  viewer: Viewer | null,
  input: {
    readonly catalogueId: string;
    readonly ifReadAt: Date;
    readonly reason?: string | null | undefined;
    readonly proposalId?: string | null;
  },
): Promise<Merchant> {
  const actor = requireAdministrator(viewer);
  const { catalogueId: id, ifReadAt, proposalId = null } = input;
  const reason = optionalReason(input.reason);
  const explored = requireExplored(await findCatalogue(deps.db.prisma, id), ifReadAt);
  refuseOwn(actor, explored.accountId, "a merchant");
  const act = {
    ...{ actor, action: "merchants.vet" as const, reason, proposalId },
    ...{ subjectAccountId: explored.accountId, subjectType: "merchant", subjectId: explored.merchant.id },
    input: { catalogueId: id, ifReadAt: ifReadAt.toISOString() },
  };
  return await performAct(deps, act, async (tx) => {
    // The lock prevents a concurrent exploration from changing what is vetted. The domain of a merchant never changes.
    await lockDomain(tx, explored.merchant.domain);
    const { merchant, accountId } = requireExplored(await findCatalogue(tx, id), ifReadAt);
    const recipe = await findNewestRecipe(tx, { merchantId: merchant.id, accountId });
    if (merchant.pooledDomain === null) await assertMayJoinPool(tx, merchant);
    const now = new Date();
    const vetted = await tx.merchant.update({
      where: { id: merchant.id },
      data: { accountId: null, pooledDomain: merchant.domain, onboardedAt: now, updatedAt: now },
    });
    await retireOwnRecords(tx, vetted.domain);
    const vetting = { vettedAt: now, vettedById: actor.accountId };
    await replaceVettedCatalogue(tx, { id, merchantId: vetted.id }, vetting);
    if (recipe) {
      const definition = RecipeDefinition.parse(recipe.definition);
      await saveRecipe(tx, { merchantId: vetted.id, accountId: null }, definition);
    }
    return {
      result: vetted,
      before: { isPooled: merchant.pooledDomain !== null },
      after: { isPooled: true, domain: vetted.domain, catalogueId: id },
    };
  });
}

const findCatalogue = (prisma: Pick<Prisma.TransactionClient, "merchantCatalogue">, id: string) =>
  prisma.merchantCatalogue.findUnique({ where: { id }, include: { merchant: true } });

/** Returns an account's own catalogue in the version that the administrator saw. @throws {NotFoundError | MerchantChangedError} */
function requireExplored(found: Awaited<ReturnType<typeof findCatalogue>>, ifReadAt: Date) {
  if (!found?.accountId) throw new NotFoundError("There is no such explored merchant.");
  if (found.readAt.getTime() !== ifReadAt.getTime()) throw new MerchantChangedError();
  return { merchant: found.merchant, accountId: found.accountId };
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
