/** What a policy's orders used of its day and month (UTC). Each move is one statement: parallel orders never exceed it. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { periodsOf } from "./evaluate-policy.ts";

/**
 * Counts an order against its policy; null when the policy is not in force any more, or one of its amounts does not
 * allow it: then nothing was counted.
 * @returns the day it was counted on: `releasePolicy` needs it
 */
export async function usePolicy(
  tx: Prisma.TransactionClient,
  { policyId, amountMinor }: { readonly policyId: string; readonly amountMinor: number },
  now = new Date(),
): Promise<{ readonly day: Date } | null> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError("An order's amount is an integer.");
  const { day, month } = periodsOf(now);
  const amount = BigInt(amountMinor);
  // A clock that runs behind another node's counts on the later day.
  const used = await tx.$queryRaw<{ day: Date }[]>`
    UPDATE checkout_policies SET
      day = GREATEST(day, ${day}::date),
      day_used_minor = CASE WHEN day >= ${day}::date THEN day_used_minor ELSE 0 END + ${amount},
      month = GREATEST(month, ${month}::date),
      month_used_minor = CASE WHEN month >= ${month}::date THEN month_used_minor ELSE 0 END + ${amount}
    WHERE id = ${policyId} AND active_slot IS NOT NULL AND revoked_at IS NULL
      AND not_before <= ${now} AND expires_at > ${now}
      AND ${amount} <= (document->>'per_order_max_minor')::bigint
      AND CASE WHEN day >= ${day}::date THEN day_used_minor ELSE 0 END + ${amount} <= (document->>'daily_max_minor')::bigint
      AND CASE WHEN month >= ${month}::date THEN month_used_minor ELSE 0 END + ${amount} <= (document->>'monthly_max_minor')::bigint
    RETURNING day`;
  return used[0] ?? null;
}

/**
 * Gives back what an order used that provably charged nothing. Newer policies took over what was used: they
 * get it back too. Call it once for an order, in the transaction that ends it.
 */
export async function releasePolicy(
  tx: Prisma.TransactionClient,
  { policyId, amountMinor, day }: { readonly policyId: string; readonly amountMinor: number; readonly day: Date },
): Promise<void> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError("An order's amount is an integer.");
  const { day: countedOn, month } = periodsOf(day);
  const amount = BigInt(amountMinor);
  await tx.$executeRaw`
    UPDATE checkout_policies AS p SET
      day_used_minor = CASE WHEN p.day = ${countedOn}::date THEN GREATEST(p.day_used_minor - ${amount}, 0) ELSE p.day_used_minor END,
      month_used_minor = CASE WHEN p.month = ${month}::date THEN GREATEST(p.month_used_minor - ${amount}, 0) ELSE p.month_used_minor END
    FROM checkout_policies AS used
    WHERE used.id = ${policyId} AND p.account_id = used.account_id AND p.currency = used.currency AND p.version >= used.version`;
}
