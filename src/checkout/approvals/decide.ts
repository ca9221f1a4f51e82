/** The account owner's decision about one purchase; requires a browser session. */
import type { CheckoutApproval } from "../../../generated/prisma/client.ts";
import { isUndecided, requireDecider, undecidedWhere } from "../../accounts/decisions/decider.ts";
import { passkeySignatureOptions, verifyPasskeySignature } from "../../accounts/sign-in/passkey-signature.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { ApprovalDeps } from "../deps.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { transitionOrder } from "../orders/states.ts";
import { OPEN_STATUSES } from "./approvals.ts";

/** The approval was decided earlier or has expired. Nothing changed. */
export class ApprovalClosedError extends ServiceError {
  readonly code = "invalid_transition";
  constructor() {
    super("This purchase was already decided, or its approval has expired. Nothing changed.");
  }
}

const MAX_BATCH_SIZE = 200;

/**
 * Returns the passkey request options for the browser; the challenge is the digest of the approval's document.
 * @throws {ForbiddenError | NotFoundError | ApprovalClosedError}
 */
export async function startPurchaseApproval(
  deps: ApprovalDeps,
  viewer: Viewer | null,
  approvalId: string,
): Promise<{ readonly approval: CheckoutApproval; readonly options: object }> {
  const approval = await findPending(deps, viewer, approvalId);
  const digest = canonicalDigest(approval.document as object);
  return { approval, options: await passkeySignatureOptions(deps, approval.accountId, digest) };
}

/**
 * Approves a purchase with a passkey signature over its document. Restarts the approval period, within which the caller
 * must dispatch the purchase.
 * @throws {PasskeyRefusedError | ApprovalClosedError | ForbiddenError | NotFoundError | InvalidRequestError}
 */
export async function approvePurchase(
  deps: ApprovalDeps,
  viewer: Viewer | null,
  input: { readonly approvalId: string; readonly response?: unknown },
): Promise<CheckoutApproval> {
  const { id, accountId, orderId, document } = await findPending(deps, viewer, input.approvalId);
  const digest = canonicalDigest(document as object);
  const signature = await verifyPasskeySignature(deps, accountId, digest, input.response);
  const now = new Date();
  const approved = await deps.db.prisma.$transaction(async (tx) => {
    const [row] = await tx.checkoutApproval.updateManyAndReturn({
      where: { id, ...undecidedWhere("pending", now) },
      data: {
        status: "approved",
        decidedAt: now,
        signature: { ...signature },
        expiresAt: new Date(now.getTime() + deps.checkout.approvalMs),
      },
    });
    // Order subscriptions find changed rows by `updatedAt`.
    if (row) await tx.checkoutOrder.updateMany({ where: { id: orderId }, data: { updatedAt: now } });
    return row;
  }, LONG_TRANSACTION);
  if (!approved) throw new ApprovalClosedError();
  publishOrder(deps.pubsub, { accountId, id: orderId });
  return approved;
}

/**
 * Denies a purchase and ends its order. Requires no passkey signature, as denying spends nothing.
 * @throws {ApprovalClosedError | ForbiddenError | NotFoundError}
 */
export async function denyPurchase(
  deps: ApprovalDeps,
  viewer: Viewer | null,
  approvalId: string,
): Promise<CheckoutApproval> {
  const { id, accountId, orderId } = await findPending(deps, viewer, approvalId);
  const now = new Date();
  const denied = await deps.db.prisma.$transaction(async (tx) => {
    const [row] = await tx.checkoutApproval.updateManyAndReturn({
      where: { id, ...undecidedWhere("pending", now) },
      data: { status: "denied", decidedAt: now },
    });
    if (row) await transitionOrder(tx, orderId, "approval_denied");
    return row;
  }, LONG_TRANSACTION);
  if (!denied) throw new ApprovalClosedError();
  publishOrder(deps.pubsub, { accountId, id: orderId });
  return denied;
}

/** Ends orders whose approval expired before a decision or before the dispatch. @returns the number of ended orders */
export async function expireApprovals(deps: Pick<ApprovalDeps, "db" | "pubsub">): Promise<number> {
  const expired = { status: { in: OPEN_STATUSES }, expiresAt: { lte: new Date() } };
  // Read from the orders: few wait for an approval, while expired approvals accumulate.
  const orders = await deps.db.prisma.checkoutOrder.findMany({
    where: { status: "approval_required", approval: { is: expired } },
    select: { id: true },
    take: MAX_BATCH_SIZE,
  });
  let ended = 0;
  for (const { id } of orders) {
    const moved = await transitionOrder(deps.db.prisma, id, "approval_expired", {
      where: { approval: { is: expired } },
    });
    if (!moved) continue;
    ended += 1;
    publishOrder(deps.pubsub, moved);
  }
  return ended;
}

/** Finds a pending approval of the session's account. @throws {NotFoundError | ApprovalClosedError | ForbiddenError} */
async function findPending({ db }: ApprovalDeps, viewer: Viewer | null, approvalId: string): Promise<CheckoutApproval> {
  const { accountId } = requireDecider(viewer, "owner");
  const approval = await db.prisma.checkoutApproval.findFirst({ where: { id: approvalId, accountId } });
  if (!approval) throw new NotFoundError("There is no such purchase to approve.");
  if (!isUndecided(approval, "pending")) throw new ApprovalClosedError();
  return approval;
}
