/** Dispatch of an approved order: consumes the approval and transitions the order in one transaction. */
import { timingSafeEqual } from "node:crypto";
import canonicalize from "canonicalize";
import type { CheckoutApproval, CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import { type AccountViewer, requesterIdOf } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { consumeApproval, findApprovalByToken, type TokenApproval } from "../approvals/approvals.ts";
import { PurchaseDocument } from "../approvals/purchase-document.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { DispatchDeps } from "../deps.ts";
import { buildMandateChain } from "../mandates/mandate-chain.ts";
import type { Money } from "../money.ts";
import type { OrderRequest } from "../order-request.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { readPurchase } from "../orders/request.ts";
import { transitionOrder } from "../orders/states.ts";
import { CardEntry } from "../worker-protocol/card-entry.ts";
import { AmountChangedError, ConstraintViolatedError, ShipToMismatchError } from "./errors.ts";
import { createOrderTerms, createPurchaseDocument, createSignedCardEntry, type Purchase } from "./purchase.ts";

/** The order's status changed between the request and the use of its approval. */
class OrderChangedError extends Error {
  override readonly name = "OrderMovedError";
}

/**
 * Returns the approval of the request's token, in any status.
 * @throws {ShipToMismatchError | ConstraintViolatedError | AmountChangedError} the approval is for a dispatch with another
 *   destination, other caps or another amount
 * @throws {InvalidRequestError} the dispatch differs otherwise, or the token is unknown to this caller
 */
export async function findApproval(
  deps: DispatchDeps,
  viewer: AccountViewer,
  request: OrderRequest,
): Promise<TokenApproval> {
  const approval = await findApprovalByToken(deps, viewer, request.approvalToken ?? "");
  if (!approval) {
    throw new InvalidRequestError("approvalToken is unknown, or was issued to another caller.", "approvalToken");
  }
  if (isEqual(approval.dispatchSha256, request.dispatchSha256)) return approval;
  const order = await deps.db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id: approval.orderId } });
  if ((request.shipTo?.sha256 ?? null) !== order.shipToSha256) throw new ShipToMismatchError();
  const digestOf = (constraints: object | null | undefined) => canonicalDigest(constraints ?? {});
  if (!isEqual(digestOf(readPurchase(order)?.constraints), digestOf(request.constraints))) {
    throw new ConstraintViolatedError(null);
  }
  if (order.amountMinor !== BigInt(request.amountMinor)) {
    const currency = order.currency ?? "";
    const approved = { amountMinor: Number(order.amountMinor), currency };
    const figures = { approved, expectedMinor: null, pricedIn: currency };
    throw new AmountChangedError("The amount differs from the approved one.", figures);
  }
  const message = "approvalToken is for another purchase. Send all other fields exactly as in the first dispatch.";
  throw new InvalidRequestError(message, "approvalToken");
}

/**
 * Consumes the approval and dispatches the order. Changes nothing if a concurrent dispatch consumed the approval or it has
 * expired.
 * @throws {ShipToMismatchError | AmountChangedError} the signed purchase differs from the current one
 */
export async function useApproval(
  deps: DispatchDeps,
  order: CheckoutOrder,
  { approval, purchase }: { readonly approval: CheckoutApproval; readonly purchase: Purchase },
): Promise<void> {
  assertMatchesSigned(approval, purchase);
  assertSignedCardEntry(approval, order);
  const { viewer, request, merchant, cardholder, quote } = purchase;
  const { accountId } = viewer;
  const requesterId = requesterIdOf(viewer);
  const terms = createOrderTerms(order.id, purchase);
  const consent = { mode: "passkey", approval } as const;
  const mandateChain = await buildMandateChain(deps, { ...terms, merchant, card: cardholder.card, consent });
  const approvedColumns = {
    quote: quote.snapshot,
    quoteSha256: quote.snapshotSha256,
    approvalMode: "passkey",
    mandateChain: mandateChain as unknown as Prisma.InputJsonArray,
  };
  const { approvalToken: token, dispatchSha256 } = request;
  const isUsed = await deps.db.prisma
    .$transaction(async (tx) => {
      await holdOpen(tx, accountId);
      const consumed = await consumeApproval(tx, { token: token ?? "", dispatchSha256, accountId, requesterId });
      if (!consumed) return false;
      // Also rolls back the consumed approval.
      if (!(await transitionOrder(tx, order.id, "approved", { columns: approvedColumns })))
        throw new OrderChangedError();
      return true;
    }, LONG_TRANSACTION)
    .catch((error: unknown) => {
      if (error instanceof OrderChangedError) return false;
      throw error;
    });
  if (isUsed) publishOrder(deps.pubsub, order);
}

/**
 * Compares the signed cart, amount, card and destination with the current ones. Compares canonical JSON (RFC 8785), in
 * which -0 equals 0.
 */
function assertMatchesSigned({ document }: CheckoutApproval, purchase: Purchase): void {
  const current = createPurchaseDocument(purchase);
  const signed = PurchaseDocument.loose().parse(document);
  const differs = (...members: (keyof PurchaseDocument)[]) =>
    members.some((name) => canonicalize({ it: signed[name] }) !== canonicalize({ it: current[name] }));
  if (differs("destination")) throw new ShipToMismatchError();
  if (differs("lines", "delivery", "amount_minor", "amount_is_final", "currency", "card", "constraints")) {
    const { amountMinor, currency } = purchase.quote;
    const figures = { approved: toApproved(signed), expectedMinor: amountMinor, pricedIn: currency };
    throw new AmountChangedError("The cart differs from the approved one.", figures);
  }
}

/** Checks that the order's card may be entered exactly where the account owner signed. @throws {AmountChangedError} */
function assertSignedCardEntry({ document }: CheckoutApproval, { cardEntry }: CheckoutOrder) {
  const signed = PurchaseDocument.loose().parse(document);
  const stored = createSignedCardEntry(CardEntry.parse(cardEntry));
  if (canonicalize(signed.card_entry) === canonicalize(stored)) return;
  const figures = { approved: toApproved(signed), expectedMinor: null, pricedIn: signed.currency };
  throw new AmountChangedError("The card's destination differs from the approved one.", figures);
}

function toApproved(signed: Pick<PurchaseDocument, "amount_minor" | "currency">): Money {
  return { amountMinor: signed.amount_minor, currency: signed.currency };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
