/**
 * Usage of card budgets, which limit single credentials within the policy. An order counts against the budget of its credential
 * and those of the credential's ancestors. One statement counts all of them, so concurrent orders never exceed any.
 */
import type { CardBudget, Prisma } from "../../../generated/prisma/client.ts";
import { type ApprovalReason, periodsOf } from "./evaluate-policy.ts";

/** An order to count. */
export interface BudgetedOrder {
  /** Ids of the credential and its ancestors. Those without a card budget do not limit the order. */
  readonly budgetIds: readonly string[];
  readonly currency: string;
  readonly amountMinor: number;
}

/**
 * Returns the first reason for which a card budget does not cover the order, or null. The usage is only a hint here;
 * `countCardBudgetUse` enforces it.
 */
export function findCardBudgetObjection(
  budgets: readonly CardBudget[],
  { currency, amountMinor }: Omit<BudgetedOrder, "budgetIds">,
  now = new Date(),
): ApprovalReason | null {
  const { day, month } = periodsOf(now);
  const isOf = (date: Date, period: string) => date.toISOString().slice(0, 10) >= period;
  const exceeds = (usedMinor: bigint, limitMinor: bigint | null) =>
    limitMinor !== null && usedMinor + BigInt(amountMinor) > limitMinor;
  const against: readonly (readonly [applies: (budget: CardBudget) => boolean, reason: ApprovalReason])[] = [
    [(budget) => budget.currency !== currency, "card_budget_currency_differs"],
    [({ perOrderMinor }) => exceeds(0n, perOrderMinor), "above_card_budget_order_limit"],
    [
      (budget) => exceeds(isOf(budget.day, day) ? budget.dayUsedMinor : 0n, budget.dailyMinor),
      "above_card_budget_daily_limit",
    ],
    [
      (budget) => exceeds(isOf(budget.month, month) ? budget.monthUsedMinor : 0n, budget.monthlyMinor),
      "above_card_budget_monthly_limit",
    ],
  ];
  return against.find(([applies]) => budgets.some(applies))?.[1] ?? null;
}

/**
 * Counts an order against every card budget of its credential. Returns null if one of them does not cover it; the caller must
 * then roll back the transaction.
 * @param day the day on which the policy counted the order
 * @returns the ids of the budgets, as required by `releaseCardBudgetUse`
 */
export async function countCardBudgetUse(
  tx: Prisma.TransactionClient,
  { budgetIds, currency, amountMinor }: BudgetedOrder,
  day: Date,
): Promise<string[] | null> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError("An order's amount is an integer.");
  const { day: today, month } = periodsOf(day);
  const amount = BigInt(amountMinor);
  // Rows are locked in one order, so that orders of related tokens do not deadlock.
  const [result] = await tx.$queryRaw<{ requiredIds: string[]; countedIds: string[] }[]>`
    WITH required AS MATERIALIZED (
      SELECT id FROM card_budgets WHERE id = ANY(${[...budgetIds]}::text[]) ORDER BY id FOR UPDATE
    ), counted AS (
      UPDATE card_budgets AS b SET
        day = GREATEST(b.day, ${today}::date),
        day_used_minor = CASE WHEN b.day >= ${today}::date THEN b.day_used_minor ELSE 0 END + ${amount},
        month = GREATEST(b.month, ${month}::date),
        month_used_minor = CASE WHEN b.month >= ${month}::date THEN b.month_used_minor ELSE 0 END + ${amount}
      FROM required
      WHERE b.id = required.id AND b.currency = ${currency}
        AND (b.per_order_minor IS NULL OR ${amount} <= b.per_order_minor)
        AND (b.daily_minor IS NULL OR CASE WHEN b.day >= ${today}::date THEN b.day_used_minor ELSE 0 END + ${amount} <= b.daily_minor)
        AND (b.monthly_minor IS NULL OR CASE WHEN b.month >= ${month}::date THEN b.month_used_minor ELSE 0 END + ${amount} <= b.monthly_minor)
      RETURNING b.id
    )
    SELECT ARRAY(SELECT id FROM required) AS "requiredIds", ARRAY(SELECT id FROM counted) AS "countedIds"`;
  if (!result || result.countedIds.length !== result.requiredIds.length) return null;
  return result.requiredIds;
}

/**
 * Releases the amount of an order that provably charged nothing. Call it once per order, with `releasePolicyUse`. A budget
 * whose currency changed meanwhile started at zero, and has nothing to release.
 */
export async function releaseCardBudgetUse(
  tx: Prisma.TransactionClient,
  { budgetIds, currency, amountMinor }: BudgetedOrder,
  day: Date,
): Promise<void> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError("An order's amount is an integer.");
  const { day: countedOn, month } = periodsOf(day);
  const amount = BigInt(amountMinor);
  await tx.$executeRaw`
    WITH used AS MATERIALIZED (
      SELECT id FROM card_budgets WHERE id = ANY(${[...budgetIds]}::text[]) AND currency = ${currency} ORDER BY id FOR UPDATE
    )
    UPDATE card_budgets AS b SET
      day_used_minor = CASE WHEN b.day = ${countedOn}::date THEN GREATEST(b.day_used_minor - ${amount}, 0) ELSE b.day_used_minor END,
      month_used_minor = CASE WHEN b.month = ${month}::date THEN GREATEST(b.month_used_minor - ${amount}, 0) ELSE b.month_used_minor END
    FROM used WHERE b.id = used.id`;
}
