/** The part of a statement that writes the card budgets of grants and API tokens. */
import type { CardBudgetTerms } from "./card-budget.ts";

/**
 * Returns common table expressions that set or remove the card budget of the credentials in `credentials`. The use of day and month
 * remains in the same currency, so that new limits grant no new allowance. In another currency it starts at zero.
 * Live orders that were counted before a start at zero no longer release their amounts.
 * @param sql.terms placeholder of `cardBudgetParameter`
 */
export function writeCardBudget(sql: {
  readonly credentials: string;
  readonly accountId: string;
  readonly terms: string;
}): string {
  const { credentials, accountId, terms } = sql;
  const usedOf = (column: string) =>
    `${column} = CASE WHEN card_budgets.currency = excluded.currency THEN card_budgets.${column} ELSE 0 END`;
  return `card_budget_removed AS (
      DELETE FROM card_budgets USING ${credentials} WHERE card_budgets.id = ${credentials}.id AND ${terms}::jsonb IS NULL
    ), card_budget_restarted AS (
      UPDATE checkout_orders SET card_budget_ids = array_remove(card_budget_ids, ${credentials}.id)
      FROM ${credentials}, jsonb_to_record(${terms}::jsonb) AS t (currency text)
      WHERE checkout_orders.account_id = ${accountId}::uuid AND checkout_orders.currency = t.currency
        AND checkout_orders.completed_at IS NULL AND ${credentials}.id = ANY(checkout_orders.card_budget_ids)
        AND NOT EXISTS (SELECT FROM card_budgets b WHERE b.id = ${credentials}.id AND b.currency = t.currency)
    ), card_budget_set AS (
      INSERT INTO card_budgets (id, account_id, currency, per_order_minor, daily_minor, monthly_minor, day, month)
      SELECT ${credentials}.id, ${accountId}::uuid, t.currency, t.per_order, t.daily, t.monthly, '1970-01-01', '1970-01-01'
      FROM ${credentials}, jsonb_to_record(${terms}::jsonb) AS t (currency text, per_order bigint, daily bigint, monthly bigint)
      WHERE ${terms}::jsonb IS NOT NULL
      ON CONFLICT (id) DO UPDATE SET currency = excluded.currency, per_order_minor = excluded.per_order_minor,
        daily_minor = excluded.daily_minor, monthly_minor = excluded.monthly_minor, ${usedOf("day_used_minor")}, ${usedOf("month_used_minor")}
    )`;
}

/** Returns the parameter of `writeCardBudget`. */
export function cardBudgetParameter(terms: CardBudgetTerms | null): string | null {
  return (
    terms &&
    JSON.stringify({
      currency: terms.currency,
      per_order: terms.perOrderMinor,
      daily: terms.dailyMinor,
      monthly: terms.monthlyMinor,
    })
  );
}
