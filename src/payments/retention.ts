/** Retention of the ledger, and of the URLs that payments contain. Audits need neither query nor fragment. */
import { blankColumns, deleteRows, type RetentionRule } from "../platform/retention/rule.ts";

const BATCH = 2_000;
/** The ledger rows after the last that was processed. Ids contain the time of creation, so no index but the primary key is needed. */
const UNPROCESSED = `t.id > coalesce((SELECT position FROM retention_progress WHERE rule = 'ledger-urls'), '')
  AND t.id < 'tx_' || (extract(epoch FROM now() - make_interval(secs => $1::float8)) * 1000)::bigint`;
/** Members of the authorization that only the seller reads, as stated by the seller: its requirement, resource and extensions. */
const WITHOUT_ECHO = `jsonb_set("authorization", '{echo}',
  ("authorization"->'echo') - 'gasSponsoring' || '{"accepted": null, "resource": null, "extensions": null}'::jsonb)`;
const HAS_QUERY_IN_ECHO = `"authorization" #>> '{echo}' LIKE '%?%'`;

/**
 * Ledger rows that have ended and that no counter needs: the available free credit of an account is the sum of its rows. Ids contain
 * the time of creation.
 */
const ENDED = `t.id < 'tx_' || (extract(epoch FROM now() - make_interval(secs => $1::float8)) * 1000)::bigint
  AND t.status NOT IN ('reserved', 'signed') AND t.next_check_at IS NULL
  AND NOT (t.paid_from_credit AND EXISTS (SELECT FROM credits c WHERE c.account_id = t.account_id))
  AND NOT EXISTS (SELECT FROM permit_revocations r WHERE r.transaction_id = t.id AND r.next_check_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM gas_purchases g WHERE g.transaction_id = t.id AND g.next_check_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM trades d JOIN evm_transactions e ON e.trade_id = d.id
    WHERE d.transaction_id = t.id AND e.next_check_at IS NOT NULL)`;

const cutUrl = (url: string) => `regexp_replace(${url}, '[?#].*$', '')`;
/** Cuts every URL in a text. */
const cutUrls = (text: string) => `regexp_replace(${text}, '(https?://[^\\s?#]+)[?#]\\S*', '\\1', 'g')`;

export const PAYMENT_RETENTION: readonly RetentionRule[] = [
  {
    name: "ledger-urls",
    table: "transactions",
    removes: ["resource", "authorization"],
    remove: {
      name: "retention-ledger-urls",
      text: `WITH batch AS MATERIALIZED (
          SELECT t.id, t.account_id, t.status, t.resource ~ '[?#]' OR t.${HAS_QUERY_IN_ECHO} AS has_query
          FROM transactions t WHERE ${UNPROCESSED} ORDER BY t.id LIMIT ${BATCH}
        ), cut AS (
          UPDATE transactions t SET resource = ${cutUrl("t.resource")},
            "authorization" = CASE WHEN t.${HAS_QUERY_IN_ECHO} THEN ${WITHOUT_ECHO.replaceAll('"authorization"', 't."authorization"')}
              ELSE t."authorization" END
          FROM batch b WHERE t.id = b.id AND b.has_query RETURNING 1
        ), events AS (
          UPDATE account_events e SET payload = jsonb_set(e.payload, '{resource}', to_jsonb(${cutUrl("e.payload->>'resource'")}))
          FROM batch b WHERE b.has_query AND e.account_id = b.account_id AND e.subject_id = b.id
            AND e.type = ANY(ARRAY['payment.settled', 'payment.released', 'payment.failed']) AND e.payload->>'resource' ~ '[?#]'
        ), moved AS (
          INSERT INTO retention_progress (rule, position) SELECT 'ledger-urls', max(id) FROM batch HAVING count(*) > 0
          ON CONFLICT (rule) DO UPDATE SET position = greatest(retention_progress.position, excluded.position)
        )
        SELECT (SELECT count(*) FROM cut)::int AS removed, (SELECT count(*) FROM batch) >= ${BATCH} AS "isMore"`,
    },
    oldest: {
      name: "retention-oldest-ledger-urls",
      text: `SELECT created_at AS at FROM transactions t WHERE ${UNPROCESSED} ORDER BY t.id LIMIT 1`,
    },
    data: "Query and fragment of the URLs of payments, also in their events and in the seller's requirement",
    since: "payment",
    period: { setting: "LEDGER_URL_DAYS" },
  },
  {
    name: "ledger",
    table: "transactions",
    removes: "row",
    remove: {
      name: "retention-ledger",
      // The counters of a past month are no longer compared with any row.
      text: `WITH due AS MATERIALIZED (
          SELECT t.id, t.budget_ids, t.budget_day FROM transactions t WHERE ${ENDED} ORDER BY t.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ), revocations AS (DELETE FROM permit_revocations r USING due WHERE r.transaction_id = due.id),
        gas AS (
          DELETE FROM gas_purchases g USING due LEFT JOIN trades d ON d.transaction_id = due.id
          WHERE g.transaction_id = due.id OR g.trade_id = d.id
        ),
        steps AS (DELETE FROM evm_transactions e USING trades d, due WHERE e.trade_id = d.id AND d.transaction_id = due.id),
        swaps AS (DELETE FROM trades d USING due WHERE d.transaction_id = due.id),
        transfers AS (DELETE FROM chain_transfers c USING due WHERE c.transaction_id = due.id),
        calls AS (DELETE FROM gateway_transactions g USING due WHERE g.transaction_id = due.id),
        counters AS (
          UPDATE budgets b SET day_used_micro_usd = 0, month_used_micro_usd = 0
          FROM (SELECT DISTINCT unnest(budget_ids) AS id, date_trunc('month', budget_day)::date AS month FROM due) past
          WHERE b.id = past.id AND b.month = past.month
        ), deleted AS (DELETE FROM transactions t USING due WHERE t.id = due.id)
        SELECT count(*)::int AS removed, count(*) >= ${BATCH} AS "isMore" FROM due`,
    },
    oldest: {
      name: "retention-oldest-ledger",
      text: `SELECT created_at AS at FROM transactions t WHERE ${ENDED} ORDER BY t.id LIMIT 1`,
    },
    data: "Payments, trades with their transactions, and their transfers on chain; free credit of existing accounts remains",
    since: "booking",
    period: { setting: "LEDGER_DAYS" },
  },
  {
    ...deleteRows({ name: "chain-differences", table: "chain_differences", key: ["id"], time: "resolved_at" }),
    data: "Resolved differences between a chain and the ledger",
    since: "resolution",
    period: { setting: "LEDGER_DAYS" },
  },
  {
    ...blankColumns({
      name: "declined-payment-urls",
      table: "declined_payments",
      key: ["id"],
      time: "created_at",
      where: "resource ~ '[?#]' OR message ~ '://\\S*[?#]'",
      columns: { resource: cutUrl("t.resource"), message: cutUrls("t.message") },
    }),
    data: "Query and fragment of the URLs of declined payments",
    since: "refusal",
    period: { setting: "LEDGER_URL_DAYS" },
  },
  {
    ...blankColumns({
      name: "purchase-token-urls",
      table: "purchase_tokens",
      key: ["id"],
      time: "expires_at",
      where: "merchant_url ~ '[?#]'",
      columns: { merchant_url: cutUrl("t.merchant_url") },
    }),
    data: "Query of the URLs of purchase tokens",
    since: "expiry",
    period: { setting: "LEDGER_URL_DAYS" },
  },
  {
    ...deleteRows({
      name: "declined-payments",
      table: "declined_payments",
      key: ["id"],
      time: "created_at",
      batch: 5_000,
    }),
    data: "Declined payments",
    since: "refusal",
    period: { setting: "DECLINED_PAYMENT_DAYS" },
  },
];
