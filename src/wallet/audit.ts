/** Holds the counters against the ledger they are counted from. They must agree at every instant. */
import type { Database, Statement } from "../platform/database.ts";

export interface Discrepancy {
  readonly what: "budget_day" | "budget_month" | "credit" | "wallet_hold";
  /** The budget's, account's or wallet's id; a hold also names network and asset. */
  readonly id: string;
  readonly counter: string;
  readonly ledger: string;
}

const AUDIT: Statement = {
  name: "audit-ledger",
  text: `WITH charged AS (
      SELECT *, CASE status WHEN 'settled' THEN coalesce(settled_micro_usd, 0)
        WHEN 'reserved' THEN amount_micro_usd WHEN 'signed' THEN amount_micro_usd ELSE 0 END AS micro_usd
      FROM transactions
    ), by_budget AS (
      SELECT b.id, b.day_used_micro_usd, b.month_used_micro_usd,
        coalesce(sum(c.micro_usd) FILTER (WHERE c.budget_day = b.day), 0) AS day,
        coalesce(sum(c.micro_usd) FILTER (WHERE date_trunc('month', c.budget_day)::date = b.month), 0) AS month
      FROM budgets b LEFT JOIN charged c ON b.id = ANY(c.budget_ids)
      GROUP BY b.id
    ), by_credit AS (
      SELECT r.account_id, r.available_micro_usd, coalesce(sum(CASE c.direction WHEN 'in' THEN c.micro_usd ELSE -c.micro_usd END), 0) AS left_over
      FROM credits r LEFT JOIN charged c ON c.account_id = r.account_id AND c.paid_from_credit
      GROUP BY r.account_id
    ), by_hold AS (
      SELECT h.wallet_id, h.network, h.asset, h.outstanding_atomic, coalesce(sum(c.amount_atomic), 0) AS outstanding
      FROM wallet_holds h LEFT JOIN transactions c ON c.wallet_id = h.wallet_id AND c.network = h.network
        AND c.asset = h.asset AND NOT c.paid_from_credit AND c.status IN ('reserved', 'signed')
      GROUP BY h.wallet_id, h.network, h.asset
    )
    SELECT 'budget_day' AS what, id, day_used_micro_usd::text AS counter, day::text AS ledger FROM by_budget WHERE day_used_micro_usd <> day
    UNION ALL
    SELECT 'budget_month', id, month_used_micro_usd::text, month::text FROM by_budget WHERE month_used_micro_usd <> month
    UNION ALL
    SELECT 'credit', account_id::text, available_micro_usd::text, left_over::text FROM by_credit WHERE available_micro_usd <> left_over
    UNION ALL
    SELECT 'wallet_hold', wallet_id || ' ' || network || ' ' || asset, outstanding_atomic::text, outstanding::text
    FROM by_hold WHERE outstanding_atomic <> outstanding`,
};

/** Every counter that disagrees with the ledger; empty when all is well. Reads one consistent snapshot. */
export async function auditLedger(db: Database): Promise<Discrepancy[]> {
  return await db.query<Discrepancy>(AUDIT, []);
}
