/** The order that a worker leases next. */

import { isOpen } from "../../accounts/freeze/freeze-state.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { IN_INDEX_ORDER, type Queue, visitOwners } from "../../platform/database/due-owners.ts";

/** Accounts visited by one claim. The next claim starts at another one. */
const MAX_ACCOUNTS = 500;
/** Orders of an account that one claim reads, of each kind. */
const MAX_PER_ACCOUNT = 50;

const IS_WAITING = "q.status IN ('pending', 'dispatched') AND q.worker_job_id IS NULL";
// Accounts are visited in the order of the index, whose second column is the kind.
const QUEUE: Queue = { table: "checkout_orders", owner: "account_id", dueAt: "kind", outstanding: IS_WAITING };

/** Ranked orders of which the first unlocked one is leased. */
const MAX_CANDIDATES = 50;

/** SQL of the domain of an order's merchant. Explorations of unknown merchants have the host of the requested URL. */
const merchantDomain = (order: string) =>
  `COALESCE((SELECT m.domain FROM merchants m WHERE m.id = ${order}.merchant_id), split_part(${order}.request ->> 'merchantUrl', '/', 3))`;

/**
 * Selects and locks the next waiting order. Parameters: the worker's URL, and the time limit of a checkout in milliseconds. Then the
 * limits of driven and open orders of an account and of a merchant, and of explorations. Last a random account to start at.
 */
export const NEXT_ORDER: Statement = {
  name: "next-order",
  text: `WITH RECURSIVE held AS MATERIALIZED (
      SELECT o.account_id, kind, person_needed_for IS NULL AS is_driven, ${merchantDomain("o")} AS domain
      FROM checkout_orders o WHERE status = 'dispatched' AND worker_url = $1 AND leased_until > now()
    ), full_accounts AS MATERIALIZED (
      SELECT account_id FROM held GROUP BY account_id
      HAVING count(*) FILTER (WHERE is_driven) >= $3::int OR count(*) >= $4::int
    ), full_domains AS MATERIALIZED (
      SELECT domain FROM held WHERE domain IS NOT NULL GROUP BY domain
      HAVING count(*) FILTER (WHERE is_driven) >= $5::int OR count(*) >= $6::int
    ), limits AS MATERIALIZED (
      SELECT now() - $2::float8 * interval '1 millisecond' AS since, $8::uuid AS start
    ), ${visitOwners(QUEUE, "(SELECT start FROM limits)", MAX_ACCOUNTS)},
    claiming AS MATERIALIZED (
      SELECT accounts.id AS account_id FROM visited JOIN accounts ON accounts.id = visited.owner
      WHERE ${isOpen("accounts")} AND NOT EXISTS (SELECT FROM full_accounts WHERE full_accounts.account_id = accounts.id)
    ), waiting AS MATERIALIZED (
      SELECT found.*, claiming.account_id, kinds.kind,
        row_number() OVER (PARTITION BY claiming.account_id, kinds.kind ORDER BY found.created_at, found.id) AS place
      FROM claiming CROSS JOIN limits CROSS JOIN (VALUES ('purchase'), ('explored')) kinds (kind)
      CROSS JOIN LATERAL (
        SELECT q.id, q.created_at, ${merchantDomain("q")} AS domain FROM checkout_orders q ${IN_INDEX_ORDER}
        WHERE q.account_id = claiming.account_id AND q.kind = kinds.kind AND ${IS_WAITING} AND q.updated_at > limits.since
        ORDER BY q.created_at LIMIT ${MAX_PER_ACCOUNT}) found
      WHERE kinds.kind <> 'explored' OR (SELECT count(*) FROM held WHERE kind = 'explored') < $7::int
    ), given AS MATERIALIZED (
      SELECT account_id, (
        SELECT count(*) FROM checkout_orders o, limits WHERE o.account_id = account.account_id AND o.started_at > limits.since
      ) AS orders FROM (SELECT DISTINCT account_id FROM waiting) AS account
    ), chosen AS MATERIALIZED (
      SELECT id FROM waiting JOIN given USING (account_id)
      WHERE NOT EXISTS (SELECT FROM full_domains WHERE full_domains.domain = waiting.domain)
      ORDER BY kind = 'explored', place + orders, created_at, id LIMIT ${MAX_CANDIDATES}
    )
    SELECT locked.id, locked."merchantId", clock_timestamp() AS now FROM chosen CROSS JOIN LATERAL (
      SELECT q.id, q.merchant_id AS "merchantId" FROM checkout_orders q WHERE q.id = chosen.id AND q.worker_job_id IS NULL
      FOR UPDATE SKIP LOCKED) locked
    LIMIT 1`,
};
