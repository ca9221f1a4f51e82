/**
 * Dry run of a checkout: an order of kind `explored` that fills in the merchant's checkout up to the payment page. It has no
 * card, and the worker lets nothing leave that could place an order.
 */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { DispatchDeps } from "../deps.ts";
import { type Cardholder, findCardholder } from "../dispatch/cardholder.ts";
import { assertMayBuyAt } from "../dispatch/dispatch-order.ts";
import { createSnapshot } from "../dispatch/price-dispatch.ts";
import {
  assertBelowLimit,
  EXPLORATIONS_PER_HOUR,
  findExploration,
  releaseDigest,
} from "../explore/place-exploration.ts";
import { findRecordIds, isPooled, requireMerchant } from "../merchants/merchants.ts";
import { findRecipe } from "../merchants/recipes.ts";
import { type CartInput, type CartRequest, parseCartRequest } from "../order-request.ts";
import { sealDeliveryAddress } from "../orders/delivery-address.ts";
import { publishOrder } from "../orders/order-events.ts";
import type { ExplorationRequest } from "../orders/request.ts";
import { APPROVAL_REASONS, evaluatePolicy } from "../policy/evaluate-policy.ts";
import { PolicyDocument } from "../policy/policy-document.ts";
import { priceCart } from "../quote/price-cart.ts";
import { createCardEntry } from "../worker-protocol/card-entry.ts";
import { digestOfDryRun } from "./latest-dry-run.ts";

const HOUR_SECONDS = 3_600;

/**
 * Starts a dry run and returns its order id. Repeating a request in progress returns the id of the existing order.
 * @throws {ForbiddenError} the account's policy does not let the merchant see name, address and email
 * @throws {InvalidRequestError} the cart cannot be delivered, or a fulfilment option must be chosen
 * @throws the errors of a quote, and {RateLimitedError}
 */
export async function startDryRun(deps: DispatchDeps, viewer: Viewer | null, input: CartInput): Promise<string> {
  const account = requireAccount(viewer);
  requireScope(account, "orders:write");
  const request = parseCartRequest(input);
  const { accountId, credentialId } = account;
  const merchant = await requireMerchant(deps.db, accountId, request.merchantId);
  assertMayBuyAt(account, merchant);
  const cardholder = await findCardholder(deps.db, account, null);
  await assertDisclosable(deps, { account, merchant, request, cardholder });
  await deps.rateLimiter.consume("explore", accountId, EXPLORATIONS_PER_HOUR, HOUR_SECONDS);
  const home = cardholder.home.address;
  const quote = await priceCart(deps, request, { merchant, home });
  if (quote.unfulfillable) throw new InvalidRequestError(quote.unfulfillable.message, "items");
  if (quote.requiresChoice) {
    throw new InvalidRequestError("fulfillmentOptionId is missing. Choose one of the quote.", "fulfillmentOptionId");
  }
  const option = quote.options.find(({ id }) => id === quote.selectedOptionId);
  if (option?.location || option?.type === "digital" || request.pickup) {
    throw new InvalidRequestError("A dry run needs an order that is delivered to an address.", "fulfillmentOptionId");
  }
  const deliverTo = request.shipTo ?? cardholder.home;
  const recipe = await findRecipe(deps.db.prisma, merchant);
  const id = newId("ord");
  const dispatchSha256 = digestOfDryRun(request, home, quote.selectedOptionId);
  const stored: ExplorationRequest = {
    ...{ merchantUrl: merchant.url, goal: "Dry run of the checkout", prefs: null, currency: quote.currency },
    dryRun: {
      ...{ items: request.items, fulfillmentOptionId: request.fulfillmentOptionId },
      ...{ pickupLocation: null, pickupLocationId: null, constraints: request.constraints },
      agentId: cardholder.agentId,
    },
  };
  const columns = {
    ...{ id, accountId, credentialId, kind: "explored", status: "pending", dispatchSha256 },
    ...{ request: stored as object, merchantId: merchant.id, isTest: merchant.isTest, currency: quote.currency },
    ...{ quote: createSnapshot(quote), cardEntry: { ...createCardEntry(merchant.url, recipe?.definition) } },
    ...{ shipToSha256: request.shipTo?.sha256 ?? null },
    ...(request.shipTo ? { shipToEcho: { ...request.shipTo.echo } } : {}),
    ...(await sealDeliveryAddress(deps.keks, { id, accountId }, deliverTo.address)),
  };
  return await withAccountLock(deps.db, accountId, async (tx) => {
    await holdOpen(tx, accountId);
    const inProgress = await findExploration({ db: { prisma: tx } }, { accountId, dispatchSha256 });
    if (inProgress !== null) return inProgress;
    await assertBelowLimit(tx, accountId);
    await releaseDigest(tx, accountId, dispatchSha256);
    await tx.checkoutOrder.create({ data: columns, select: { id: true } });
    return id;
  }).then((orderId) => {
    publishOrder(deps.pubsub, { accountId, id: orderId });
    return orderId;
  });
}

/**
 * A dry run shows the merchant name, address and email as a purchase does. The policy must permit a purchase there, apart from
 * amount, currency and card. @throws {ForbiddenError}
 */
async function assertDisclosable(
  { db }: DispatchDeps,
  purchase: {
    readonly account: AccountViewer;
    readonly merchant: Merchant;
    readonly request: CartRequest;
    readonly cardholder: Cardholder;
  },
): Promise<void> {
  const { account, merchant, request, cardholder } = purchase;
  const { accountId } = account;
  const { checkoutPolicy, checkoutOrder } = db.prisma;
  const succeeded = { accountId, merchantId: merchant.id, kind: "purchase", status: "succeeded" };
  const [policy, earlier, recordIds] = await Promise.all([
    checkoutPolicy.findUnique({ where: { activeSlot: accountId } }),
    checkoutOrder.findFirst({ where: succeeded, select: { id: true } }),
    findRecordIds(db, merchant),
  ]);
  const cards = PolicyDocument.safeParse(policy?.document).data?.card_alias_ids ?? [];
  const evaluation = evaluatePolicy(policy, {
    ...{ merchantId: merchant.id, recordIds, isNewMerchant: earlier === null, isNewCardEntry: false },
    merchantCountryCode: isPooled(merchant) ? merchant.countryCode : null,
    isShippedElsewhere: request.shipTo !== null && request.shipTo.sha256 !== cardholder.home.sha256,
    // Nothing is charged.
    ...{ amountMinor: 0, currency: policy?.currency ?? "", cardId: cards[0] ?? "" },
  });
  if (evaluation.covered) return;
  throw new ForbiddenError(
    `The merchant may not see name, address and email: ${APPROVAL_REASONS[evaluation.reason]} No dry run was started.`,
  );
}
