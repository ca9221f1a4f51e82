/**
 * Carry-over of open `upto` permits to the current day. Other authorizations expire within an hour, but an allowance can be drawn
 * on any later day. So on each day it counts against the limits of that day, and in a new month against those of that month.
 *
 * The statement that reserves money refuses to start a budget's new day before the carry-over (`reserve-statement.ts`).
 *
 * Lock order: the ledger rows, then their accounts by id, then the counters of those accounts, as in `close-statement.ts`.
 */
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";

/** Returns the SQL condition for rows of open permits; it matches the index `transactions_open_upto_idx`. */
export const isOpenPermit = (row: string) =>
  `${row}.scheme = 'upto' AND ${row}.next_check_at IS NOT NULL AND ${row}.status IN ('reserved', 'signed')
    AND ${row}."authorization" -> 'authorization' ->> 'kind' = 'permit'`;

const CARRY_OVER: Statement = {
  name: "carry-over-permits",
  text: `WITH today AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS day, date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
    ), due AS MATERIALIZED (
      SELECT p.id, p.account_id, p.budget_day FROM transactions p, today
      WHERE ${isOpenPermit("p")} AND p.budget_day < today.day AND ($1::uuid IS NULL OR p.account_id = $1)
      ORDER BY p.id FOR NO KEY UPDATE OF p
    ), accounts_locked AS MATERIALIZED (
      SELECT a.id FROM accounts a WHERE a.id IN (SELECT account_id FROM due) ORDER BY a.id FOR NO KEY UPDATE
    ), carried AS (
      UPDATE transactions p SET budget_day = today.day
      FROM today, due, (SELECT count(*) FROM accounts_locked) AS after_locks
      WHERE p.id = due.id
      RETURNING p.id, p.budget_ids, p.amount_micro_usd, due.budget_day < today.month AS is_new_month
    ), totals AS (
      SELECT budget_id, sum(amount_micro_usd)::bigint AS of_day,
        coalesce(sum(amount_micro_usd) FILTER (WHERE is_new_month), 0)::bigint AS of_month
      FROM carried, unnest(budget_ids) AS budget_id GROUP BY budget_id
    ), budgets_charged AS (
      UPDATE budgets b SET
        day = today.day,
        day_used_micro_usd = CASE WHEN b.day = today.day THEN b.day_used_micro_usd ELSE 0 END + totals.of_day,
        month = today.month,
        month_used_micro_usd = CASE WHEN b.month = today.month THEN b.month_used_micro_usd ELSE 0 END + totals.of_month
      FROM today, totals
      WHERE b.id = totals.budget_id AND b.day <= today.day
    )
    SELECT id FROM carried`,
};

/**
 * Counts open permits of earlier days in the current day. A carried amount can exceed a limit; the budget then pays nothing more.
 * @param accountId null for all accounts
 * @returns the number of carried rows
 */
export async function carryOverPermits(db: Database, accountId: string | null): Promise<number> {
  return (await retryDeadlocks(() => db.query(CARRY_OVER, [accountId]))).length;
}
