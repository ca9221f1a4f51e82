/**
 * Reserving money: one statement that counts amounts against every limit, takes them from credit or holds them in the
 * wallet, and writes ledger rows, or changes nothing. It commits before any key is touched.
 */
import type { Database, Statement } from "../platform/database.ts";
import { SQLSTATE } from "../platform/database-errors.ts";
import { ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { FIRST_CHECK_DELAY } from "./ledger.ts";
import { throwRefusalReason } from "./refusal-reason.ts";
import { type Asked, createReservationQueue, type ReservationQueue } from "./reservation-queue.ts";
import type { Reservation } from "./reservation-terms.ts";

/** The ledger has a row for this idempotency key already. */
export class DuplicateReservationError extends Error {
  constructor() {
    super("The Idempotency-Key already has a payment. Nothing was reserved.");
  }
}

/** The one-time purchase token has a payment that is outstanding or settled, and makes no second one (spec section 3.1). */
export class PurchaseTokenUsedError extends ServiceError {
  readonly code = "purchase_token_used";
  constructor() {
    super(
      "This one-time purchase token has made its payment. No more money moved. That payment's Idempotency-Key gives its answer again.",
    );
  }
}

/** Another permit of this wallet and asset is outstanding. */
export class PermitSlotTakenError extends Error {
  constructor() {
    super("The wallet cannot sign another permit for the asset now. Nothing was reserved.");
  }
}

const MAX_ATTEMPTS = 5;
/** A reservation whose signature was never recorded is given back after this long. */
const GIVEN_BACK_AFTER = "60 seconds";

/**
 * No reading of a balance is older when it is used: the cache keeps one for less than two seconds, an RPC is given up after
 * 16, a turn of the account after 15, and a connection to the database after 10.
 */
const FRESH_FOR_SECONDS = 45;

// All that is asked fits, or `fits` divides by zero and the error takes back whatever the parts had done. What fits
// together fits one after another, in any order: amounts of an account are added up and held against each limit once.
// A statement that began before midnight and comes after one of the new day does not fit either: it would set the
// counters back. Whatever counts an account's money holds its row first, which nothing here changes: statements that met at
// the counters themselves, each following the others' new versions, would wait for each other crosswise, a second a time.
const reserveStatement = (name: string, lock: string): Statement => ({
  name,
  text: `WITH today AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS day, date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
    ), asked AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS r (id text, account_id uuid, type text, network text, asset text,
        amount_atomic numeric, amount_micro_usd bigint, budget_ids text[], paid_from_credit boolean, wallet_id text,
        balance_atomic numeric, read_after timestamptz, scheme text, resource text, pay_to text, description text,
        "authorization" jsonb, nonce text, counts_as_signed boolean, permit_slot text, purchase_token_id text, valid_before timestamptz,
        idempotency_key text)
    ), locked AS MATERIALIZED (
      SELECT a.id FROM accounts a
      WHERE a.id = ANY($2::uuid[]) AND (a.x402_enabled_at IS NOT NULL OR NOT a.id = ANY($3::uuid[])) ${lock}
    ), taken AS MATERIALIZED (
      SELECT r.* FROM asked r JOIN locked ON locked.id = r.account_id
    ), budget_share AS (
      SELECT budget_id AS id, sum(amount_micro_usd)::bigint AS total, max(amount_micro_usd) AS largest
      FROM taken, unnest(budget_ids) AS budget_id GROUP BY budget_id
    ), budget AS (
      UPDATE budgets b SET
        day = t.day, day_used_micro_usd = CASE WHEN b.day = t.day THEN b.day_used_micro_usd ELSE 0 END + s.total,
        month = t.month, month_used_micro_usd = CASE WHEN b.month = t.month THEN b.month_used_micro_usd ELSE 0 END + s.total
      FROM today t, budget_share s
      WHERE b.id = s.id AND b.day <= t.day AND b.month <= t.month AND (b.closed_at IS NULL OR b.closed_at > now())
        AND (b.per_transaction_limit_micro_usd IS NULL OR s.largest <= b.per_transaction_limit_micro_usd)
        AND (b.daily_limit_micro_usd IS NULL
          OR CASE WHEN b.day = t.day THEN b.day_used_micro_usd ELSE 0 END + s.total <= b.daily_limit_micro_usd)
        AND (b.monthly_limit_micro_usd IS NULL
          OR CASE WHEN b.month = t.month THEN b.month_used_micro_usd ELSE 0 END + s.total <= b.monthly_limit_micro_usd)
      RETURNING b.id
    ), credit_share AS (
      SELECT account_id, sum(amount_micro_usd)::bigint AS total FROM taken WHERE paid_from_credit GROUP BY account_id
    ), credit AS (
      UPDATE credits c SET available_micro_usd = c.available_micro_usd - s.total
      FROM credit_share s WHERE c.account_id = s.account_id AND c.available_micro_usd >= s.total
      RETURNING c.account_id
    ), hold_share AS (
      SELECT wallet_id, network, asset, sum(amount_atomic) AS total, min(balance_atomic) AS balance,
        CASE WHEN bool_and(read_after IS NOT NULL) THEN min(read_after) END AS read_after
      FROM taken WHERE NOT paid_from_credit GROUP BY wallet_id, network, asset
    ), hold AS (
      INSERT INTO wallet_holds AS h (wallet_id, network, asset, outstanding_atomic)
      SELECT wallet_id, network, asset, total FROM hold_share WHERE total <= balance
      ON CONFLICT (wallet_id, network, asset) DO UPDATE SET outstanding_atomic = h.outstanding_atomic + excluded.outstanding_atomic
        WHERE EXISTS (SELECT FROM hold_share s
          WHERE s.wallet_id = h.wallet_id AND s.network = h.network AND s.asset = h.asset AND h.outstanding_atomic + s.total <= s.balance
          AND (h.settled_at IS NULL OR h.settled_at <= s.read_after OR h.settled_at < now() - interval '${FRESH_FOR_SECONDS} seconds'))
      RETURNING h.wallet_id
    ), fits AS (
      SELECT 1 / (CASE WHEN (SELECT count(*) FROM budget) = (SELECT count(*) FROM budget_share)
        AND (SELECT count(*) FROM credit) = (SELECT count(*) FROM credit_share)
        AND (SELECT count(*) FROM hold) = (SELECT count(*) FROM hold_share) THEN 1 ELSE 0 END) AS yes
    )
    INSERT INTO transactions (id, account_id, type, status, direction, network, asset, amount_atomic, amount_micro_usd,
      budget_ids, budget_day, paid_from_credit, wallet_id, scheme, resource, pay_to, description, "authorization", nonce,
      permit_slot, purchase_token_id, valid_before, idempotency_key, signed_at, next_check_at)
    SELECT r.id, r.account_id, r.type, CASE WHEN r.counts_as_signed THEN 'signed' ELSE 'reserved' END, 'out', r.network, r.asset,
      r.amount_atomic, r.amount_micro_usd, r.budget_ids, t.day, r.paid_from_credit, r.wallet_id, r.scheme, r.resource, r.pay_to, r.description, r."authorization", r.nonce,
      r.permit_slot, r.purchase_token_id, r.valid_before, r.idempotency_key, CASE WHEN r.counts_as_signed THEN now() END,
      now() + CASE WHEN r.counts_as_signed THEN interval '${FIRST_CHECK_DELAY}' ELSE interval '${GIVEN_BACK_AFTER}' END
    FROM taken r, today t, fits WHERE fits.yes = 1
    RETURNING id`,
});

const RESERVE_ONE = reserveStatement("reserve", "FOR NO KEY UPDATE");
// Waits for nobody: an account that something else counts at the moment is left out.
const RESERVE_MANY = reserveStatement("reserve-many", "FOR NO KEY UPDATE SKIP LOCKED");

/**
 * Reserves. Answers the ledger row's id, committed. What many ask for at the same moment goes as one statement; one that
 * does not fit with the others, or whose account is busy, goes by itself.
 * @throws {SpendingLimitExceededError | InsufficientBalanceError} with the figures behind it
 * @throws {DuplicateReservationError | PurchaseTokenUsedError | PermitSlotTakenError | StaleBalanceError | X402TurnedOffError}
 */
export async function reserve(db: Database, reservation: Reservation): Promise<string> {
  return await queueOf(db).reserve(reservation);
}

const queues = new WeakMap<Database, ReservationQueue>();

function queueOf(db: Database): ReservationQueue {
  let queue = queues.get(db);
  if (!queue) {
    queue = createReservationQueue({
      one: (reservation) => reserveOne(db, reservation),
      many: (asked) => insert(db, RESERVE_MANY, asked),
    });
    queues.set(db, queue);
  }
  return queue;
}

/** They wait for the account's row, by account. */
const withPermit = createKeyedSemaphore();

async function reserveOne(db: Database, reservation: Reservation): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = newId("tx");
    try {
      const reserved = await withPermit(reservation.accountId, () => insert(db, RESERVE_ONE, [{ id, reservation }]));
      if (reserved.has(id)) return id;
      await throwRefusalReason(db, reservation);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === SQLSTATE.uniqueViolation) throw takenBy((error as { constraint?: string }).constraint ?? "");
      if (code === SQLSTATE.divisionByZero) await explainRefusal(db, reservation);
      else if (code !== SQLSTATE.deadlockDetected) throw error;
      // Either two nodes locked the same rows crosswise, or what stood in the way has just been given back: again.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** What there may be only one of, and is already; by the index alone, for the rest of the error repeats the caller's key. */
function takenBy(constraint: string): Error {
  if (constraint.includes("purchase_token_id")) return new PurchaseTokenUsedError();
  return constraint.includes("permit_slot") ? new PermitSlotTakenError() : new DuplicateReservationError();
}

/** Answers the ids reserved, committed: all of accounts that could be locked. */
async function insert(db: Database, statement: Statement, asked: readonly Asked[]): Promise<ReadonlySet<string>> {
  const accountIds = new Set(asked.map(({ reservation }) => reservation.accountId));
  const x402AccountIds = asked.filter(({ reservation: { type } }) => type === "x402" || type === "gateway");
  const rows = await db.query<{ id: string }>(statement, [
    JSON.stringify(asked.map(rowOf)),
    [...accountIds],
    [...new Set(x402AccountIds.map(({ reservation }) => reservation.accountId))],
  ]);
  return new Set(rows.map(({ id }) => id));
}

function rowOf({ id, reservation: r }: Asked): object {
  const wallet = r.source.kind === "wallet" ? r.source : null;
  return {
    id,
    account_id: r.accountId,
    type: r.type,
    network: r.network,
    asset: r.asset,
    amount_atomic: r.amountAtomic.toString(),
    amount_micro_usd: r.amountMicroUsd.toString(),
    budget_ids: r.budgetIds,
    paid_from_credit: wallet === null,
    wallet_id: r.source.walletId,
    balance_atomic: wallet?.balanceAtomic.toString(),
    read_after: wallet?.readAfter,
    scheme: r.scheme,
    resource: r.resource,
    pay_to: r.payTo,
    description: r.description,
    authorization: r.authorization,
    nonce: r.nonce,
    counts_as_signed: r.countsAsSigned ?? false,
    permit_slot: r.permitSlot,
    purchase_token_id: r.purchaseTokenId,
    valid_before: r.validBefore,
    idempotency_key: r.idempotencyKey,
  };
}
