/** Writing an order: once for a dispatch, within its policy, or waiting for its person. All of it commits, or nothing. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { type AskedApproval, requestApproval } from "../approvals/approvals.ts";
import type { DispatchDeps } from "../deps.ts";
import { buildMandateChain } from "../mandates/mandate-chain.ts";
import { PATIENTLY } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { type ApprovalReason, evaluatePolicy } from "../policy/evaluate-policy.ts";
import { usePolicy } from "../policy/use-policy.ts";
import { documentOf, judgedOf, type OrderRow, orderRow, type Purchase } from "./purchase.ts";

export interface PlacedOrder {
  readonly orderId: string;
  /** What its person is asked for; null where nothing is. */
  readonly approval: AskedApproval | null;
}

/** A policy that changes under our hands is asked again so many times. */
const ATTEMPTS = 3;

/** The policy covered it when it was judged, and does not any more. */
class PolicyUsedUpError extends Error {
  override readonly name = "PolicyUsedUpError";
}

/** Null when the same dispatch was placed meanwhile: then nothing was written. */
export async function placeOrder(deps: DispatchDeps, purchase: Purchase): Promise<PlacedOrder | null> {
  const { accountId } = purchase.viewer;
  const { checkoutPolicy, checkoutOrder } = deps.db.prisma;
  const bought = { accountId, merchantId: purchase.merchant.id, kind: "purchase", status: "succeeded" };
  const judged = judgedOf(purchase, (await checkoutOrder.findFirst({ where: bought, select: { id: true } })) === null);
  const row = await orderRow(deps.keks, newId("ord"), purchase);
  let reason: ApprovalReason = "policy_not_in_force";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const policy = await checkoutPolicy.findUnique({ where: { activeSlot: accountId } });
    const judgement = evaluatePolicy(policy, judged);
    if (!judgement.covered) {
      reason = judgement.reason;
      break;
    }
    if (!policy) throw new Error("A policy that is not there covers nothing.");
    const consent = { mode: "policy", policy } as const;
    const mandateChain = await buildMandateChain(deps, { ...mandated(row, purchase), consent });
    try {
      return await placeCovered(deps, policy.id, {
        ...row,
        mandateChain: mandateChain as unknown as Prisma.InputJsonArray,
      });
    } catch (error) {
      if (!(error instanceof PolicyUsedUpError)) throw error;
    }
  }
  return await placeForApproval(deps, purchase, { row, reason });
}

/** What mandates are made from. */
export function mandated(row: Omit<OrderRow, "status">, { asked, viewer, merchant, cardholder }: Purchase) {
  const { id, request, amountMinor, amountIsFinal = false, currency, quoteSha256, shipToSha256 = null } = row;
  const order = { id, accountId: viewer.accountId, dispatchSha256: asked.digest, request, quoteSha256, shipToSha256 };
  return { ...order, amountMinor, amountIsFinal, currency, merchant, card: cardholder.card };
}

async function placeCovered(
  { db, pubsub }: DispatchDeps,
  policyId: string,
  row: Omit<OrderRow, "status">,
): Promise<PlacedOrder | null> {
  const isPlaced = await db.prisma.$transaction(async (tx) => {
    const approved = { status: "pending", approvalMode: "policy", policyId };
    if (!(await insertOnce(tx, { ...row, ...approved }))) return false;
    const used = await usePolicy(tx, { policyId, amountMinor: Number(row.amountMinor) });
    // Rolls the order back as well.
    if (!used) throw new PolicyUsedUpError();
    await tx.checkoutOrder.update({ where: { id: row.id }, data: { policyDay: used.day }, select: { id: true } });
    return true;
  }, PATIENTLY);
  if (!isPlaced) return null;
  publishOrder(pubsub, row);
  return { orderId: row.id, approval: null };
}

async function placeForApproval(
  deps: DispatchDeps,
  purchase: Purchase,
  { row, reason }: { readonly row: Omit<OrderRow, "status">; readonly reason: ApprovalReason },
): Promise<PlacedOrder | null> {
  const { accountId, credentialId } = purchase.viewer;
  const names = { orderId: row.id, accountId, credentialId, dispatchSha256: purchase.asked.digest };
  const approval = await deps.db.prisma.$transaction(async (tx) => {
    if (!(await insertOnce(tx, { ...row, status: "approval_required" }))) return null;
    return await requestApproval(tx, deps, { ...names, reason, document: documentOf(purchase) });
  }, PATIENTLY);
  if (!approval) return null;
  publishOrder(deps.pubsub, row);
  return { orderId: row.id, approval };
}

/** False when the account has an order of the same dispatch: whoever comes second waits for the first to commit. */
async function insertOnce(tx: Prisma.TransactionClient, row: OrderRow): Promise<boolean> {
  return (await tx.checkoutOrder.createMany({ data: [row], skipDuplicates: true })).count === 1;
}
