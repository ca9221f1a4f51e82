import type { Database, Statement } from "../../platform/database/connection.ts";

/** Work of an account that must end before its rows are erased. */
const OUTSTANDING: Statement = {
  name: "outstanding-of-account",
  text: `SELECT
    EXISTS (SELECT FROM transactions WHERE account_id = $1::uuid
      AND (status IN ('reserved', 'signed') OR next_check_at IS NOT NULL)) AS payments,
    EXISTS (SELECT FROM permit_revocations WHERE account_id = $1::uuid AND next_check_at IS NOT NULL) AS permits,
    EXISTS (SELECT FROM trades t LEFT JOIN evm_transactions e ON e.trade_id = t.id AND e.next_check_at IS NOT NULL
      WHERE t.account_id = $1::uuid AND (t.status IN ('pending', 'approving', 'submitted') OR e.id IS NOT NULL))
      OR EXISTS (SELECT FROM gas_purchases WHERE account_id = $1::uuid AND next_check_at IS NOT NULL) AS trades,
    EXISTS (SELECT FROM gateway_calls WHERE account_id = $1::uuid AND status = 'pending') AS calls,
    EXISTS (SELECT FROM checkout_orders WHERE account_id = $1::uuid AND completed_at IS NULL
      AND status IN ('pending', 'approval_required', 'dispatched')) AS orders`,
};

const NAMES = {
  payments: "payments",
  permits: "permits",
  trades: "trades",
  calls: "calls of language models",
  orders: "orders",
} as const;

/** Returns what has not ended, such as "payments, orders"; null if everything has. */
export async function findOutstanding(db: Database, accountId: string): Promise<string | null> {
  const [found] = await db.query<Record<keyof typeof NAMES, boolean>>(OUTSTANDING, [accountId]);
  const names = Object.entries(NAMES).flatMap(([kind, name]) => (found?.[kind as keyof typeof NAMES] ? [name] : []));
  return names.length > 0 ? names.join(", ") : null;
}
