/** The dispatch that its person approved: the approval is used and the order goes on its way, both or neither. */
import { timingSafeEqual } from "node:crypto";
import type { CheckoutApproval, CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { consumeApproval, findApprovalByToken } from "../approvals/approvals.ts";
import { PurchaseDocument } from "../approvals/purchase-document.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { DispatchDeps } from "../deps.ts";
import { buildMandateChain } from "../mandates/mandate-chain.ts";
import { PATIENTLY } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { purchaseOf } from "../orders/request.ts";
import { moveOrder } from "../orders/states.ts";
import { shipToDigest } from "../quote/ship-to.ts";
import type { CheckedDispatch } from "./check-dispatch.ts";
import { AmountChangedError, ConstraintViolatedError, ShipToMismatchError } from "./errors.ts";
import { mandated } from "./place-order.ts";
import { documentOf, orderRow, type Purchase, quoteSnapshot } from "./purchase.ts";

/** The order moved while its approval was about to be used. */
class OrderMovedError extends Error {
  override readonly name = "OrderMovedError";
}

/**
 * The approval that the token is for, whatever became of it.
 * @throws {ShipToMismatchError | ConstraintViolatedError | AmountChangedError | InvalidRequestError} it is for another
 *   dispatch, by what differs, or for none of this caller's
 */
export async function findApproval(
  deps: DispatchDeps,
  viewer: AccountViewer,
  asked: CheckedDispatch,
): Promise<CheckoutApproval> {
  const approval = await findApprovalByToken(deps, viewer, asked.approvalToken ?? "");
  if (!approval) {
    throw new InvalidRequestError("approvalToken is not known, or another caller's.", "approvalToken");
  }
  if (isSame(approval.dispatchSha256, asked.digest)) return approval;
  const order = await deps.db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id: approval.orderId } });
  if ((asked.shipTo && shipToDigest(asked.shipTo)) !== order.shipToSha256) throw new ShipToMismatchError();
  const digestOf = (constraints: object | null | undefined) => canonicalDigest(constraints ?? {});
  if (!isSame(digestOf(purchaseOf(order)?.constraints), digestOf(asked.constraints))) {
    throw new ConstraintViolatedError(null);
  }
  if (order.amountMinor !== BigInt(asked.amountMinor)) {
    const figures = { approvedMinor: Number(order.amountMinor), expectedMinor: null, pricedIn: order.currency ?? "" };
    throw new AmountChangedError("The amount is not the one that was approved.", figures);
  }
  const message = "approvalToken is for another purchase: send everything else exactly as it was.";
  throw new InvalidRequestError(message, "approvalToken");
}

/**
 * Sends an approved order on its way. When somebody else did meanwhile, or its time was over, nothing changes.
 * @throws {ShipToMismatchError | AmountChangedError} what was signed is not what would be bought now
 */
export async function useApproval(
  deps: DispatchDeps,
  order: CheckoutOrder,
  { approval, purchase }: { readonly approval: CheckoutApproval; readonly purchase: Purchase },
): Promise<void> {
  assertAsSigned(approval, purchase);
  const row = await orderRow(deps.keks, order.id, purchase);
  const consent = { mode: "passkey", approval } as const;
  const chain = await buildMandateChain(deps, { ...mandated(row, purchase), consent });
  const told = {
    ...quoteSnapshot(purchase.quote),
    approvalMode: "passkey",
    mandateChain: chain as unknown as Prisma.InputJsonArray,
  };
  const { asked, viewer } = purchase;
  const names = { token: asked.approvalToken ?? "", dispatchSha256: asked.digest };
  const isUsed = await deps.db.prisma
    .$transaction(async (tx) => {
      const caller = { accountId: viewer.accountId, credentialId: viewer.credentialId };
      if (!(await consumeApproval(tx, { ...names, ...caller }))) return false;
      // Rolls the approval back as well.
      if (!(await moveOrder(tx, order.id, "approved", { told }))) throw new OrderMovedError();
      return true;
    }, PATIENTLY)
    .catch((error: unknown) => {
      if (error instanceof OrderMovedError) return false;
      throw error;
    });
  if (isUsed) publishOrder(deps.pubsub, order);
}

/** Of what was signed, the cart, the amount, the card and the destination must be what they are now. */
function assertAsSigned({ document }: CheckoutApproval, purchase: Purchase): void {
  const now = documentOf(purchase);
  const signed = PurchaseDocument.loose().parse(document);
  const differs = (...members: (keyof PurchaseDocument)[]) =>
    members.some((name) => !isSame(canonicalDigest({ it: signed[name] }), canonicalDigest({ it: now[name] })));
  if (differs("destination")) throw new ShipToMismatchError();
  if (differs("lines", "delivery", "amount_minor", "amount_is_final", "currency", "card", "constraints")) {
    const { amountMinor, currency } = purchase.quote;
    const figures = { approvedMinor: signed.amount_minor, expectedMinor: amountMinor, pricedIn: currency };
    throw new AmountChangedError("The cart is not the one that was approved any more.", figures);
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
