/**
 * `POST /api/autofill/dispatch` (spec section 4.8): places an order that was quoted and approved. The same dispatch is the
 * same order, however often and from wherever it comes.
 */
import type { CheckoutOrder, Merchant } from "../../../generated/prisma/client.ts";
import { type AccountViewer, mayPayHost, requireAccount, requireScope, type Viewer } from "../../accounts/viewer.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import { runIdempotent } from "../../platform/idempotency/claim.ts";
import { approvalStatus, approvalUrl, reissueApprovalToken, secondsLeft } from "../approvals/approvals.ts";
import type { DispatchDeps } from "../deps.ts";
import { requireMerchant } from "../merchants/merchants.ts";
import type { ApprovalReason } from "../policy/evaluate-policy.ts";
import { assertDestination } from "../quote/price-cart.ts";
import { deviationFromQuotes } from "../quote/quoted-terms.ts";
import { shipToDigest } from "../quote/ship-to.ts";
import { findCardholder } from "./cardholder.ts";
import { type CheckedDispatch, checkDispatch, type DispatchInput } from "./check-dispatch.ts";
import { ConstraintViolatedError, ShipToMismatchError } from "./errors.ts";
import { type PlacedOrder, placeOrder } from "./place-order.ts";
import { pickupOf, priceDispatch } from "./price-dispatch.ts";
import type { Purchase } from "./purchase.ts";
import { findApproval, useApproval } from "./use-approval.ts";

/** Each has a shop asked for a fresh cart; a dispatch that is repeated once its order stands is none. */
const PER_MINUTE = 120;

/**
 * Answers the order at once; a worker places it, which takes about a minute.
 * @throws what spec section 7.3 lists under dispatch, before any card is used; then nothing was ordered
 * @throws {RateLimitedError} beyond 120 a minute and account, and as many of one approved order
 */
export async function dispatchOrder(
  deps: DispatchDeps,
  viewer: Viewer | null,
  input: DispatchInput,
): Promise<PlacedOrder> {
  const account = requireAccount(viewer);
  requireScope(account, "payments:sign");
  const asked = checkDispatch(input);
  // A repetition that means another address than it names is none.
  if (asked.shipToSha256 !== null && asked.shipToSha256 !== (asked.shipTo && shipToDigest(asked.shipTo))) {
    throw new ShipToMismatchError();
  }
  if (input.idempotencyKey === null) return await place(deps, account, asked);
  let placed: PlacedOrder | null = null;
  const request = ["dispatch", Buffer.from(asked.digest).toString("hex"), asked.approvalToken];
  // Of the answer only the order is kept: an approval's token is nobody's but the caller's.
  const { orderId } = await runIdempotent(deps.db, account.accountId, input.idempotencyKey, request, async () => {
    placed = await place(deps, account, asked);
    return { orderId: placed.orderId };
  });
  return (
    placed ??
    (await answerOf(deps, account, await deps.db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id: orderId } })))
  );
}

async function place(deps: DispatchDeps, viewer: AccountViewer, asked: CheckedDispatch): Promise<PlacedOrder> {
  const earlier = await findEarlier(deps, viewer, asked);
  const isWaiting = earlier?.status === "approval_required";
  if (earlier && !(isWaiting && asked.approvalToken !== null)) return await answerOf(deps, viewer, earlier);
  const approval = asked.approvalToken === null ? null : await findApproval(deps, viewer, asked);
  if (earlier && approval && approvalStatus(approval) !== "approved") {
    const { id: approvalId, reason } = approval;
    const left = { url: approvalUrl(deps.site, approvalId), expiresInSeconds: secondsLeft(approval) };
    const open = { approvalId, token: asked.approvalToken ?? "", ...left, reason: reason as ApprovalReason };
    return { orderId: earlier.id, approval: approvalStatus(approval) === "pending" ? open : null };
  }
  if (earlier && approval) {
    // Others of the account may dispatch what they like: what its person approved has a limit of its own.
    await deps.rateLimiter.consume("dispatch-approved", earlier.id, PER_MINUTE);
    await useApproval(deps, earlier, { approval, purchase: await preparePurchase(deps, viewer, asked) });
    return { orderId: earlier.id, approval: null };
  }
  return await placeNew(deps, viewer, asked);
}

/** Of the same dispatch sent several times at once, the slower ones answer what the first made, whatever became of theirs. */
async function placeNew(deps: DispatchDeps, viewer: AccountViewer, asked: CheckedDispatch): Promise<PlacedOrder> {
  const prepare = async () => {
    await deps.rateLimiter.consume("dispatch", viewer.accountId, PER_MINUTE);
    return await preparePurchase(deps, viewer, asked);
  };
  const [prepared] = await Promise.allSettled([prepare()]);
  const meanwhile = await findEarlier(deps, viewer, asked);
  if (meanwhile) return await answerOf(deps, viewer, meanwhile);
  if (prepared.status === "rejected") throw prepared.reason;
  const placed = await placeOrder(deps, prepared.value);
  if (placed) return placed;
  const first = await findEarlier(deps, viewer, asked);
  if (!first) throw new Error("An order that was there is gone.");
  return await answerOf(deps, viewer, first);
}

/** @throws as `dispatchOrder` */
async function preparePurchase(deps: DispatchDeps, viewer: AccountViewer, asked: CheckedDispatch): Promise<Purchase> {
  const merchant = await requireMerchant(deps.db, asked.merchantId);
  assertMayBuyAt(viewer, merchant);
  // Neither was ever quoted, so it would be taken for another destination than the quote's.
  assertDestination({ merchant, shipTo: asked.shipTo, pickup: pickupOf(asked) });
  const deviation = await deviationFromQuotes(deps.db, { accountId: viewer.accountId, ...asked });
  if (deviation === "ship_to") throw new ShipToMismatchError();
  if (deviation === "constraints") throw new ConstraintViolatedError(null);
  const cardholder = await findCardholder(deps.db, viewer, asked.cardId);
  const quote = await priceDispatch(deps, asked, { merchant, home: cardholder.home });
  // What is wrong with it as it stands says more: so this comes last.
  if (deviation === "unquoted") throw asked.shipTo ? new ShipToMismatchError() : new ConstraintViolatedError(null);
  return { viewer, asked, merchant, cardholder, quote };
}

/** A card's payment names no recipient: a credential that may pay some alone buys nowhere. @throws {ForbiddenError} */
function assertMayBuyAt({ rules }: AccountViewer, { url, name }: Merchant): void {
  if (rules.allowedPayees.length > 0 || rules.merchantUrl !== null || !mayPayHost(rules, url)) {
    throw new ForbiddenError(`This token may not buy at ${name}. Nothing was ordered.`);
  }
}

async function findEarlier({ db }: DispatchDeps, { accountId }: AccountViewer, { digest }: CheckedDispatch) {
  const where = { accountId_dispatchSha256: { accountId, dispatchSha256: digest } };
  return await db.prisma.checkoutOrder.findUnique({ where });
}

/** The order as it stands. While its approval is open, the caller that asked gets a new token for it. */
async function answerOf(
  deps: DispatchDeps,
  { credentialId }: AccountViewer,
  { id: orderId, status }: CheckoutOrder,
): Promise<PlacedOrder> {
  const isWaiting = status === "approval_required";
  const approval = isWaiting ? await reissueApprovalToken(deps.db.prisma, deps.site, { orderId, credentialId }) : null;
  return { orderId, approval };
}
