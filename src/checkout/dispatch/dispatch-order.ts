/**
 * `POST /api/autofill/dispatch` (spec section 4.8): places an order that was quoted and approved. Repeating the same
 * dispatch returns the same order, from any client of the account.
 *
 * | Step | Function |
 * |---|---|
 * | Parse the request; run once per Idempotency-Key | `dispatchOrder` |
 * | Find the order of the same dispatch, and the approval of its token | `findOrPlaceOrder` |
 * | Check merchant, destination, quoted terms and cardholder; price the cart again | `preparePurchase` |
 * | Approved order: sign its mandates, consume the approval, transition the order | `useApproval` |
 * | New order: place it within the policy, or request an approval | `placeNewOrder` |
 */
import type { CheckoutOrder, Merchant } from "../../../generated/prisma/client.ts";
import {
  type AccountViewer,
  isHostAllowed,
  requesterIdOf,
  requireAccount,
  requireScope,
  type Viewer,
} from "../../accounts/viewer.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import { runIdempotent } from "../../platform/idempotency/claim.ts";
import { publishApproval } from "../approvals/approval-events.ts";
import { reissueApprovalToken, requiredApproval } from "../approvals/approvals.ts";
import { isRepetitionOfUnknown, reopenApproval } from "../approvals/repeated-purchase.ts";
import type { DispatchDeps } from "../deps.ts";
import { findRecordIds, requireMerchant } from "../merchants/merchants.ts";
import { findRecipe } from "../merchants/recipes.ts";
import { type OrderInput, type OrderRequest, parseOrderRequest } from "../order-request.ts";
import { publishOrder } from "../orders/order-events.ts";
import { assertDestination } from "../quote/price-cart.ts";
import { findDeviation } from "../quote/quoted-terms.ts";
import { createCardEntry } from "../worker-protocol/card-entry.ts";
import { findCardholder } from "./cardholder.ts";
import { ConstraintViolatedError, ShipToMismatchError } from "./errors.ts";
import { type PlacedOrder, placeOrder } from "./place-order.ts";
import { priceDispatch } from "./price-dispatch.ts";
import type { Purchase } from "./purchase.ts";
import { findApproval, useApproval } from "./use-approval.ts";

/**
 * Each dispatch requests a fresh cart from the merchant. Repeating a dispatch that already has an order does not, and is
 * not counted.
 */
const PER_MINUTE = 120;

/**
 * Returns the order immediately; a worker then places it in about a minute.
 * @throws the dispatch errors of spec section 7.3, before any card is used and without placing an order
 * @throws {RateLimitedError} beyond 120 dispatches a minute per account, and 120 a minute per approved order
 */
export async function dispatchOrder(
  deps: DispatchDeps,
  viewer: Viewer | null,
  input: OrderInput,
): Promise<PlacedOrder> {
  const account = requireAccount(viewer);
  requireScope(account, "orders:write");
  const request = parseOrderRequest(input);
  const { idempotencyKey, dispatchSha256, approvalToken } = request;
  if (idempotencyKey === null) return await findOrPlaceOrder(deps, account, request);
  let placed: PlacedOrder | null = null;
  const same = ["dispatch", Buffer.from(dispatchSha256).toString("hex"), approvalToken];
  // Only the order's id is stored with the key: an approval token is for this caller alone.
  const { orderId } = await runIdempotent(deps.db, account.accountId, idempotencyKey, same, async () => {
    placed = await findOrPlaceOrder(deps, account, request);
    return { orderId: placed.orderId };
  });
  if (placed) return placed;
  const order = await deps.db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id: orderId } });
  return await returnExistingOrder(deps, account, order);
}

async function findOrPlaceOrder(
  deps: DispatchDeps,
  viewer: AccountViewer,
  request: OrderRequest,
): Promise<PlacedOrder> {
  const { approvalToken } = request;
  const order = await findOrder(deps, viewer, request);
  if (order && (order.status !== "approval_required" || approvalToken === null)) {
    return await returnExistingOrder(deps, viewer, order);
  }
  const approval = approvalToken === null ? null : await findApproval(deps, viewer, request);
  if (!order || !approval) return await placeNewOrder(deps, viewer, request);
  if (approval.status === "approved") {
    // A separate limit, so other callers of the account cannot exhaust that of an approved order.
    await deps.rateLimiter.consume("dispatch-approved", order.id, PER_MINUTE);
    const purchase = await preparePurchase(deps, viewer, request);
    const { items } = request;
    const recordIds = await findRecordIds(deps.db, purchase.merchant);
    const decided = { accountId: viewer.accountId, recordIds, items, decidedAt: approval.decidedAt };
    if (await isRepetitionOfUnknown(deps.db.prisma, decided)) {
      const reopened = await reopenApproval(deps.db.prisma, approval, deps.checkout.approvalMs);
      if (reopened) publishApproval(deps.pubsub, reopened);
      publishOrder(deps.pubsub, order);
      const required = reopened && requiredApproval(deps.site, reopened, approvalToken ?? "");
      return { orderId: order.id, approval: required };
    }
    await useApproval(deps, order, { approval, purchase });
  }
  const isOpen = approval.status === "pending";
  return { orderId: order.id, approval: isOpen ? requiredApproval(deps.site, approval, approvalToken ?? "") : null };
}

/** Places a new order. Concurrent repetitions return the order of the first one, even if their own checks failed. */
async function placeNewOrder(deps: DispatchDeps, viewer: AccountViewer, request: OrderRequest): Promise<PlacedOrder> {
  const prepare = async () => {
    await deps.rateLimiter.consume("dispatch", viewer.accountId, PER_MINUTE);
    return await preparePurchase(deps, viewer, request);
  };
  const [prepared] = await Promise.allSettled([prepare()]);
  const concurrent = await findOrder(deps, viewer, request);
  if (concurrent) return await returnExistingOrder(deps, viewer, concurrent);
  if (prepared.status === "rejected") throw prepared.reason;
  const placed = await placeOrder(deps, prepared.value);
  if (placed) return placed;
  const first = await findOrder(deps, viewer, request);
  if (!first) throw new Error("The order of the same dispatch no longer exists.");
  return await returnExistingOrder(deps, viewer, first);
}

/** Runs the checks of a dispatch; their order decides which error is reported. @throws as `dispatchOrder` */
async function preparePurchase(deps: DispatchDeps, viewer: AccountViewer, request: OrderRequest): Promise<Purchase> {
  const merchant = await requireMerchant(deps.db, viewer.accountId, request.merchantId);
  assertMayBuyAt(viewer, merchant);
  // Precedes the quoted terms: such a cart has no quote, and the error would be a destination mismatch.
  assertDestination(request, merchant);
  const deviation = await findDeviation(deps.db, viewer.accountId, request);
  if (deviation === "ship_to") throw new ShipToMismatchError();
  if (deviation === "constraints") throw new ConstraintViolatedError(null);
  const cardholder = await findCardholder(deps.db, viewer, request.cardId);
  const quote = await priceDispatch(deps, request, {
    ...{ merchant, home: cardholder.home.address, accountId: viewer.accountId },
  });
  // Last, because an error of the cart itself is more specific.
  if (deviation === "unquoted") throw request.shipTo ? new ShipToMismatchError() : new ConstraintViolatedError(null);
  const isDelivered = !quote.option?.location && quote.option?.type !== "digital";
  const deliverTo = isDelivered ? (request.shipTo ?? cardholder.home) : null;
  const recipe = await findRecipe(deps.db.prisma, merchant);
  const cardEntry = createCardEntry(merchant.url, recipe?.definition);
  return { viewer, request, merchant, cardholder, quote, deliverTo, cardEntry };
}

/**
 * Rejects credentials restricted to other merchants. A card payment names no recipient, so a credential restricted to
 * recipients may not buy either.
 * @throws {ForbiddenError}
 */
export function assertMayBuyAt({ rules }: AccountViewer, { url, name }: Merchant): void {
  if (rules.allowedPayees.length > 0 || rules.merchantUrl !== null || !isHostAllowed(rules, url)) {
    throw new ForbiddenError(`This token may not buy at ${name}. Nothing was ordered.`);
  }
}

async function findOrder({ db }: DispatchDeps, { accountId }: AccountViewer, { dispatchSha256 }: OrderRequest) {
  const where = { accountId_dispatchSha256: { accountId, dispatchSha256 } };
  return await db.prisma.checkoutOrder.findUnique({ where });
}

/** Returns an existing order. While its approval is open, the caller that dispatched it receives a new token. */
async function returnExistingOrder(
  deps: DispatchDeps,
  viewer: AccountViewer,
  { id: orderId, status }: CheckoutOrder,
): Promise<PlacedOrder> {
  const isWaiting = status === "approval_required";
  const mine = { orderId, requesterId: requesterIdOf(viewer) };
  const approval = isWaiting ? await reissueApprovalToken(deps.db.prisma, deps.site, mine) : null;
  return { orderId, approval };
}
