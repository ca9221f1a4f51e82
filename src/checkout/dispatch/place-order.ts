/**
 * Writes the single order of a dispatch, either covered by the policy or with an approval request. Commits everything or
 * nothing.
 */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import { requesterIdOf } from "../../accounts/viewer.ts";
import type { KeyEncryptionKeys } from "../../platform/crypto/sealing/wrapped-key.ts";
import { newId } from "../../platform/ids.ts";
import { publishApproval } from "../approvals/approval-events.ts";
import { type RequiredApproval, requestApproval } from "../approvals/approvals.ts";
import { isRepetitionOfUnknown } from "../approvals/repeated-purchase.ts";
import type { DispatchDeps } from "../deps.ts";
import { buildMandateChain } from "../mandates/mandate-chain.ts";
import { alternativeDomains, findRecordIds, isPooled } from "../merchants/merchants.ts";
import { sealDeliveryAddress } from "../orders/delivery-address.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { type ApprovalReason, evaluatePolicy } from "../policy/evaluate-policy.ts";
import { countCardBudgetUse, findCardBudgetObjection } from "../policy/use-card-budgets.ts";
import { countPolicyUse } from "../policy/use-policy.ts";
import { isOriginMatch } from "../worker-protocol/card-entry.ts";
import { createOrderTerms, createPurchaseDocument, type Purchase } from "./purchase.ts";

export interface PlacedOrder {
  readonly orderId: string;
  /** Approval that the account owner must give first; null if none is required. */
  readonly approval: RequiredApproval | null;
}

/** Columns of a new order, except its status. */
type NewOrder = Omit<Prisma.CheckoutOrderCreateManyInput, "status"> & { readonly id: string };

/** A policy or card budget that changes between evaluation and use is evaluated again. */
const ATTEMPTS = 3;

/** The policy and the card budgets covered the order at evaluation but no longer do. */
class PolicyExhaustedError extends Error {
  override readonly name = "PolicyUsedUpError";
}

/** Places an order. Returns null and writes nothing when a concurrent dispatch placed the same order. */
export async function placeOrder(deps: DispatchDeps, purchase: Purchase): Promise<PlacedOrder | null> {
  const { viewer, merchant, cardholder } = purchase;
  const { accountId } = viewer;
  const { checkoutPolicy, checkoutOrder, cardBudget } = deps.db.prisma;
  const succeeded = { accountId, merchantId: merchant.id, kind: "purchase", status: "succeeded" };
  const isNewMerchant = (await checkoutOrder.findFirst({ where: succeeded, select: { id: true } })) === null;
  const recordIds = await findRecordIds(deps.db, merchant);
  const isNewCardEntry = !(await isKnownCardEntry(deps, purchase));
  const terms = createOrderTerms(newId("ord"), purchase);
  const order: NewOrder = { ...terms, ...(await createOrderColumns(deps.keks, terms.id, purchase)) };
  // Decided before the policy, which permits repetitions.
  if (await isRepetitionOfUnknown(deps.db.prisma, { accountId, recordIds, items: purchase.request.items })) {
    return await placeForApproval(deps, purchase, { order, reason: "outcome_unknown" });
  }
  let reason: ApprovalReason = "policy_not_in_force";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const policy = await checkoutPolicy.findUnique({ where: { activeSlot: accountId } });
    const evaluation = evaluatePolicy(policy, {
      merchantId: merchant.id,
      recordIds,
      // A site can state any country; only the operator's data counts.
      merchantCountryCode: isPooled(merchant) ? merchant.countryCode : null,
      isNewMerchant,
      isNewCardEntry,
      currency: terms.currency,
      amountMinor: purchase.request.amountMinor,
      isShippedElsewhere: purchase.deliverTo !== null && purchase.deliverTo.sha256 !== cardholder.home.sha256,
      cardId: cardholder.card.id,
    });
    if (!evaluation.covered) {
      reason = evaluation.reason;
      break;
    }
    if (!policy) throw new Error("An order cannot be covered without a policy.");
    const budgets = await cardBudget.findMany({ where: { id: { in: [...viewer.budgetIds] } } });
    const { currency } = terms;
    const objection = findCardBudgetObjection(budgets, { currency, amountMinor: purchase.request.amountMinor });
    if (objection) {
      reason = objection;
      break;
    }
    const consent = { mode: "policy", policy } as const;
    const mandateChain = await buildMandateChain(deps, { ...terms, merchant, card: cardholder.card, consent });
    try {
      const covered = { ...order, currency, mandateChain: mandateChain as unknown as Prisma.InputJsonArray };
      return await placeCovered(deps, covered, { policyId: policy.id, budgetIds: viewer.budgetIds });
    } catch (error) {
      if (!(error instanceof PolicyExhaustedError)) throw error;
    }
  }
  return await placeForApproval(deps, purchase, { order, reason });
}

/**
 * Reports whether every origin of the card entry is known: the merchant's own, a processor's, or approved in an earlier
 * successful order of the account. The operator vouches for the origins of pooled merchants.
 */
async function isKnownCardEntry({ db, checkout }: DispatchDeps, { viewer, merchant, cardEntry }: Purchase) {
  const { pageOrigins, frameOrigins } = cardEntry;
  const ownUrl = new URL(pageOrigins[0] ?? merchant.url);
  const ownOrigins = alternativeDomains(ownUrl.host).map((host) => `${ownUrl.protocol}//${host}`);
  const isKnown = (origin: string) =>
    ownOrigins.includes(origin) || checkout.processorOrigins.some((pattern) => isOriginMatch(pattern, origin));
  if (isPooled(merchant) || [...pageOrigins, ...(frameOrigins ?? [])].every(isKnown)) return true;
  const earlier = await db.prisma.checkoutOrder.findFirst({
    where: {
      ...{ accountId: viewer.accountId, merchantId: merchant.id, kind: "purchase", status: "succeeded" },
      ...{ approvalMode: "passkey", cardEntry: { equals: { ...cardEntry } } },
    },
    select: { id: true },
  });
  return earlier !== null;
}

/** Returns the columns of a new order that `createOrderTerms` does not contain. */
async function createOrderColumns(keks: KeyEncryptionKeys, orderId: string, purchase: Purchase) {
  const { viewer, request, merchant, cardholder, quote, deliverTo, cardEntry } = purchase;
  return {
    credentialId: viewer.credentialId,
    merchantId: merchant.id,
    kind: "purchase",
    ...(deliverTo
      ? await sealDeliveryAddress(keks, { id: orderId, accountId: viewer.accountId }, deliverTo.address)
      : {}),
    ...(request.shipTo ? { shipToEcho: { ...request.shipTo.echo } } : {}),
    quote: quote.snapshot,
    cardId: cardholder.card.id,
    cardEntry: { ...cardEntry },
    userConfirmationText: request.userConfirmationText,
    userApprovedAt: request.userApprovedAt,
    userConfirmationSource: request.userConfirmationSource,
    userPrompt: request.userPrompt,
    isTest: merchant.isTest,
  };
}

async function placeCovered(
  { db, pubsub }: DispatchDeps,
  order: NewOrder & { readonly currency: string },
  { policyId, budgetIds }: { readonly policyId: string; readonly budgetIds: readonly string[] },
): Promise<PlacedOrder | null> {
  const isPlaced = await db.prisma.$transaction(async (tx) => {
    await holdOpen(tx, order.accountId);
    const approved = { status: "pending", approvalMode: "policy", policyId };
    if (!(await insertOnce(tx, { ...order, ...approved }))) return false;
    const amountMinor = Number(order.amountMinor);
    const used = await countPolicyUse(tx, { policyId, amountMinor });
    // Also rolls back the order, and the policy's use.
    if (!used) throw new PolicyExhaustedError();
    const { currency } = order;
    const cardBudgetIds = await countCardBudgetUse(tx, { budgetIds, currency, amountMinor }, used.day);
    if (!cardBudgetIds) throw new PolicyExhaustedError();
    const counted = { policyDay: used.day, cardBudgetIds };
    await tx.checkoutOrder.update({ where: { id: order.id }, data: counted, select: { id: true } });
    return true;
  }, LONG_TRANSACTION);
  if (!isPlaced) return null;
  publishOrder(pubsub, order);
  return { orderId: order.id, approval: null };
}

async function placeForApproval(
  deps: DispatchDeps,
  purchase: Purchase,
  { order, reason }: { readonly order: NewOrder; readonly reason: ApprovalReason },
): Promise<PlacedOrder | null> {
  const { viewer, request } = purchase;
  const { accountId } = viewer;
  const requesterId = requesterIdOf(viewer);
  const { dispatchSha256 } = request;
  const approval = await deps.db.prisma.$transaction(async (tx) => {
    await holdOpen(tx, accountId);
    if (!(await insertOnce(tx, { ...order, status: "approval_required" }))) return null;
    const document = createPurchaseDocument(purchase);
    return await requestApproval(tx, deps, {
      ...{ orderId: order.id, accountId, requesterId, dispatchSha256, reason, document },
    });
  }, LONG_TRANSACTION);
  if (!approval) return null;
  publishOrder(deps.pubsub, order);
  publishApproval(deps.pubsub, { accountId, id: approval.approvalId });
  return { orderId: order.id, approval };
}

/** Returns false if the account already has an order of the same dispatch. Waits for concurrent inserts to commit. */
async function insertOnce(tx: Prisma.TransactionClient, order: Prisma.CheckoutOrderCreateManyInput): Promise<boolean> {
  return (await tx.checkoutOrder.createMany({ data: [order], skipDuplicates: true })).count === 1;
}
