/** The spending that counts against a budget, split into settled and outstanding amounts. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { shareQueries } from "../platform/database/shared-query.ts";
import { isOpenPermit } from "./carry-over.ts";

export interface PeriodSpending {
  readonly limitMicroUsd: bigint | null;
  readonly settledMicroUsd: bigint;
  readonly outstandingMicroUsd: bigint;
  /** Null when there is no limit. */
  readonly remainingMicroUsd: bigint | null;
}

export interface BudgetSpending {
  readonly perTransactionLimitMicroUsd: bigint | null;
  readonly day: PeriodSpending;
  readonly month: PeriodSpending;
}

// Settled is used minus outstanding. The outstanding rows match two indexes: rows with a next check, and the account's rows of
// this month. The query states both conditions so that the planner can use the more selective one. Otherwise the many
// outstanding payments of one account would slow down the queries of all others. Open permits of earlier months were carried over.
const SPENDING: Statement = {
  name: "spending",
  text: `WITH today AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS day, date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
    ), outstanding_rows AS (
      SELECT budget_ids, budget_day, amount_micro_usd FROM transactions
      WHERE next_check_at IS NOT NULL AND account_id IN (SELECT account_id FROM budgets WHERE id = ANY($1))
        AND created_at >= (SELECT month::timestamp AT TIME ZONE 'UTC' FROM today) AND status IN ('reserved', 'signed')
      UNION ALL
      SELECT budget_ids, budget_day, amount_micro_usd FROM transactions p
      WHERE ${isOpenPermit("p")} AND account_id IN (SELECT account_id FROM budgets WHERE id = ANY($1))
        AND created_at < (SELECT month::timestamp AT TIME ZONE 'UTC' FROM today)
    ), outstanding AS (
      SELECT budget_id, sum(amount_micro_usd) FILTER (WHERE budget_day = today.day) AS day, sum(amount_micro_usd) AS month
      FROM outstanding_rows, today, unnest(budget_ids) AS budget_id
      WHERE budget_day >= today.month AND budget_ids && $1
      GROUP BY budget_id
    )
    SELECT b.id, b.per_transaction_limit_micro_usd, b.daily_limit_micro_usd, b.monthly_limit_micro_usd,
      CASE WHEN b.day = t.day THEN b.day_used_micro_usd ELSE 0 END AS day_used,
      CASE WHEN b.month = t.month THEN b.month_used_micro_usd ELSE 0 END AS month_used,
      coalesce(o.day, 0)::bigint AS day_outstanding, coalesce(o.month, 0)::bigint AS month_outstanding
    FROM budgets b CROSS JOIN today t LEFT JOIN outstanding o ON o.budget_id = b.id
    WHERE b.id = ANY($1)`,
};

interface SpendingRow {
  id: string;
  per_transaction_limit_micro_usd: bigint | null;
  daily_limit_micro_usd: bigint | null;
  monthly_limit_micro_usd: bigint | null;
  day_used: bigint;
  month_used: bigint;
  day_outstanding: bigint;
  month_outstanding: bigint;
}

/** Returns the spending of several budgets by budget id, with one query. Unknown ids are omitted. */
export async function readSpending(
  deps: { readonly db: Database },
  budgetIds: readonly string[],
): Promise<Map<string, BudgetSpending>> {
  const rows = await deps.db.query<SpendingRow>(SPENDING, [budgetIds]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        perTransactionLimitMicroUsd: row.per_transaction_limit_micro_usd,
        day: toPeriodSpending(row.daily_limit_micro_usd, row.day_used, row.day_outstanding),
        month: toPeriodSpending(row.monthly_limit_micro_usd, row.month_used, row.month_outstanding),
      },
    ]),
  );
}

/** What several budgets permit together: the lowest of their limits and remainders. Null for no limit. */
export interface EffectiveLimits {
  readonly perTransactionLimitMicroUsd: bigint | null;
  readonly dayLimitMicroUsd: bigint | null;
  readonly dayRemainingMicroUsd: bigint | null;
  readonly monthLimitMicroUsd: bigint | null;
  readonly monthRemainingMicroUsd: bigint | null;
}

/** Agents read their limits before each purchase, so concurrent reads share a query. */
const spendingOf = shareQueries<string, BudgetSpending>(async (db, budgetIds) => {
  const byId = await readSpending({ db }, [...new Set(budgetIds)]);
  return budgetIds.map((id) => byId.get(id) ?? new Error(`There is no budget ${id}.`));
});

/** Returns what budgets permit together. @throws {Error} if one of them does not exist */
export async function readEffectiveLimits(
  { db }: { readonly db: Database },
  budgetIds: readonly string[],
): Promise<EffectiveLimits> {
  const budgets = await Promise.all(budgetIds.map((id) => spendingOf(db, id)));
  const lowest = (amountOf: (budget: BudgetSpending) => bigint | null) => {
    const amounts = budgets.map(amountOf).filter((amount) => amount !== null);
    return amounts.reduce<bigint | null>((least, amount) => (least === null || amount < least ? amount : least), null);
  };
  return {
    perTransactionLimitMicroUsd: lowest((budget) => budget.perTransactionLimitMicroUsd),
    dayLimitMicroUsd: lowest(({ day }) => day.limitMicroUsd),
    dayRemainingMicroUsd: lowest(({ day }) => day.remainingMicroUsd),
    monthLimitMicroUsd: lowest(({ month }) => month.limitMicroUsd),
    monthRemainingMicroUsd: lowest(({ month }) => month.remainingMicroUsd),
  };
}

function toPeriodSpending(limitMicroUsd: bigint | null, used: bigint, outstandingMicroUsd: bigint): PeriodSpending {
  const remaining = limitMicroUsd === null ? null : limitMicroUsd - used;
  return {
    limitMicroUsd,
    settledMicroUsd: used - outstandingMicroUsd,
    outstandingMicroUsd,
    remainingMicroUsd: remaining !== null && remaining < 0n ? 0n : remaining,
  };
}
