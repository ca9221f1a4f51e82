/** Outstanding payments and withdrawals, with what can still happen to them during a freeze. */
import { type InFlight, type InFlightOutlook, MAX_IN_FLIGHT } from "../accounts/freeze/in-flight.ts";
import type { Database, Statement } from "../platform/database/connection.ts";

// Only open rows have next_check_at, and its index contains no others.
const FIND: Statement = {
  name: "in-flight-payments",
  text: `SELECT id, account_id, type, status, scheme, amount_micro_usd, pay_to, resource, valid_before, claimed_tx_hash
    FROM transactions
    WHERE next_check_at IS NOT NULL AND type <> 'trade' AND status IN ('reserved', 'signed') AND ($1::uuid IS NULL OR account_id = $1)
    ORDER BY created_at DESC LIMIT ${MAX_IN_FLIGHT}`,
};

interface PaymentRow {
  id: string;
  account_id: string;
  type: string;
  status: string;
  scheme: string | null;
  amount_micro_usd: bigint;
  pay_to: string | null;
  resource: string | null;
  valid_before: Date | null;
  claimed_tx_hash: string | null;
}

/** Returns the outstanding payments of the account, or of all accounts if it is null; newest first. */
export async function listInFlightPayments(
  { db }: { readonly db: Database },
  accountId: string | null,
): Promise<InFlight[]> {
  const rows = await db.query<PaymentRow>(FIND, [accountId]);
  return rows.map((row) => ({
    kind: row.type === "transfer" ? "transfer" : "payment",
    id: row.id,
    accountId: row.account_id,
    outlook: outlookOf(row),
    amountMicroUsd: row.amount_micro_usd,
    counterparty: row.resource ?? row.pay_to,
    until: row.valid_before,
  }));
}

function outlookOf({ type, status, scheme, claimed_tx_hash: txHash }: PaymentRow): InFlightOutlook {
  // A call by key is reserved until its response is complete, then charged by a transfer.
  if (type === "gateway" && scheme === null) return "cost_is_charged";
  if (status === "reserved") return "never_signed";
  if (type === "transfer") return txHash === null ? "expires_unsent" : "may_be_mined";
  return scheme === "upto" ? "may_draw" : "may_settle";
}
