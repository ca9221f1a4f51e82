/**
 * The statement that settles, releases or fails payments: it ends their ledger rows and returns what was reserved and not
 * charged. `reserve-statement.ts` draws the tables and says how the balances move.
 *
 * Each invariant, the part that enforces it, and a test that fails without that part, as a path from `test/wallet`:
 *
 * | Invariant                                   | Part             | Test                                                    |
 * |---------------------------------------------|------------------|---------------------------------------------------------|
 * | A row ends once                             | CLOSED           | ledger.property: "agrees with its counters"             |
 * | A budget gets back what was not charged     | BUDGETS_REFUNDED | ledger.property: "agrees with its counters"             |
 * | A day gets nothing back of an earlier one   | BUDGETS_REFUNDED | ledger.property: "starts the day and the month anew"    |
 * | A month gets nothing back of an earlier one | BUDGETS_REFUNDED | ledger.property: "returns nothing to the current month" |
 * | Nor in a batch of several days              | BUDGET_REFUNDS   | settle-many: "counts each day's rest to that day"       |
 * | Credit gets back what was not charged       | CREDITS_REFUNDED | ledger.property: "agrees with its counters"             |
 * | An ended payment holds nothing              | HOLDS_RELEASED   | ledger.property: "agrees with its counters"             |
 * | A settlement makes older balances stale     | HOLDS_RELEASED   | stale-balance: "does not spend again"                   |
 * | Statements do not deadlock at the counters  | ACCOUNTS_LOCKED  | ../security/contention: "never deadlocks"               |
 *
 * Lock order: the ledger rows, then their accounts by id, then the counters of those accounts. Two batches that share rows, and a
 * reservation that waits for one of the rows (`reserve-statement.ts`), can deadlock with it; `ledger.ts` then sends it again.
 */
import type { Statement } from "../platform/database/connection.ts";

export type OpenStatus = "reserved" | "signed";

export interface Closing {
  readonly id: string;
  readonly status: "settled" | "released" | "failed";
  readonly from: readonly OpenStatus[];
  readonly charged: { readonly chargedAtomic: bigint; readonly chargedMicroUsd: bigint } | null;
  readonly txHash: string | null;
  readonly reason: string | null;
  /** It counted as signed, and is known never to have been. */
  readonly neverSigned?: boolean;
}

/**
 * Ends the rows that are still in one of the expected states. $2 repeats the ids: without statistics the planner would read
 * the whole table to join it with $1, and uses the primary key for a list.
 */
const CLOSED = `closed AS (
  UPDATE transactions t SET
    status = g.status,
    settled_atomic = g.settled_atomic,
    settled_micro_usd = g.settled_micro_usd,
    tx_hash = coalesce(g.tx_hash, t.tx_hash),
    failure_reason = CASE WHEN g.status <> 'settled' THEN coalesce(t.failure_reason, g.reason) END,
    settled_at = CASE WHEN g.status = 'settled' THEN now() END,
    signed_at = CASE WHEN NOT g.never_signed THEN t.signed_at END,
    updated_at = now(),
    permit_slot = NULL,
    next_check_at = NULL,
    purchase_token_id = CASE WHEN g.status = 'settled' THEN t.purchase_token_id END,
    idempotency_key = CASE
      WHEN g.status = 'released' AND t.signature IS NULL AND (t.status = 'reserved' OR t.scheme IS NULL) THEN NULL
      ELSE t.idempotency_key
    END
  FROM json_to_recordset($1::json) AS g (
    id text,
    status text,
    settled_atomic numeric,
    settled_micro_usd bigint,
    tx_hash text,
    reason text,
    from_status text[],
    never_signed boolean
  )
  WHERE t.id = g.id
    AND t.id = ANY($2::text[])
    AND t.status = ANY(g.from_status)
  RETURNING t.*, t.amount_micro_usd - coalesce(g.settled_micro_usd, 0) AS refund_micro_usd
)`;

/** The accounts of the rows, in one order for all statements. */
const ACCOUNTS_LOCKED = `accounts_locked AS MATERIALIZED (
  SELECT a.id
  FROM accounts a
  WHERE a.id IN (SELECT account_id FROM closed)
  ORDER BY a.id
  FOR NO KEY UPDATE
)`;

/** A table to join, so that an update waits until all accounts are locked. */
const AFTER_LOCKS = "(SELECT count(*) FROM accounts_locked) AS after_locks";

/** What each row returns to each of its budgets, with the latest day on which one of them was reserved. */
const REFUNDS = `refunds AS (
  SELECT
    budget_id,
    c.budget_day,
    c.refund_micro_usd,
    max(c.budget_day) OVER (PARTITION BY budget_id) AS latest
  FROM closed c, unnest(c.budget_ids) AS budget_id
  WHERE c.refund_micro_usd <> 0
)`;

/**
 * The total of each budget. Its day is never before that of a payment it has counted, so it can only still count those of
 * the latest day and month.
 */
const BUDGET_REFUNDS = `budget_refunds AS (
  SELECT
    budget_id AS id,
    latest AS day,
    date_trunc('month', latest)::date AS month,
    coalesce(sum(refund_micro_usd) FILTER (
      WHERE budget_day = latest
    ), 0)::bigint AS of_day,
    coalesce(sum(refund_micro_usd) FILTER (
      WHERE date_trunc('month', budget_day) = date_trunc('month', latest)
    ), 0)::bigint AS of_month
  FROM refunds
  GROUP BY budget_id, latest
)`;

/** What a budget's counter comes to: it still counts the payments if their day or month is its own. */
const usedAfterRefund = (period: "day" | "month") =>
  `b.${period}_used_micro_usd - CASE WHEN b.${period} = r.${period} THEN r.of_${period} ELSE 0 END`;

/** Refunds the budgets, if anything was not charged. */
const BUDGETS_REFUNDED = `budgets_refunded AS (
  UPDATE budgets b SET
    day_used_micro_usd = ${usedAfterRefund("day")},
    month_used_micro_usd = ${usedAfterRefund("month")}
  FROM budget_refunds r, ${AFTER_LOCKS}
  WHERE b.id = r.id
)`;

/** The total of each account that paid from credit. */
const CREDIT_REFUNDS = `credit_refunds AS (
  SELECT account_id, sum(refund_micro_usd)::bigint AS total
  FROM closed
  WHERE paid_from_credit
    AND refund_micro_usd <> 0
  GROUP BY account_id
)`;

/** Refunds the credits, if anything was not charged. */
const CREDITS_REFUNDED = `credits_refunded AS (
  UPDATE credits k SET available_micro_usd = k.available_micro_usd + r.total
  FROM credit_refunds r, ${AFTER_LOCKS}
  WHERE k.account_id = r.account_id
)`;

/** The total of each wallet, network and asset, and whether the chain charged the wallet. */
const HOLD_RELEASES = `hold_releases AS (
  SELECT
    wallet_id,
    network,
    asset,
    sum(amount_atomic) AS total,
    bool_or(status = 'settled') AS has_settled
  FROM closed
  WHERE NOT paid_from_credit
  GROUP BY wallet_id, network, asset
)`;

/** Releases the holds, charged or not: what was charged is missing from the next balance read. */
const HOLDS_RELEASED = `holds_released AS (
  UPDATE wallet_holds h SET
    outstanding_atomic = h.outstanding_atomic - r.total,
    settled_at = CASE WHEN r.has_settled THEN clock_timestamp() ELSE h.settled_at END
  FROM hold_releases r, ${AFTER_LOCKS}
  WHERE h.wallet_id = r.wallet_id
    AND h.network = r.network
    AND h.asset = r.asset
)`;

const PARTS = [
  CLOSED,
  ACCOUNTS_LOCKED,
  REFUNDS,
  BUDGET_REFUNDS,
  BUDGETS_REFUNDED,
  CREDIT_REFUNDS,
  CREDITS_REFUNDED,
  HOLD_RELEASES,
  HOLDS_RELEASED,
];

/** Returns the rows that it ended. */
export const CLOSE: Statement = {
  name: "close-transactions",
  text: `WITH ${PARTS.join(", ")}\nSELECT id, account_id, wallet_id\nFROM closed`,
};

export function closeParameters(closings: readonly Closing[]): unknown[] {
  return [JSON.stringify(closings.map(closingRow)), closings.map(({ id }) => id)];
}

function closingRow({ id, status, from, charged, txHash, reason, neverSigned = false }: Closing): object {
  return {
    id,
    status,
    settled_atomic: charged?.chargedAtomic.toString(),
    settled_micro_usd: charged?.chargedMicroUsd.toString(),
    tx_hash: txHash,
    reason,
    from_status: from,
    never_signed: neverSigned,
  };
}
