/** Compares each counter with the value derived from its ledger rows. Every discrepancy is a defect. */
import type { Database, Statement } from "../platform/database/connection.ts";

/** A counter that differs from the sum of its ledger rows. */
export interface Discrepancy {
  readonly what: "budget_day" | "budget_month" | "credit" | "wallet_hold";
  /** The id of the budget, account or wallet; for a hold, the wallet id, network and asset, separated by spaces. */
  readonly id: string;
  /** The stored value as a decimal string: micro-USD, or the asset's smallest unit for a hold. */
  readonly counter: string;
  /** The value computed from the ledger, in the same unit. */
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
      -- The subquery allows a hash join. A join with = ANY would compare every budget with every ledger row.
      FROM budgets b LEFT JOIN (SELECT unnest(budget_ids) AS budget_id, budget_day, micro_usd FROM charged) c ON c.budget_id = b.id
      GROUP BY b.id
    ), by_credit AS (
      SELECT r.account_id, r.available_micro_usd, coalesce(sum(CASE c.direction WHEN 'in' THEN c.micro_usd ELSE -c.micro_usd END), 0) AS left_over
      FROM credits r LEFT JOIN charged c ON c.account_id = r.account_id AND c.paid_from_credit
      GROUP BY r.account_id
    ), by_hold AS (
      -- A full join also reports outstanding payments without a hold.
      SELECT wallet_id, network, asset, coalesce(h.outstanding_atomic, 0) AS outstanding_atomic, coalesce(c.outstanding, 0) AS outstanding
      FROM wallet_holds h FULL JOIN (
        SELECT wallet_id, network, asset, sum(amount_atomic) AS outstanding FROM transactions
        WHERE NOT paid_from_credit AND status IN ('reserved', 'signed') GROUP BY wallet_id, network, asset
      ) c USING (wallet_id, network, asset)
    )
    SELECT 'budget_day' AS what, id, day_used_micro_usd::text AS counter, day::text AS ledger FROM by_budget WHERE day_used_micro_usd <> day
    UNION ALL
    SELECT 'budget_month', id, month_used_micro_usd::text, month::text FROM by_budget WHERE month_used_micro_usd <> month
    UNION ALL
    SELECT 'credit', account_id::text, available_micro_usd::text, left_over::text FROM by_credit WHERE available_micro_usd <> left_over
    UNION ALL
    SELECT 'wallet_hold', wallet_id || ' ' || network || ' ' || asset, outstanding_atomic::text, outstanding::text
    FROM by_hold WHERE outstanding_atomic <> outstanding
    ORDER BY 1, 2`,
};

/** Returns all discrepancies within one database snapshot; empty if there are none. */
export async function auditLedger(db: Database): Promise<Discrepancy[]> {
  return await db.query<Discrepancy>(AUDIT, []);
}
