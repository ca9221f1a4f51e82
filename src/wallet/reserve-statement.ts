/**
 * The statement that reserves money: it counts payments against every budget, takes them from credit or places holds on
 * wallets, and inserts their ledger rows, or raises `SQLSTATE.reservationRefused` and changes nothing. Accounts that are locked, or
 * have X402 off, are left out.
 *
 *   accounts ─┬─< budgets                   used today and this month: a row for the account, and one for each credential
 *             ├── credits                   free credit available
 *             ├── wallets ──< wallet_holds  outstanding on a wallet, by network and asset
 *             └─< transactions              the ledger, a row for each payment, counted in each budget of its budget_ids
 *
 * Balances, for a payment of a (`amount_…`) of which c is charged (`settled_…`). Only a chain that charges more than was signed makes
 * c larger than a; it is settled, so that the ledger tells the truth, and can exceed a limit. `close-statement.ts` writes the last
 * two columns.
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
 * | Invariant                                      | Part            | Test                                                    |
 * |------------------------------------------------|-----------------|---------------------------------------------------------|
 * | No payment exceeds a limit, alone or in sum    | BUDGETS_CHARGED | reserve-statement: "is charged up to the last unit"     |
 * | A closed budget pays nothing                   | BUDGETS_CHARGED | ledger.property: "reserves nothing once the token's"    |
 * | A new day or month starts at zero              | BUDGETS_CHARGED | ledger.property: "starts the day and the month anew"    |
 * | A counter never returns to an earlier day      | BUDGETS_CHARGED | ../security/rollover: "sets no counter back"            |
 * | Credit is never negative                       | CREDITS_CHARGED | reserve-statement: "is paid up to the last unit"        |
 * | Holds never exceed the wallet's balance        | HOLDS_PLACED    | reserve-statement: "is paid up to the last unit"        |
 * | A balance older than a settlement pays nothing | HOLDS_PLACED    | stale-balance: "does not spend again"                   |
 * | All is written, or nothing                     | ALL_APPLIED     | reserve-statement: "ends with its own SQLSTATE"         |
 * | With X402 off, no X402 payment is made         | accountsLocked  | reservation-queue.property: "fail each for its own"     |
 * | Statements do not deadlock at the counters     | accountsLocked  | ../security/contention: "never deadlocks"               |
 * | A locked account delays no other               | accountsLocked  | reservation-queue.property: "keeps nobody else waiting" |
 * | One payment by key, permit slot and token      | unique indexes  | reserve-statement: "refuses a second payment"           |
 *
 * Lock order: accounts, then the counters of those accounts, then the inserted row. Every statement that changes a counter
 * locks its account first. Statements that met at the counters would each follow the other's new row versions and deadlock,
 * and PostgreSQL takes a second to notice. Deadlocks remain where other statements lock the same rows: the close of a payment with the
 * same key, permit slot or token, for which the reservation waits at a unique index; and a revocation, which closes several budgets.
 * Whichever is rolled back is sent again (`retryDeadlocks`).
 */
import type { Statement } from "../platform/database/connection.ts";
import { FIRST_CHECK_DELAY } from "./ledger.ts";
import type { Asked } from "./reservation-queue.ts";

/** A reservation whose signature is never recorded is released after this long. */
const RELEASED_AFTER = "60 seconds";

/**
 * Every balance is younger than this when it is used. The cache keeps one for less than two seconds, an RPC call times out
 * after 16, a permit of the account after 15, and a connection to the database after 10.
 */
const FRESH_FOR_SECONDS = 45;

/** The current day and month, in UTC. */
const TODAY = `today AS (
  SELECT
    (now() AT TIME ZONE 'UTC')::date AS day,
    date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month
)`;

/** The reservations, as `requestedRow` writes them. */
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
    idempotency_key text
  )
)`;

/** The accounts ($2), without those that make X402 payments ($3) while X402 is off for them. */
const accountsLocked = (lock: string) => `accounts_locked AS MATERIALIZED (
  SELECT a.id
  FROM accounts a
  WHERE a.id = ANY($2::uuid[])
    AND (a.x402_enabled_at IS NOT NULL OR NOT a.id = ANY($3::uuid[]))
  ${lock}
)`;

/** The reservations of the locked accounts. Only these are made. */
const ADMITTED = `admitted AS MATERIALIZED (
  SELECT r.*
  FROM requested r
  JOIN accounts_locked a ON a.id = r.account_id
)`;

/** The total of each budget: amounts that fit together also fit one after another, in any order. */
const BUDGET_CHARGES = `budget_charges AS (
  SELECT
    budget_id AS id,
    sum(amount_micro_usd)::bigint AS total,
    max(amount_micro_usd) AS largest
  FROM admitted, unnest(budget_ids) AS budget_id
  GROUP BY budget_id
)`;

/** What a budget's counter comes to: one of an earlier day or month starts at zero. */
const usedAfterCharge = (period: "day" | "month") =>
  `CASE WHEN b.${period} = t.${period} THEN b.${period}_used_micro_usd ELSE 0 END + c.total`;

/**
 * Charges each open budget whose limits allow it. A statement that began before midnight and follows one of the new day is
 * refused: it would set the counters back.
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
    AND (b.closed_at IS NULL OR b.closed_at > now())
    AND (b.per_transaction_limit_micro_usd IS NULL OR c.largest <= b.per_transaction_limit_micro_usd)
    AND (b.daily_limit_micro_usd IS NULL OR ${usedAfterCharge("day")} <= b.daily_limit_micro_usd)
    AND (b.monthly_limit_micro_usd IS NULL OR ${usedAfterCharge("month")} <= b.monthly_limit_micro_usd)
  RETURNING b.id
)`;

/** The total of each account that pays from credit. */
const CREDIT_CHARGES = `credit_charges AS (
  SELECT account_id, sum(amount_micro_usd)::bigint AS total
  FROM admitted
  WHERE paid_from_credit
  GROUP BY account_id
)`;

/** Charges each credit that is large enough. */
const CREDITS_CHARGED = `credits_charged AS (
  UPDATE credits k SET available_micro_usd = k.available_micro_usd - c.total
  FROM credit_charges c
  WHERE k.account_id = c.account_id
    AND k.available_micro_usd >= c.total
  RETURNING k.account_id
)`;

/** The total of each wallet, network and asset, with the lowest balance that was read and the earliest reading. */
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

/** Places each hold that the balance covers, if the balance was read after the chain last charged the wallet. */
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

/** True if every charge and hold was applied; otherwise the statement ends here and is rolled back. */
const ALL_APPLIED = `all_applied AS (
  SELECT CASE
    WHEN (SELECT count(*) FROM budgets_charged) = (SELECT count(*) FROM budget_charges)
      AND (SELECT count(*) FROM credits_charged) = (SELECT count(*) FROM credit_charges)
      AND (SELECT count(*) FROM holds_placed) = (SELECT count(*) FROM hold_requests)
    THEN true
    ELSE refuse_reservation()
  END AS yes
)`;

/** Inserts the ledger rows, each with the time at which it is looked up on the chain or, if still unsigned, released. */
const INSERT_ROWS = `INSERT INTO transactions (
  id, account_id, type, status, direction,
  network, asset, amount_atomic, amount_micro_usd,
  budget_ids, budget_day, paid_from_credit, wallet_id,
  scheme, resource, pay_to, description, "authorization", nonce,
  permit_slot, purchase_token_id, valid_before, idempotency_key,
  signed_at, next_check_at
)
SELECT
  r.id, r.account_id, r.type, CASE WHEN r.counts_as_signed THEN 'signed' ELSE 'reserved' END, 'out',
  r.network, r.asset, r.amount_atomic, r.amount_micro_usd,
  r.budget_ids, t.day, r.paid_from_credit, r.wallet_id,
  r.scheme, r.resource, r.pay_to, r.description, r."authorization", r.nonce,
  r.permit_slot, r.purchase_token_id, r.valid_before, r.idempotency_key,
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

/** Waits for the account. */
export const RESERVE_ONE = reserveStatement("reserve", "FOR NO KEY UPDATE");
/** Skips accounts that another transaction has locked, and so never waits. */
export const RESERVE_MANY = reserveStatement("reserve-many", "FOR NO KEY UPDATE SKIP LOCKED");

/** The parameters of both statements. */
export function reserveParameters(requested: readonly Asked[]): unknown[] {
  const reservations = requested.map(({ reservation }) => reservation);
  const x402 = reservations.filter(({ type }) => type === "x402" || type === "gateway");
  return [
    JSON.stringify(requested.map(requestedRow)),
    [...new Set(reservations.map(({ accountId }) => accountId))],
    [...new Set(x402.map(({ accountId }) => accountId))],
  ];
}

function requestedRow({ id, reservation: r }: Asked): object {
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
