/** Ending of a live order: releases the amount that it cannot have spent to its policy and card budgets, in the same transaction. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { releaseCardBudgetUse } from "../policy/use-card-budgets.ts";
import { releasePolicyUse } from "../policy/use-policy.ts";
import { closeQuestion } from "../questions/close-question.ts";
import { type Cause, transitionOrder } from "./states.ts";

/** Ends an order. Returns null and writes nothing if its status does not permit the transition. See `transitionOrder`. */
export async function endOrder(
  tx: Prisma.TransactionClient,
  orderId: string,
  cause: Cause,
  options: Parameters<typeof transitionOrder>[3] = {},
): Promise<CheckoutOrder | null> {
  const ended = await transitionOrder(tx, orderId, cause, options);
  if (!ended) return null;
  await closeQuestion(tx, orderId);
  const { policyId, policyDay, cardBudgetIds: budgetIds, currency } = ended;
  const unspentMinor = unspentAmount(ended);
  if (policyId !== null && policyDay !== null && unspentMinor > 0n) {
    const amountMinor = Number(unspentMinor);
    await releasePolicyUse(tx, { policyId, amountMinor, day: policyDay });
    await releaseCardBudgetUse(tx, { budgetIds, currency: currency ?? "", amountMinor }, policyDay);
  }
  return ended;
}

/**
 * Returns the approved amount if the card was never released from the vault, otherwise 0. After the release only the
 * merchant's pages report the charge, so a merchant that falsely reports "declined" could extend the daily limit.
 */
function unspentAmount({ cardReleasedAt, submittedAt, amountMinor }: CheckoutOrder): bigint {
  return cardReleasedAt === null && submittedAt === null ? (amountMinor ?? 0n) : 0n;
}
