/** Usage of a policy's daily and monthly limits (UTC). Each change is one statement, so concurrent orders never exceed them. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { periodsOf } from "./evaluate-policy.ts";

/**
 * Counts an order against its policy. Returns null and counts nothing if the policy is no longer in force or the amount
 * exceeds one of its limits.
 * @returns the day on which it was counted, as required by `releasePolicyUse`
 */
export async function countPolicyUse(
  tx: Prisma.TransactionClient,
  { policyId, amountMinor }: { readonly policyId: string; readonly amountMinor: number },
  now = new Date(),
): Promise<{ readonly day: Date } | null> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError("An order's amount is an integer.");
  const { day, month } = periodsOf(now);
  const amount = BigInt(amountMinor);
  // GREATEST selects the later day if this node's clock is behind another node's.
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
 * Releases the amount of an order that provably charged nothing. Newer policies carried over the usage, so it is released
 * there too. Call it once per order, in the transaction that ends the order.
 */
export async function releasePolicyUse(
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
