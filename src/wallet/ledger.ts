/** State transitions of ledger rows: `reserved → signed → settled | released | failed`. Each is one conditional statement. */
import { isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";
import { CLOSE, type Closing, closeParameters, type OpenStatus } from "./close-statement.ts";

/** A ledger row that has reached a final state. */
export interface ClosedTransaction {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string;
}

/** Time between the possible disclosure of a signature and the first check on the chain. */
export const FIRST_CHECK_DELAY = "5 seconds";

// Updates only a row that is still reserved or already has this signature. A row that was released meanwhile remains released, and one
// of an account that was frozen meanwhile remains reserved. The cost of a model call is charged despite a freeze.
const MARK_SIGNED: Statement = {
  name: "mark-signed",
  text: `UPDATE transactions t SET status = 'signed', signature = u.signature, nonce = coalesce(u.nonce, t.nonce), signed_at = now(), updated_at = now(),
      next_check_at = now() + interval '${FIRST_CHECK_DELAY}'
    FROM unnest($1::text[], $2::text[], $3::text[]) AS u (id, signature, nonce)
    WHERE t.id = u.id AND (t.status = 'signed' AND t.signature = u.signature
      OR t.status = 'reserved' AND (t.type = 'gateway' AND t.scheme IS NULL
        OR EXISTS (SELECT FROM accounts a WHERE a.id = t.account_id AND ${isOpen("a")})))
    RETURNING t.id`,
};

// A check time one day in the past puts the row ahead of all due rows without a reported settlement. A repeated report does
// not change the time: a payment that Satchel relays itself is resent until it settles and would become due each time.
// An attempt that was concluded ends with the claim, which saves the second write of `AttemptLeases.end`.
const RECORD_CLAIMS: Statement = {
  name: "record-claims",
  text: `UPDATE transactions t SET
      claimed_tx_hash = CASE WHEN t.status = 'signed' THEN u.tx_hash ELSE t.claimed_tx_hash END,
      next_check_at = CASE WHEN t.status = 'signed' AND t.claimed_tx_hash IS DISTINCT FROM u.tx_hash
        THEN now() - interval '1 day' ELSE t.next_check_at END,
      request_sha256 = CASE WHEN t.attempt = u.concluded_attempt THEN NULL ELSE t.request_sha256 END
    FROM unnest($1::text[], $2::text[], $3::int[]) AS u (id, tx_hash, concluded_attempt)
    WHERE t.id = u.id AND (t.status = 'signed' OR t.attempt = u.concluded_attempt)`,
};

/** A settlement that a seller reports. */
export interface Claim {
  readonly id: string;
  readonly txHash: string;
  /** The attempt that ended with a definitive response (`attempts.ts`). Default null: none did. */
  readonly concludedAttempt?: number | null;
}

/**
 * Records signatures with one statement and returns the ids of the updated rows. A signature may leave the process only if
 * its id is in the result. `nonce` identifies a Solana payment by its signature.
 */
export async function markSigned(
  db: Database,
  signed: readonly { readonly id: string; readonly signature: string; readonly nonce: string | null }[],
): Promise<Set<string>> {
  const parameters = [signed.map((row) => row.id), signed.map((row) => row.signature), signed.map((row) => row.nonce)];
  const rows = await retryDeadlocks(() => db.query<{ id: string }>(MARK_SIGNED, parameters));
  return new Set(rows.map((row) => row.id));
}

/**
 * Records settlements that sellers report, with one statement. A report decides only when the chain is checked, not the
 * state of the payment.
 */
export async function recordClaims(db: Database, claims: readonly Claim[]): Promise<void> {
  const parameters = [
    claims.map(({ id }) => id),
    claims.map(({ txHash }) => txHash),
    claims.map(({ concludedAttempt }) => concludedAttempt ?? null),
  ];
  await retryDeadlocks(() => db.query(RECORD_CLAIMS, parameters));
}

const RECORD_FAILURE_REASON: Statement = {
  name: "note-refusal",
  text: "UPDATE transactions SET failure_reason = $2 WHERE id = $1 AND status = 'signed'",
};

/** Records why the seller rejected the payment. The payment remains outstanding because the seller has its signature. */
export async function recordFailureReason(db: Database, id: string, reason: string): Promise<void> {
  await db.query(RECORD_FAILURE_REASON, [id, reason]);
}

/** The result of a settled payment: the transaction and the charged amount. */
export interface Settlement {
  readonly txHash: string | null;
  readonly chargedAtomic: bigint;
  readonly chargedMicroUsd: bigint;
}

const OPEN: readonly OpenStatus[] = ["reserved", "signed"];

/** Settles a payment that the chain charged. Returns null if the row already had a final state. */
export async function settle(db: Database, id: string, outcome: Settlement): Promise<ClosedTransaction | null> {
  return (await settleMany(db, [{ id, ...outcome }])).get(id) ?? null;
}

/** Settles several payments with one statement; each id must occur once. Rows that already had a final state are omitted. */
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

/**
 * Releases a payment whose money has not moved and can no longer move. `from` restricts the transition to rows in these
 * states. Returns null if the row was in none of them.
 */
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
 * Releases a payment that counted as signed from its reservation (`Reservation.countsAsSigned`). Only the process that
 * reserved it may call this, and only if it did not sign the payment.
 */
export async function releaseUnsigned(db: Database, id: string, reason: string): Promise<ClosedTransaction | null> {
  const noCharge = { charged: null, txHash: null };
  const closed = await close(db, [
    { id, status: "released", from: ["signed"], ...noCharge, reason, neverSigned: true },
  ]);
  return closed.get(id) ?? null;
}

/** Fails a payment whose transaction the chain reverted. Returns its amount to the budgets like `release`. */
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
  const parameters = closeParameters(closings);
  const rows = await retryDeadlocks(() =>
    db.query<{ id: string; account_id: string; wallet_id: string }>(CLOSE, parameters),
  );
  return new Map(rows.map((row) => [row.id, { id: row.id, accountId: row.account_id, walletId: row.wallet_id }]));
}
