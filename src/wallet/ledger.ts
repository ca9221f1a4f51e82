/** Moving a ledger row forward: `reserved → signed → settled | released`. Each move is one conditional statement. */
import type { Database, Statement } from "../platform/database/connection.ts";

/** A row that has just reached its end. */
export interface ClosedTransaction {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string;
}

/** How long after a signature may have left the chain is first asked about it. */
export const FIRST_CHECK_DELAY = "5 seconds";

// The signature counts only if the row is still reserved, or holds this very signature: one released meanwhile is not brought back.
const MARK_SIGNED: Statement = {
  name: "mark-signed",
  text: `UPDATE transactions t SET status = 'signed', signature = u.signature, nonce = coalesce(u.nonce, t.nonce), signed_at = now(), updated_at = now(),
      next_check_at = now() + interval '${FIRST_CHECK_DELAY}'
    FROM unnest($1::text[], $2::text[], $3::text[]) AS u (id, signature, nonce)
    WHERE t.id = u.id AND (t.status = 'reserved' OR t.status = 'signed' AND t.signature = u.signature)
    RETURNING t.id`,
};

// Put a day ahead of its time, it is looked up before all that nobody says has settled, however many of them are due. What was
// said before is no news: one of our own, which is sent again until it has settled, would be due again each time.
const RECORD_CLAIMS: Statement = {
  name: "record-claims",
  text: `UPDATE transactions t SET claimed_tx_hash = u.tx_hash, next_check_at = CASE WHEN t.claimed_tx_hash = u.tx_hash
      THEN t.next_check_at ELSE now() - interval '1 day' END
    FROM unnest($1::text[], $2::text[]) AS u (id, tx_hash)
    WHERE t.id = u.id AND t.status = 'signed'`,
};

// Gives back what was reserved and not charged: to the budgets if their day and month are still running, to credit or the
// hold. Budgets and credit are touched only when something comes back, and all with the accounts' rows held (see `reserve`),
// which are taken in one order once every transaction's is. A budget's day is never before that of a payment it has counted:
// of payments that close together, those of the latest day are all that it may still count. The ids are given twice: while the
// table has no statistics yet, the planner reads all of it for what it is to join with, and goes by the key for a list.
const CLOSE: Statement = {
  name: "close-transactions",
  text: `WITH closed AS (
      UPDATE transactions t SET status = g.status, settled_atomic = g.settled_atomic, settled_micro_usd = g.settled_micro_usd,
        tx_hash = coalesce(g.tx_hash, t.tx_hash),
        failure_reason = CASE WHEN g.status <> 'settled' THEN coalesce(t.failure_reason, g.reason) END,
        settled_at = CASE WHEN g.status = 'settled' THEN now() END, signed_at = CASE WHEN NOT g.never_signed THEN t.signed_at END,
        updated_at = now(), permit_slot = NULL, next_check_at = NULL,
        purchase_token_id = CASE WHEN g.status = 'settled' THEN t.purchase_token_id END,
        idempotency_key = CASE WHEN g.status = 'released' AND t.signature IS NULL AND (t.status = 'reserved' OR t.scheme IS NULL)
          THEN NULL ELSE t.idempotency_key END
      FROM json_to_recordset($1::json) AS g (id text, status text, settled_atomic numeric, settled_micro_usd bigint, tx_hash text,
        reason text, from_status text[], never_signed boolean)
      WHERE t.id = g.id AND t.id = ANY($2::text[]) AND t.status = ANY(g.from_status)
      RETURNING t.*, t.amount_micro_usd - coalesce(g.settled_micro_usd, 0) AS refund_micro_usd
    ), locked AS MATERIALIZED (
      SELECT a.id FROM accounts a WHERE a.id IN (SELECT account_id FROM closed) ORDER BY a.id FOR NO KEY UPDATE
    ), refund AS (
      SELECT budget_id, c.budget_day, c.refund_micro_usd, max(c.budget_day) OVER (PARTITION BY budget_id) AS latest
      FROM closed c, unnest(c.budget_ids) AS budget_id WHERE c.refund_micro_usd <> 0
    ), budget_share AS (
      SELECT budget_id AS id, latest AS day, date_trunc('month', latest)::date AS month,
        coalesce(sum(refund_micro_usd) FILTER (WHERE budget_day = latest), 0)::bigint AS of_day,
        coalesce(sum(refund_micro_usd) FILTER (WHERE date_trunc('month', budget_day) = date_trunc('month', latest)), 0)::bigint AS of_month
      FROM refund GROUP BY budget_id, latest
    ), budget AS (
      UPDATE budgets b SET
        day_used_micro_usd = b.day_used_micro_usd - CASE WHEN b.day = s.day THEN s.of_day ELSE 0 END,
        month_used_micro_usd = b.month_used_micro_usd - CASE WHEN b.month = s.month THEN s.of_month ELSE 0 END
      FROM budget_share s, (SELECT count(*) FROM locked) AS accounts_locked
      WHERE b.id = s.id
    ), credit_share AS (
      SELECT account_id, sum(refund_micro_usd)::bigint AS total FROM closed
      WHERE paid_from_credit AND refund_micro_usd <> 0 GROUP BY account_id
    ), credit AS (
      UPDATE credits SET available_micro_usd = available_micro_usd + s.total
      FROM credit_share s, (SELECT count(*) FROM locked) AS accounts_locked
      WHERE credits.account_id = s.account_id
    ), hold_share AS (
      SELECT wallet_id, network, asset, sum(amount_atomic) AS total, bool_or(status = 'settled') AS has_settled
      FROM closed WHERE NOT paid_from_credit GROUP BY wallet_id, network, asset
    ), hold AS (
      UPDATE wallet_holds h SET outstanding_atomic = h.outstanding_atomic - s.total,
        settled_at = CASE WHEN s.has_settled THEN clock_timestamp() ELSE h.settled_at END
      FROM hold_share s, (SELECT count(*) FROM locked) AS accounts_locked
      WHERE h.wallet_id = s.wallet_id AND h.network = s.network AND h.asset = s.asset
    )
    SELECT id, account_id, wallet_id FROM closed`,
};

/**
 * Records signatures, many in one statement. A signature may leave the process only when its id is in the answer.
 * `nonce` names a Solana payment, whose identity is its signature.
 */
export async function markSigned(
  db: Database,
  signed: readonly { readonly id: string; readonly signature: string; readonly nonce: string | null }[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(MARK_SIGNED, [
    signed.map((row) => row.id),
    signed.map((row) => row.signature),
    signed.map((row) => row.nonce),
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Notes what shops say about settlement, many in one statement: it decides when the chain is asked, not what is believed. */
export async function recordClaims(
  db: Database,
  claims: readonly { readonly id: string; readonly txHash: string }[],
): Promise<void> {
  await db.query(RECORD_CLAIMS, [claims.map(({ id }) => id), claims.map(({ txHash }) => txHash)]);
}

const NOTE_REFUSAL: Statement = {
  name: "note-refusal",
  text: "UPDATE transactions SET failure_reason = $2 WHERE id = $1 AND status = 'signed'",
};

/** Notes why the other side would not take the payment. It stays outstanding all the same: its signature is out. */
export async function recordFailureReason(db: Database, id: string, reason: string): Promise<void> {
  await db.query(NOTE_REFUSAL, [id, reason]);
}

/** What a payment came to. */
export interface Settlement {
  readonly txHash: string | null;
  readonly chargedAtomic: bigint;
  readonly chargedMicroUsd: bigint;
}

type OpenStatus = "reserved" | "signed";

interface Closing {
  readonly id: string;
  readonly status: "settled" | "released" | "failed";
  readonly from: readonly OpenStatus[];
  readonly charged: Pick<Settlement, "chargedAtomic" | "chargedMicroUsd"> | null;
  readonly txHash: string | null;
  readonly reason: string | null;
  /** It counted as signed, and is known never to have been. */
  readonly neverSigned?: boolean;
}

const OPEN: readonly OpenStatus[] = ["reserved", "signed"];

/** The chain took `chargedAtomic` in `txHash`. Answers null when the row had ended before. */
export async function settle(db: Database, id: string, outcome: Settlement): Promise<ClosedTransaction | null> {
  return (await settleMany(db, [{ id, ...outcome }])).get(id) ?? null;
}

/** As `settle`, many in one statement, each row once. Answers those that had not ended before. */
export async function settleMany(
  db: Database,
  settled: readonly (Settlement & { readonly id: string })[],
): Promise<ReadonlyMap<string, ClosedTransaction>> {
  return await close(
    db,
    settled.map(({ id, txHash, ...charged }) => ({
      id,
      status: "settled",
      from: OPEN,
      charged,
      txHash,
      reason: null,
    })),
  );
}

/** The money certainly did not and will not move. `from` narrows it to rows that are still in that state. */
export async function release(
  db: Database,
  id: string,
  reason: string,
  from: readonly OpenStatus[] = OPEN,
): Promise<ClosedTransaction | null> {
  const closed = await close(db, [{ id, status: "released", from, charged: null, txHash: null, reason }]);
  return closed.get(id) ?? null;
}

/**
 * Takes back a payment that was to count as signed from its reservation on (`Reservation.countsAsSigned`), by the only one who could
 * have signed it, and did not.
 */
export async function releaseUnsigned(db: Database, id: string, reason: string): Promise<ClosedTransaction | null> {
  const nothing = { charged: null, txHash: null };
  const closed = await close(db, [{ id, status: "released", from: ["signed"], ...nothing, reason, neverSigned: true }]);
  return closed.get(id) ?? null;
}

/** The chain tried and refused (a reverted transfer): as `release`, with the hash that shows it. */
export async function fail(
  db: Database,
  id: string,
  reason: string,
  txHash: string | null,
): Promise<ClosedTransaction | null> {
  const closed = await close(db, [{ id, status: "failed", from: OPEN, charged: null, txHash, reason }]);
  return closed.get(id) ?? null;
}

async function close(db: Database, closings: readonly Closing[]): Promise<Map<string, ClosedTransaction>> {
  const rows = await db.query<{ id: string; account_id: string; wallet_id: string }>(CLOSE, [
    JSON.stringify(
      closings.map(({ id, status, from, charged, txHash, reason, neverSigned = false }) => ({
        id,
        status,
        settled_atomic: charged?.chargedAtomic.toString(),
        settled_micro_usd: charged?.chargedMicroUsd.toString(),
        tx_hash: txHash,
        reason,
        from_status: from,
        never_signed: neverSigned,
      })),
    ),
    closings.map(({ id }) => id),
  ]);
  return new Map(rows.map((row) => [row.id, { id: row.id, accountId: row.account_id, walletId: row.wallet_id }]));
}
