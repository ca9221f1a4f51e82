/**
 * The statement that reserves money. It counts payments against every budget, charges credit or places holds on wallets, and
 * inserts the ledger rows. If one of these fails, it raises `SQLSTATE.reservationRefused` and changes nothing. It omits
 * accounts that it cannot lock, frozen accounts, and those for which X402 is disabled. It also omits requests whose earlier payment can continue, and
 * requests that lost their idempotency key to another.
 *
 *   accounts ─┬─< budgets                   used today and this month, a row for the account and for each credential
 *             ├── credits                   free credit available
 *             ├── wallets ──< wallet_holds  outstanding on a wallet, by network and asset
 *             └─< transactions              the ledger, a row for each payment, counted in each budget of its budget_ids
 *
 * Balances, for a payment of a (`amount_…`) of which c is charged (`settled_…`). c exceeds a only if the chain charges more
 * than was signed. Such a payment settles with c, so the ledger matches the chain and can exceed a limit. The statement in
 * `close-statement.ts` applies the last two columns.
 *
 * | Column                                               | reserved, signed | settled   | released, failed |
 * |------------------------------------------------------|------------------|-----------|------------------|
 * | budgets.day_used_micro_usd, until the day ends       | + a              | − (a − c) | − a              |
 * | budgets.month_used_micro_usd, until the month ends   | + a              | − (a − c) | − a              |
 * | credits.available_micro_usd, if paid from credit     | − a              | + (a − c) | + a              |
 * | wallet_holds.outstanding_atomic, if the wallet pays  | + a              | − a       | − a              |
 * | wallet_holds.settled_at, if the wallet pays          |                  | the time  |                  |
 *
 * Each invariant, the part that enforces it, and a test that fails without that part, as a path from `test/wallet`:
 *
 * | Invariant                                      | Part            | Test                                                     |
 * |------------------------------------------------|-----------------|----------------------------------------------------------|
 * | No payment exceeds a limit, alone or in sum    | BUDGETS_CHARGED | reserve-statement: "a total of exactly %s"               |
 * | A closed budget pays nothing                   | BUDGETS_CHARGED | ledger.property: "rejects a reservation on a closed"     |
 * | A new day or month starts at zero              | BUDGETS_CHARGED | ledger.property: "resets the day and month counters"     |
 * | A counter never returns to an earlier day      | BUDGETS_CHARGED | ../security/rollover: "sets no counter back"             |
 * | An open permit counts on every later day       | BUDGETS_CHARGED | carry-over: "counts an open permit on the next day"      |
 * | Also one that commits as the day begins        | BUDGETS_CHARGED | carry-over: "counts a permit that commits while"         |
 * | Credit is never negative                       | CREDITS_CHARGED | reserve-statement: "exactly the available %s"            |
 * | Holds never exceed the wallet's balance        | HOLDS_PLACED    | reserve-statement: "exactly the available %s"            |
 * | A balance older than a settlement pays nothing | HOLDS_PLACED    | stale-balance: "cached balance predates"                 |
 * | All changes are made, or none                  | ALL_APPLIED     | reserve-statement: "ends with its own SQLSTATE"          |
 * | Nothing is reserved after a freeze             | accountsLocked  | ../accounts/freeze/races: "reserves nothing after"       |
 * | No X402 payment while X402 is disabled         | accountsLocked  | reservation-queue.property: "fail with their own errors" |
 * | Statements do not deadlock at the counters     | accountsLocked  | ../security/contention: "never deadlocks"                |
 * | A locked account delays no other account       | accountsLocked  | reservation-queue.property: "does not delay"             |
 * | One payment by key, permit slot and token      | unique indexes  | reserve-statement: "rejects a second payment"            |
 * | No second payment while one can continue       | ADMITTED        | ../payments/resumed-requests: "exactly one continues it" |
 * | A request that lost its key reserves nothing   | ADMITTED        | lost-claims: "reserves nothing"                          |
 *
 * Lock order: accounts, then the counters of those accounts, then the inserted row. Every statement that changes a counter
 * locks its account first. Statements that met at the counters would follow each other's new row versions and deadlock,
 * which PostgreSQL detects only after one second.
 *
 * Deadlocks remain possible with two other statements. One closes a payment with the same key, permit slot or purchase token,
 * for which the reservation waits at a unique index. The other is a revocation, which closes several budgets. The statement
 * that is rolled back is retried (`retryDeadlocks`).
 */
import { isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ATTEMPT_LEASE, IS_RESUMABLE } from "./attempts.ts";
import { isOpenPermit } from "./carry-over.ts";
import { FIRST_CHECK_DELAY } from "./ledger.ts";
import type { RequestedReservation } from "./reservation-queue.ts";

/** Time after which a reservation without a recorded signature is released. */
const RELEASED_AFTER = "60 seconds";

/**
 * Upper bound for the age of a balance at its use: the cache time (less than 2 s) and three timeouts. An RPC call times out
 * after 16 s, the account's permit after 15 s and a database connection after 10 s.
 */
const FRESH_FOR_SECONDS = 45;

/** The current day and month, in UTC. */
const TODAY = `today AS (
  SELECT
    (now() AT TIME ZONE 'UTC')::date AS day,
    date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
)`;

/** The requested reservations, one for each `requestedRow`. */
const REQUESTED = `requested AS MATERIALIZED (
  SELECT *
  FROM json_to_recordset($1::json) AS r (
    id text,
    account_id uuid,
    type text,
    network text,
    asset text,
    amount_atomic numeric,
    amount_micro_usd bigint,
    budget_ids text[],
    paid_from_credit boolean,
    wallet_id text,
    balance_atomic numeric,
    read_after timestamptz,
    scheme text,
    resource text,
    pay_to text,
    description text,
    "authorization" jsonb,
    nonce text,
    counts_as_signed boolean,
    permit_slot text,
    purchase_token_id text,
    valid_before timestamptz,
    idempotency_key text,
    claim_key text,
    claim_created_at timestamptz,
    request_sha256 bytea
  )
)`;

/** Locks the accounts ($2), except frozen ones and those with X402 payments ($3) for which X402 is disabled. */
const accountsLocked = (lock: string) => `accounts_locked AS MATERIALIZED (
  SELECT a.id
  FROM accounts a
  WHERE a.id = ANY($2::uuid[])
    AND (a.x402_enabled_at IS NOT NULL OR NOT a.id = ANY($3::uuid[]))
    AND ${isOpen("a")}
  ${lock}
)`;

/** Locks the request's claim on its idempotency key until the commit. Empty if another request has acquired the key. */
const CLAIM_HELD = `(
    SELECT i.key FROM idempotency_records i
    WHERE i.account_id = r.account_id AND i.key = r.claim_key AND i.created_at = r.claim_created_at AND i.answer IS NULL
    FOR SHARE
  )`;

/**
 * The reservations of the locked accounts, except requests whose earlier payment can continue (`attempts.ts`) or which lost
 * their key. The statement makes only these. The subquery has a limit, so that the planner searches the index for each request.
 */
const ADMITTED = `admitted AS MATERIALIZED (
  SELECT r.*
  FROM requested r
  JOIN accounts_locked a ON a.id = r.account_id
  WHERE (r.claim_key IS NULL OR ${CLAIM_HELD} IS NOT NULL)
    AND (r.request_sha256 IS NULL OR (
      SELECT t.id FROM transactions t WHERE t.request_sha256 = r.request_sha256 AND ${IS_RESUMABLE} LIMIT 1
    ) IS NULL)
)`;

/** The total and largest amount for each budget. If the total is within the limits, so is every order of the payments. */
const BUDGET_CHARGES = `budget_charges AS (
  SELECT
    budget_id AS id,
    sum(amount_micro_usd)::bigint AS total,
    max(amount_micro_usd) AS largest
  FROM admitted, unnest(budget_ids) AS budget_id
  GROUP BY budget_id
)`;

/** Returns the SQL for a counter after the charge. A counter of an earlier day or month starts at zero. */
const usedAfterCharge = (period: "day" | "month") =>
  `CASE WHEN b.${period} = t.${period} THEN b.${period}_used_micro_usd ELSE 0 END + c.total`;

/**
 * Charges each open budget whose limits allow it. A statement that began before midnight fails after one of the new day,
 * because it would set the counters back. A new day starts only after the carry-over of open permits. The snapshot of a statement
 * that waited for the account lacks the permits committed meanwhile, and the row has a newer version: it is retried.
 */
const BUDGETS_CHARGED = `budgets_charged AS (
  UPDATE budgets b SET
    day = t.day,
    day_used_micro_usd = ${usedAfterCharge("day")},
    month = t.month,
    month_used_micro_usd = ${usedAfterCharge("month")}
  FROM today t, budget_charges c
  WHERE b.id = c.id
    AND b.day <= t.day
    AND b.month <= t.month
    AND (b.day = t.day OR (
      b.xmin = (SELECT s.xmin FROM budgets s WHERE s.id = b.id)
      AND NOT EXISTS (
        SELECT
        FROM transactions p
        WHERE p.account_id = b.account_id
          AND b.id = ANY(p.budget_ids)
          AND p.budget_day < t.day
          AND ${isOpenPermit("p")}
      )
    ))
    AND (b.closed_at IS NULL OR b.closed_at > now())
    AND (b.per_transaction_limit_micro_usd IS NULL OR c.largest <= b.per_transaction_limit_micro_usd)
    AND (b.daily_limit_micro_usd IS NULL OR ${usedAfterCharge("day")} <= b.daily_limit_micro_usd)
    AND (b.monthly_limit_micro_usd IS NULL OR ${usedAfterCharge("month")} <= b.monthly_limit_micro_usd)
  RETURNING b.id
)`;

/** The total charge of each account that pays from credit. */
const CREDIT_CHARGES = `credit_charges AS (
  SELECT account_id, sum(amount_micro_usd)::bigint AS total
  FROM admitted
  WHERE paid_from_credit
  GROUP BY account_id
)`;

/** Charges each credit that covers the total. */
const CREDITS_CHARGED = `credits_charged AS (
  UPDATE credits k SET available_micro_usd = k.available_micro_usd - c.total
  FROM credit_charges c
  WHERE k.account_id = c.account_id
    AND k.available_micro_usd >= c.total
  RETURNING k.account_id
)`;

/** The total of each wallet, network and asset, with the lowest balance and the earliest `read_after`. */
const HOLD_REQUESTS = `hold_requests AS (
  SELECT
    wallet_id,
    network,
    asset,
    sum(amount_atomic) AS total,
    min(balance_atomic) AS balance,
    CASE WHEN bool_and(read_after IS NOT NULL) THEN min(read_after) END AS read_after
  FROM admitted
  WHERE NOT paid_from_credit
  GROUP BY wallet_id, network, asset
)`;

/** Places each hold that the balance covers, if the balance was read after the wallet's last charge. */
const HOLDS_PLACED = `holds_placed AS (
  INSERT INTO wallet_holds AS h (wallet_id, network, asset, outstanding_atomic)
  SELECT wallet_id, network, asset, total
  FROM hold_requests
  WHERE total <= balance
  ON CONFLICT (wallet_id, network, asset) DO UPDATE SET
    outstanding_atomic = h.outstanding_atomic + excluded.outstanding_atomic
  WHERE EXISTS (
    SELECT
    FROM hold_requests r
    WHERE r.wallet_id = h.wallet_id
      AND r.network = h.network
      AND r.asset = h.asset
      AND h.outstanding_atomic + r.total <= r.balance
      AND (
        h.settled_at IS NULL
        OR h.settled_at <= r.read_after
        OR h.settled_at < now() - interval '${FRESH_FOR_SECONDS} seconds'
      )
  )
  RETURNING h.wallet_id
)`;

/** Is true if every charge and hold was applied. Otherwise it raises an error, which rolls back the statement. */
const ALL_APPLIED = `all_applied AS (
  SELECT CASE
    WHEN (SELECT count(*) FROM budgets_charged) = (SELECT count(*) FROM budget_charges)
      AND (SELECT count(*) FROM credits_charged) = (SELECT count(*) FROM credit_charges)
      AND (SELECT count(*) FROM holds_placed) = (SELECT count(*) FROM hold_requests)
    THEN true
    ELSE refuse_reservation()
  END AS yes
)`;

/** Inserts the ledger rows, each with the time of its first check on the chain or, for an unsigned one, of its release. */
const INSERT_ROWS = `INSERT INTO transactions (
  id, account_id, type, status, direction,
  network, asset, amount_atomic, amount_micro_usd,
  budget_ids, budget_day, paid_from_credit, wallet_id,
  scheme, resource, pay_to, description, "authorization", nonce,
  permit_slot, purchase_token_id, valid_before, idempotency_key,
  request_sha256, attempt, attempt_until,
  signed_at, next_check_at
)
SELECT
  r.id, r.account_id, r.type, CASE WHEN r.counts_as_signed THEN 'signed' ELSE 'reserved' END, 'out',
  r.network, r.asset, r.amount_atomic, r.amount_micro_usd,
  r.budget_ids, t.day, r.paid_from_credit, r.wallet_id,
  r.scheme, r.resource, r.pay_to, r.description, r."authorization", r.nonce,
  r.permit_slot, r.purchase_token_id, r.valid_before, r.idempotency_key,
  r.request_sha256, CASE WHEN r.request_sha256 IS NULL THEN 0 ELSE 1 END,
  CASE WHEN r.request_sha256 IS NOT NULL THEN now() + interval '${ATTEMPT_LEASE}' END,
  CASE WHEN r.counts_as_signed THEN now() END,
  now() + CASE WHEN r.counts_as_signed THEN interval '${FIRST_CHECK_DELAY}' ELSE interval '${RELEASED_AFTER}' END
FROM admitted r, today t, all_applied
WHERE all_applied.yes
RETURNING id`;

const reserveStatement = (name: string, lock: string): Statement => {
  const parts = [
    TODAY,
    REQUESTED,
    accountsLocked(lock),
    ADMITTED,
    BUDGET_CHARGES,
    BUDGETS_CHARGED,
    CREDIT_CHARGES,
    CREDITS_CHARGED,
    HOLD_REQUESTS,
    HOLDS_PLACED,
    ALL_APPLIED,
  ];
  return { name, text: `WITH ${parts.join(", ")}\n${INSERT_ROWS}` };
};

/** Reserves one payment. It waits for the lock of the account. */
export const RESERVE_ONE = reserveStatement("reserve", "FOR NO KEY UPDATE");
/** Reserves several payments. It skips accounts that another transaction has locked, so it never waits for a lock. */
export const RESERVE_MANY = reserveStatement("reserve-many", "FOR NO KEY UPDATE SKIP LOCKED");

/** Returns the parameters of both statements. */
export function reserveParameters(requested: readonly RequestedReservation[]): unknown[] {
  const reservations = requested.map(({ reservation }) => reservation);
  const x402 = reservations.filter(({ type }) => type === "x402" || type === "gateway");
  return [
    JSON.stringify(requested.map(requestedRow)),
    [...new Set(reservations.map(({ accountId }) => accountId))],
    [...new Set(x402.map(({ accountId }) => accountId))],
  ];
}

function requestedRow({ id, reservation: r }: RequestedReservation): object {
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
    claim_key: r.claim?.key,
    claim_created_at: r.claim?.createdAt,
    request_sha256: r.requestSha256 && `\\x${Buffer.from(r.requestSha256).toString("hex")}`,
  };
}
