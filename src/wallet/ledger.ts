/** Moving a ledger row forward: `reserved → signed → settled | released`. Each move is one conditional statement. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";
import { CLOSE, type Closing, closeParameters, type OpenStatus } from "./close-statement.ts";

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

/**
 * Records signatures, many in one statement. A signature may leave the process only when its id is in the answer.
 * `nonce` names a Solana payment, whose identity is its signature.
 */
export async function markSigned(
  db: Database,
  signed: readonly { readonly id: string; readonly signature: string; readonly nonce: string | null }[],
): Promise<Set<string>> {
  const parameters = [signed.map((row) => row.id), signed.map((row) => row.signature), signed.map((row) => row.nonce)];
  const rows = await retryDeadlocks(() => db.query<{ id: string }>(MARK_SIGNED, parameters));
  return new Set(rows.map((row) => row.id));
}

/** Notes what shops say about settlement, many in one statement: it decides when the chain is asked, not what is believed. */
export async function recordClaims(
  db: Database,
  claims: readonly { readonly id: string; readonly txHash: string }[],
): Promise<void> {
  const parameters = [claims.map(({ id }) => id), claims.map(({ txHash }) => txHash)];
  await retryDeadlocks(() => db.query(RECORD_CLAIMS, parameters));
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
  const parameters = closeParameters(closings);
  const rows = await retryDeadlocks(() =>
    db.query<{ id: string; account_id: string; wallet_id: string }>(CLOSE, parameters),
  );
  return new Map(rows.map((row) => [row.id, { id: row.id, accountId: row.account_id, walletId: row.wallet_id }]));
}
