/**
 * Reserving money: one statement that counts the amount against every limit, takes it from credit or holds it in the
 * wallet, and writes the ledger row, or changes nothing. It commits before any key is touched.
 */
import type { Database, Statement } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";
import { explainRefusal } from "./refusal.ts";
import type { Reservation } from "./reservation-terms.ts";

/** The ledger has a row for this idempotency key already. */
export class DuplicateReservationError extends Error {}

/** Another permit of this wallet and asset is outstanding. */
export class PermitSlotTakenError extends Error {}

const DIVISION_BY_ZERO = "22012";
const UNIQUE_VIOLATION = "23505";
const DEADLOCK = "40P01";
const MAX_ATTEMPTS = 5;
/** A reservation whose signature was never recorded is given back after this long. */
const FIRST_CHECK_SECONDS = 60;

/** No reading of a balance is older when it is used: the cache keeps one for less, and an RPC is given up sooner. */
const FRESH_FOR_SECONDS = 30;

// `fits` divides by zero when any part did not: the error takes back whatever the other parts had done. A statement that
// began before midnight and comes after one of the new day does not fit either: it would set the counters back.
// Whatever counts an account's money holds its row first, which nothing here changes: statements that met at the counters
// themselves, each following the others' new versions, would wait for each other crosswise, a second a time.
const RESERVE: Statement = {
  name: "reserve",
  text: `WITH today AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS day, date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
    ), locked AS MATERIALIZED (
      SELECT id FROM accounts WHERE id = $2::uuid AND ($3 <> 'x402' OR x402_enabled_at IS NOT NULL) FOR NO KEY UPDATE
    ), budget AS (
      UPDATE budgets b SET
        day = t.day, day_used_micro_usd = CASE WHEN b.day = t.day THEN b.day_used_micro_usd ELSE 0 END + $7,
        month = t.month, month_used_micro_usd = CASE WHEN b.month = t.month THEN b.month_used_micro_usd ELSE 0 END + $7
      FROM today t, (SELECT count(*) FROM locked) AS account_locked
      WHERE b.id = ANY($8) AND b.day <= t.day AND b.month <= t.month AND (b.closed_at IS NULL OR b.closed_at > now())
        AND (b.per_transaction_limit_micro_usd IS NULL OR $7 <= b.per_transaction_limit_micro_usd)
        AND (b.daily_limit_micro_usd IS NULL
          OR CASE WHEN b.day = t.day THEN b.day_used_micro_usd ELSE 0 END + $7 <= b.daily_limit_micro_usd)
        AND (b.monthly_limit_micro_usd IS NULL
          OR CASE WHEN b.month = t.month THEN b.month_used_micro_usd ELSE 0 END + $7 <= b.monthly_limit_micro_usd)
      RETURNING b.id
    ), credit AS (
      UPDATE credits SET available_micro_usd = available_micro_usd - $7
      WHERE account_id = $2 AND $9 AND available_micro_usd >= $7
      RETURNING account_id
    ), hold AS (
      INSERT INTO wallet_holds AS h (wallet_id, network, asset, outstanding_atomic)
      SELECT $10, $4, $5, $6::numeric WHERE NOT $9 AND $6::numeric <= $11::numeric
      ON CONFLICT (wallet_id, network, asset) DO UPDATE SET outstanding_atomic = h.outstanding_atomic + $6::numeric
        WHERE h.outstanding_atomic + $6::numeric <= $11::numeric
          AND (h.settled_at IS NULL OR h.settled_at <= $21 OR h.settled_at < now() - interval '${FRESH_FOR_SECONDS} seconds')
      RETURNING h.wallet_id
    ), fits AS (
      SELECT 1 / (CASE WHEN (SELECT count(*) FROM locked) = 1 AND (SELECT count(*) FROM budget) = cardinality($8)
        AND (SELECT count(*) FROM credit) + (SELECT count(*) FROM hold) = 1 THEN 1 ELSE 0 END) AS yes
    )
    INSERT INTO transactions (id, account_id, type, status, direction, network, asset, amount_atomic, amount_micro_usd,
      budget_ids, budget_day, paid_from_credit, wallet_id, scheme, resource, pay_to, description, "authorization", nonce,
      permit_slot, valid_before, idempotency_key, next_check_at)
    SELECT $1, $2::uuid, $3, 'reserved', 'out', $4, $5, $6::numeric, $7, $8, t.day, $9, $10, $12, $13, $14, $15, $16, $17, $18,
      $19, $20, now() + interval '${FIRST_CHECK_SECONDS} seconds'
    FROM today t, fits WHERE fits.yes = 1`,
};

/**
 * Reserves. Answers the ledger row's id, committed.
 * @throws {SpendingLimitExceededError | InsufficientBalanceError} with the figures behind it
 * @throws {DuplicateReservationError | PermitSlotTakenError | StaleBalanceError | X402TurnedOffError}
 */
export async function reserve(db: Database, reservation: Reservation): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = newId("tx");
    try {
      await db.query(RESERVE, parametersOf(id, reservation));
      return id;
    } catch (error) {
      const { code, constraint, detail } = error as { code?: string; constraint?: string; detail?: string };
      if (code === UNIQUE_VIOLATION) {
        throw `${constraint}${detail}`.includes("permit_slot")
          ? new PermitSlotTakenError()
          : new DuplicateReservationError();
      }
      if (code === DIVISION_BY_ZERO) await explainRefusal(db, reservation);
      else if (code !== DEADLOCK) throw error;
      // Either two nodes locked the same rows crosswise, or what stood in the way has just been given back: again.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function parametersOf(id: string, r: Reservation): unknown[] {
  return [
    id,
    r.accountId,
    r.type,
    r.network,
    r.asset,
    r.amountAtomic.toString(),
    r.amountMicroUsd.toString(),
    r.budgetIds,
    r.source.kind === "credit",
    r.source.walletId,
    r.source.kind === "wallet" ? r.source.balanceAtomic.toString() : null,
    r.scheme,
    r.resource,
    r.payTo,
    r.description,
    JSON.stringify(r.authorization),
    r.nonce,
    r.permitSlot,
    r.validBefore,
    r.idempotencyKey,
    r.source.kind === "wallet" ? r.source.readAfter : null,
  ];
}
