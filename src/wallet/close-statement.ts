/**
 * The statement that settles, releases or fails payments. It sets the final state of their ledger rows and refunds the
 * reserved amounts that were not charged. The header of `reserve-statement.ts` shows the tables and the changes of balances.
 *
 * Each invariant, the part that enforces it, and a test that fails without that part, as a path from `test/wallet`:
 *
 * | Invariant                                      | Part             | Test                                                    |
 * |------------------------------------------------|------------------|---------------------------------------------------------|
 * | A row reaches a final state once               | CLOSED           | ledger.property: "agrees with its counters"             |
 * | A budget is refunded the uncharged amount      | BUDGETS_REFUNDED | ledger.property: "agrees with its counters"             |
 * | A refund never reduces a later day's counter   | BUDGETS_REFUNDED | ledger.property: "resets the day and month counters"    |
 * | A refund never reduces a later month's counter | BUDGETS_REFUNDED | ledger.property: "refunds nothing to the current month" |
 * | Both also hold in a batch of several days      | BUDGET_REFUNDS   | settle-many: "refunds each payment to the day"          |
 * | Credit is refunded the uncharged amount        | CREDITS_REFUNDED | ledger.property: "agrees with its counters"             |
 * | A closed payment has no hold                   | HOLDS_RELEASED   | ledger.property: "agrees with its counters"             |
 * | A settlement makes older balances stale        | HOLDS_RELEASED   | stale-balance: "cached balance predates"                |
 * | Statements do not deadlock at the counters     | ACCOUNTS_LOCKED  | ../security/contention: "never deadlocks"               |
 *
 * Lock order: the ledger rows, then their accounts by id, then the counters of those accounts. Deadlocks remain possible
 * between two batches with common rows, and with a reservation that waits for one of the rows (`reserve-statement.ts`). In
 * this case `ledger.ts` retries the statement.
 */
import type { Statement } from "../platform/database/connection.ts";

export type OpenStatus = "reserved" | "signed";

/** The transition of one ledger row to a final state. */
export interface Closing {
  readonly id: string;
  readonly status: "settled" | "released" | "failed";
  /** Statuses from which the transition is allowed. */
  readonly from: readonly OpenStatus[];
  readonly charged: { readonly chargedAtomic: bigint; readonly chargedMicroUsd: bigint } | null;
  readonly txHash: string | null;
  readonly reason: string | null;
  /** Whether the payment has the status `signed` but is known to be unsigned. Default false. */
  readonly neverSigned?: boolean;
}

/**
 * Sets the final state of the rows that are still in one of the expected states. The ids of $1 are repeated in $2 as a list,
 * for which the planner uses the primary key. Without statistics it would read the whole table for a join with $1.
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

/** Locks the accounts of the rows, in the same order in all statements. */
const ACCOUNTS_LOCKED = `accounts_locked AS MATERIALIZED (
  SELECT a.id
  FROM accounts a
  WHERE a.id IN (SELECT account_id FROM closed)
  ORDER BY a.id
  FOR NO KEY UPDATE
)`;

/** A table to join. It makes an update wait until all accounts are locked. */
const AFTER_LOCKS = "(SELECT count(*) FROM accounts_locked) AS after_locks";

/** The refund of each row to each of its budgets, with the latest reservation day of the rows of that budget. */
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
 * The total of each budget. A budget's day is never before that of a counted payment, so its counters can only include
 * payments of the latest day and month.
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

/** Returns the SQL for a counter after the refund. It includes the payments only if their day or month is the counter's. */
const usedAfterRefund = (period: "day" | "month") =>
  `b.${period}_used_micro_usd - CASE WHEN b.${period} = r.${period} THEN r.of_${period} ELSE 0 END`;

/** Refunds the budgets. */
const BUDGETS_REFUNDED = `budgets_refunded AS (
  UPDATE budgets b SET
    day_used_micro_usd = ${usedAfterRefund("day")},
    month_used_micro_usd = ${usedAfterRefund("month")}
  FROM budget_refunds r, ${AFTER_LOCKS}
  WHERE b.id = r.id
)`;

/** The total refund of each account that paid from credit. */
const CREDIT_REFUNDS = `credit_refunds AS (
  SELECT account_id, sum(refund_micro_usd)::bigint AS total
  FROM closed
  WHERE paid_from_credit
    AND refund_micro_usd <> 0
  GROUP BY account_id
)`;

/** Refunds the credits. */
const CREDITS_REFUNDED = `credits_refunded AS (
  UPDATE credits k SET available_micro_usd = k.available_micro_usd + r.total
  FROM credit_refunds r, ${AFTER_LOCKS}
  WHERE k.account_id = r.account_id
)`;

/** The total hold of each wallet, network and asset, and whether one of its payments settled. */
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

/** Releases the holds completely, because the next balance read no longer contains the charged amount. */
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

/** Returns the rows that it closed. */
export const CLOSE: Statement = {
  name: "close-transactions",
  text: `WITH ${PARTS.join(", ")}\nSELECT id, account_id, wallet_id\nFROM closed`,
};

/** Returns the parameters of `CLOSE`. */
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
