/** Retention of cards, orders and their evidence. What is signed remains verifiable, see `orders/evidence.ts`. */
import {
  blankColumns,
  countDue,
  type DueRows,
  deleteRows,
  findOldest,
  type RetentionRule,
  selectDue,
} from "../platform/retention/rule.ts";
import { QUOTE_RETENTION_SECONDS } from "./quote/quoted-terms.ts";

const ORDERS: DueRows = {
  name: "order-data",
  table: "checkout_orders",
  key: ["id"],
  time: "completed_at",
  where: "removal IS NULL",
  batch: 200,
};

/** Whether an entry of a mandate chain contains the signed purchase document, with the prompt and the recipient. */
const HAS_PURCHASE = "entry->'constraints'->'purchase' IS NOT NULL";
const entriesOf =
  "jsonb_array_elements(CASE jsonb_typeof(o.mandate_chain) WHEN 'array' THEN o.mandate_chain ELSE '[]'::jsonb END)";

/** Removed members of the evidence bundle, as in `EvidenceBundle.removed`. */
const MEMBERS = `array_remove(ARRAY[
  CASE WHEN o.user_prompt IS NOT NULL THEN 'request.user_prompt' END,
  CASE WHEN o.kind = 'explored' THEN 'request.exploration.goal' END,
  CASE WHEN o.user_confirmation_text IS NOT NULL THEN 'approval.user_confirmation_text' END,
  CASE WHEN EXISTS (SELECT FROM ${entriesOf} AS entry WHERE ${HAS_PURCHASE}) THEN 'mandate_chain' END,
  CASE WHEN o.merchant_response IS NOT NULL THEN 'merchant_response.text_excerpt' END,
  CASE WHEN o.merchant_response IS NOT NULL THEN 'merchant_response.confirmation_url' END,
  CASE WHEN EXISTS (SELECT FROM order_questions q WHERE q.order_id = o.id AND q.answer IS NOT NULL) THEN 'execution.questions.answer' END,
  CASE WHEN o.sealed_ship_to IS NOT NULL THEN 'ship_to' END], NULL)`;

const ORDER_COLUMNS = {
  removal: `jsonb_build_object('at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'members', to_jsonb(${MEMBERS}),
    'bundleSha256', o.bundle_sha256, 'bundleSignature', o.bundle_signature)`,
  // The job that signs evidence signs what is left.
  bundle_sha256: "NULL",
  bundle_signature: "NULL",
  user_prompt: "NULL",
  user_confirmation_text: "NULL",
  request: `CASE o.kind WHEN 'explored' THEN o.request || '{"goal": "", "prefs": null}'::jsonb ELSE o.request END`,
  sealed_ship_to: "NULL",
  wrapped_data_key: "NULL",
  kek_id: "NULL",
  ship_to_echo: "NULL",
  quote: `CASE WHEN jsonb_typeof(o.quote) = 'object' THEN o.quote || '{"shipToEcho": null}'::jsonb ELSE o.quote END`,
  mandate_chain: `CASE jsonb_typeof(o.mandate_chain) WHEN 'array' THEN (SELECT coalesce(jsonb_agg(CASE WHEN ${HAS_PURCHASE}
      THEN jsonb_build_object('role', entry->'role', 'vct', entry->'vct', 'sha256', entry->'sha256') ELSE entry END ORDER BY n), '[]'::jsonb)
    FROM ${entriesOf} WITH ORDINALITY AS chain (entry, n)) ELSE o.mandate_chain END`,
  confirmation_url: "NULL",
  merchant_response: `CASE WHEN jsonb_typeof(o.merchant_response) = 'object'
    THEN o.merchant_response || '{"text_excerpt": null, "confirmation_url": null}'::jsonb ELSE o.merchant_response END`,
};

/** The document without the prompt and the recipient. Its digest, which the passkey signed, is in the mandates. */
const APPROVAL_DOCUMENT = `jsonb_set(CASE WHEN jsonb_exists(a.document->'destination', 'recipient')
  THEN jsonb_set(a.document, '{destination}', (a.document->'destination') || '{"recipient": "", "city": ""}'::jsonb)
  ELSE a.document END, '{user_prompt}', 'null'::jsonb)`;

/** Returns common table expressions that remove the personal data of the orders in the expression `due`. */
export const removeOrderData = (due: string): string => `approvals AS (
    UPDATE checkout_approvals a SET document = ${APPROVAL_DOCUMENT} FROM ${due} WHERE a.order_id = ${due}.id
  ), questions AS (
    UPDATE order_questions q SET answer = NULL FROM ${due} WHERE q.order_id = ${due}.id
  ), orders AS (
    UPDATE checkout_orders o SET ${Object.entries(ORDER_COLUMNS)
      .map(([column, value]) => `${column} = ${value}`)
      .join(", ")} FROM ${due} WHERE o.id = ${due}.id
  )`;

export const CHECKOUT_RETENTION: readonly RetentionRule[] = [
  {
    ...deleteRows({
      name: "checkout-quotes",
      table: "checkout_quotes",
      key: ["account_id", "cart_sha256", "terms_sha256"],
      time: "quoted_at",
      batch: 2_000,
    }),
    data: "Digests of quotes",
    since: "quote",
    period: { seconds: QUOTE_RETENTION_SECONDS },
  },
  {
    ...blankColumns({
      name: "order-artifacts",
      table: "checkout_artifacts",
      key: ["id"],
      time: "created_at",
      where: "removed_at IS NULL",
      // An artifact has up to several megabytes.
      batch: 100,
      columns: { bytes: "''::bytea", removed_at: "now()" },
    }),
    data: "Screenshots, HAR archives and pages of orders; their digests remain in the evidence",
    since: "recording",
    period: { setting: "ORDER_ARTIFACT_DAYS" },
  },
  {
    ...ORDERS,
    removes: Object.keys(ORDER_COLUMNS).filter(
      (column) => !["removal", "bundle_sha256", "bundle_signature"].includes(column),
    ),
    remove: {
      name: "retention-order-data",
      text: `WITH ${selectDue(ORDERS)}, ${removeOrderData("due")} ${countDue(ORDERS)}`,
    },
    oldest: findOldest(ORDERS),
    data: "Prompt, confirmation, delivery address, responses and confirmation page of orders, and the goal of explorations",
    since: "end of the order",
    period: { setting: "ORDER_DATA_DAYS" },
  },
  {
    ...deleteRows({ name: "order-records", table: "order_records", key: ["id"], time: "ended_at" }),
    data: "Records of orders of deleted accounts, without name and address",
    since: "end of the order",
    period: { setting: "ORDER_DATA_DAYS" },
  },
  {
    ...blankColumns({
      name: "removed-cards",
      table: "payment_cards",
      key: ["id"],
      time: "removed_at",
      where: "cardholder_name <> ''",
      columns: {
        cardholder_name: "''",
        nickname: "NULL",
        billing_address: "jsonb_build_object('countryCode', t.billing_address->'countryCode')",
      },
    }),
    data: "Name, nickname and billing address of removed cards; brand, last digits and country remain",
    since: "removal",
    period: { setting: "REMOVED_CARD_DAYS" },
  },
];
