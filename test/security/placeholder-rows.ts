/** Rows of every type with a global id, filled with placeholders. Only look-ups by id read them. */
import { randomUUID } from "node:crypto";
import type { Database } from "../../src/platform/database/connection.ts";

/** Table and prefix of the ids, by type. */
const TABLES = {
  AccountEvent: ["account_events", "evt_"],
  Agent: ["agents", "agt_"],
  AgentCredential: ["agent_credentials", "crd_"],
  AgentDispute: ["agent_disputes", "dsp_"],
  ApiToken: ["api_tokens", "tok_"],
  OAuthClient: ["oauth_clients", "cl_"],
  OAuthGrant: ["oauth_grants", "grt_"],
  Mailbox: ["mailboxes", "mbx_"],
  MailThread: ["mail_threads", "mth_"],
  MailMessage: ["mail_messages", "aem_"],
  MailAttachment: ["mail_attachments", "mat_"],
  MailDraft: ["mail_drafts", "mdr_"],
  MailRule: ["mail_rules", "mrl_"],
  MailSuppression: ["mail_suppressions", "msp_"],
  Merchant: ["merchants", "mer_"],
  ExploredMerchant: ["merchant_catalogues", "cat_"],
  PaymentCard: ["payment_cards", "card_"],
  CheckoutPolicy: ["checkout_policies", "pol_"],
  CheckoutOrder: ["checkout_orders", "ord_"],
  OrderQuestion: ["order_questions", "qst_"],
  PurchaseApproval: ["checkout_approvals", "apr_"],
  ChainDifference: ["chain_differences", "dif_"],
  Transaction: ["transactions", "tx_"],
  DeclinedPayment: ["declined_payments", "dp_"],
  Trade: ["trades", "trd_"],
  GatewayCall: ["gateway_calls", "gwc_"],
  PurchaseToken: ["purchase_tokens", "pt_"],
  Passkey: ["passkeys", "passkeypasskey_"],
  Session: ["sessions", "ses_"],
  Webhook: ["webhook_endpoints", "whk_"],
  WebhookDelivery: ["webhook_deliveries", "whd_"],
} as const;

export type StoredType = keyof typeof TABLES;
export const STORED_TYPES = Object.keys(TABLES) as StoredType[];

export interface PlaceholderRows {
  /** Returns the id of the row of a type. */
  idOf(type: StoredType): string;
  /** Returns all rows as text. */
  read(): Promise<string>;
  /** Deletes the rows, because other tests list those of all accounts. */
  remove(): Promise<void>;
}

/** Inserts a row of each type for the account. */
export async function insertPlaceholderRows(db: Database, accountId: string): Promise<PlaceholderRows> {
  const ids = new Map<StoredType, string>();
  for (const type of STORED_TYPES) await insert(db, accountId, type, ids);
  const idOf = (type: StoredType) => ids.get(type) ?? `${TABLES[type][1]}none`;
  return {
    idOf,
    async read() {
      const rows = [];
      for (const type of STORED_TYPES) {
        const sql = `SELECT t::text AS row FROM ${TABLES[type][0]} t WHERE id = $1`;
        rows.push(...((await db.executeSql(sql, [idOf(type)])) as { rows: { row: string }[] }).rows);
      }
      return rows.map(({ row }) => row).join("\n");
    },
    async remove() {
      for (const type of STORED_TYPES.toReversed()) {
        await db.executeSql(`DELETE FROM ${TABLES[type][0]} WHERE id = $1`, [idOf(type)]);
      }
    },
  };
}

/** Values of columns for which a type's text, zero or empty list is not valid. */
const VALUES: Readonly<Record<string, unknown>> = { type: "payment.settled", network: "base" };

const LINKS: Readonly<Record<string, StoredType>> = {
  agent_id: "Agent",
  client_id: "OAuthClient",
  mailbox_id: "Mailbox",
  thread_id: "MailThread",
  order_id: "CheckoutOrder",
  merchant_id: "Merchant",
  transaction_id: "Transaction",
  endpoint_id: "Webhook",
  event_id: "AccountEvent",
};

/** Inserts a row with placeholders for all required columns, and links to the rows that exist. */
async function insert(db: Database, accountId: string, type: StoredType, ids: Map<StoredType, string>): Promise<void> {
  const [table, prefix] = TABLES[type];
  const id = `${prefix}${randomUUID().replaceAll("-", "")}`;
  const columns = (await db.executeSql(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
       AND is_generated = 'NEVER' AND (is_nullable = 'NO' AND column_default IS NULL OR column_name IN ('account_id', 'merchant_id'))`,
    [table],
  )) as { rows: { name: string; type: string }[] };
  const placeholder = (name: string, columnType: string): unknown => {
    if (name === "id") return id;
    if (name === "account_id") return accountId;
    const link = LINKS[name];
    if (link) return ids.get(link);
    if (name in VALUES) return VALUES[name];
    // Unique among all credentials.
    if (name === "status_index") return Number.parseInt(id.slice(-6), 16);
    if (columnType === "ARRAY") return [];
    if (columnType === "uuid") return accountId;
    if (columnType === "jsonb") return "{}";
    if (columnType === "bytea") return Buffer.from(id);
    if (columnType === "boolean") return false;
    if (columnType === "date" || columnType.startsWith("timestamp")) return new Date();
    return columnType === "text" ? id : 0;
  };
  const entries = columns.rows.map((column) => [column.name, placeholder(column.name, column.type)] as const);
  await db.executeSql(
    `INSERT INTO ${table} (${entries.map(([name]) => name)}) VALUES (${entries.map((_, i) => `$${i + 1}`)})`,
    entries.map(([, value]) => value),
  );
  ids.set(type, id);
}
