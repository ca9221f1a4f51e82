/** Moving a ledger row forward: `reserved → signed → settled | released`. Each move is one conditional statement. */
import type { Database, Statement } from "../platform/database.ts";

/** A row that has just reached its end. */
export interface ClosedTransaction {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string;
}

// The signature counts only if the row is still reserved, or holds this very signature: one released meanwhile is not brought back.
const MARK_SIGNED: Statement = {
  name: "mark-signed",
  text: `UPDATE transactions t SET status = 'signed', signature = u.signature, nonce = coalesce(u.nonce, t.nonce), signed_at = now(), updated_at = now(),
      next_check_at = now() + interval '5 seconds'
    FROM unnest($1::text[], $2::text[], $3::text[]) AS u (id, signature, nonce)
    WHERE t.id = u.id AND (t.status = 'reserved' OR t.status = 'signed' AND t.signature = u.signature)
    RETURNING t.id`,
};

const RECORD_CLAIMS: Statement = {
  name: "record-claims",
  text: `UPDATE transactions t SET claimed_tx_hash = u.tx_hash, next_check_at = now()
    FROM unnest($1::text[], $2::text[]) AS u (id, tx_hash)
    WHERE t.id = u.id AND t.status = 'signed'`,
};

// Gives back what was reserved and not charged: to the budgets if their day and month are still running, to credit or the
// hold. Budgets and credit are touched only when something comes back, and all with the account's row held (see `reserve`).
const CLOSE: Statement = {
  name: "close-transaction",
  text: `WITH closed AS (
      UPDATE transactions SET status = $2, settled_atomic = $3::numeric, settled_micro_usd = $4::bigint,
        tx_hash = coalesce($5, tx_hash),
        failure_reason = CASE WHEN $2 <> 'settled' THEN coalesce(failure_reason, $6) END,
        settled_at = CASE WHEN $2 = 'settled' THEN now() END, updated_at = now(), permit_slot = NULL, next_check_at = NULL,
        purchase_token_id = CASE WHEN $2 = 'settled' THEN purchase_token_id END,
        idempotency_key = CASE WHEN $2 = 'released' AND signature IS NULL THEN NULL ELSE idempotency_key END
      WHERE id = $1 AND status = ANY($7::text[])
      RETURNING *, amount_micro_usd - coalesce($4::bigint, 0) AS refund_micro_usd
    ), locked AS MATERIALIZED (
      SELECT a.id FROM accounts a, closed c WHERE a.id = c.account_id FOR NO KEY UPDATE OF a
    ), budget AS (
      UPDATE budgets b SET
        day_used_micro_usd = b.day_used_micro_usd - CASE WHEN b.day = c.budget_day THEN c.refund_micro_usd ELSE 0 END,
        month_used_micro_usd = b.month_used_micro_usd
          - CASE WHEN b.month = date_trunc('month', c.budget_day)::date THEN c.refund_micro_usd ELSE 0 END
      FROM closed c, (SELECT count(*) FROM locked) AS account_locked
      WHERE b.id = ANY(c.budget_ids) AND c.refund_micro_usd <> 0
    ), credit AS (
      UPDATE credits SET available_micro_usd = available_micro_usd + c.refund_micro_usd
      FROM closed c, (SELECT count(*) FROM locked) AS account_locked
      WHERE credits.account_id = c.account_id AND c.paid_from_credit AND c.refund_micro_usd <> 0
    ), hold AS (
      UPDATE wallet_holds h SET outstanding_atomic = h.outstanding_atomic - c.amount_atomic,
        settled_at = CASE WHEN $2 = 'settled' THEN clock_timestamp() ELSE h.settled_at END
      FROM closed c, (SELECT count(*) FROM locked) AS account_locked
      WHERE NOT c.paid_from_credit AND h.wallet_id = c.wallet_id AND h.network = c.network AND h.asset = c.asset
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
export async function noteRefusal(db: Database, id: string, reason: string): Promise<void> {
  await db.query(NOTE_REFUSAL, [id, reason]);
}

/** The chain took `chargedAtomic` in `txHash`. Answers null when the row had ended before. */
export async function settle(
  db: Database,
  id: string,
  outcome: { readonly txHash: string | null; readonly chargedAtomic: bigint; readonly chargedMicroUsd: bigint },
): Promise<ClosedTransaction | null> {
  const { txHash, chargedAtomic, chargedMicroUsd } = outcome;
  return await close(db, [
    id,
    "settled",
    chargedAtomic.toString(),
    chargedMicroUsd.toString(),
    txHash,
    null,
    ["reserved", "signed"],
  ]);
}

/** The money certainly did not and will not move. `from` narrows it to rows that are still in that state. */
export async function release(
  db: Database,
  id: string,
  reason: string,
  from: readonly ("reserved" | "signed")[] = ["reserved", "signed"],
): Promise<ClosedTransaction | null> {
  return await close(db, [id, "released", null, null, null, reason, from]);
}

/** The chain tried and refused (a reverted transfer): as `release`, with the hash that shows it. */
export async function fail(
  db: Database,
  id: string,
  reason: string,
  txHash: string | null,
): Promise<ClosedTransaction | null> {
  return await close(db, [id, "failed", null, null, txHash, reason, ["reserved", "signed"]]);
}

async function close(db: Database, values: readonly unknown[]): Promise<ClosedTransaction | null> {
  const [row] = await db.query<{ id: string; account_id: string; wallet_id: string }>(CLOSE, values);
  return row ? { id: row.id, accountId: row.account_id, walletId: row.wallet_id } : null;
}
