/** Rows with a recognisable text in every column of every table that the plan covers. */
import { sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { PLAN } from "../../src/personal-data/plan.ts";
import type { Column, Columns } from "../../src/personal-data/table-rows.ts";
import type { KeyEncryptionKeys } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../src/platform/database/connection.ts";

/** States in which no row is outstanding. Other values are the recognisable text. */
const STATES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  transactions: { status: "settled", direction: "out", type: "x402", resource: null, scheme: "exact" },
  trades: { status: "settled" },
  evm_transactions: { status: "mined" },
  permit_revocations: { status: "mined" },
  gas_purchases: { status: "mined" },
  gateway_calls: { status: "completed" },
  checkout_orders: { status: "succeeded", kind: "purchase" },
  checkout_approvals: { status: "consumed" },
  oauth_clients: { status: "approved", kind: "public", registration: "owner" },
  agents: { status: "active", network: "base-sepolia" },
  mailboxes: { wrapped_data_key: null, kek_id: null },
  mail_messages: { status: "sent", direction: "outbound", parser_version: null },
  mail_attachment_chunks: { sealed_for: null },
  webhook_deliveries: { status: "delivered" },
};
/** Columns that would make a job process the row. */
const NEVER = /^(next_check_at|next_attempt_at|leased_until|credentials_due_at|person_needed_until|attempt_until)$/;
/** Tables whose rows the test creates through the service. */
const REAL = [
  "accounts",
  "wallets",
  "credits",
  "budgets",
  "account_exports",
  "account_export_chunks",
  "account_deletions",
];

/** Distinct numbers, since some columns are unique. */
let inserted = 1_000;

interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly parentColumn: string;
}

/**
 * Inserts a row into each table of the plan that has rows of accounts. Each text column contains `mark`.
 * @returns the tables with their number of rows
 */
export async function fillTables(
  deps: { readonly db: Database; readonly keks: KeyEncryptionKeys },
  columns: Columns,
  { accountId, mark }: { readonly accountId: string; readonly mark: string },
): Promise<void> {
  const { db } = deps;
  const foreignKeys = await readForeignKeys(db);
  const wallet = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } });
  const ids = new Map<string, string>([
    ["accounts", accountId],
    ["wallets", wallet.id],
  ]);
  // Reverse order: the plan has rows before those they refer to.
  for (const { table, owner } of [...PLAN].reverse()) {
    if (owner === null || REAL.includes(table)) continue;
    const values = new Map<string, unknown>();
    for (const column of columns.get(table) ?? []) {
      const { name } = column;
      const foreign = foreignKeys.find((key) => key.table === table && key.column === name);
      if (name === "search") continue;
      if (name === "subject_account_id" || name === "account_id") values.set(name, accountId);
      else if (foreign) values.set(name, ids.get(foreign.parent));
      else if (name === "wallet_id") values.set(name, wallet.id);
      else
        values.set(name, STATES[table]?.[name] !== undefined ? STATES[table][name] : createValue(table, column, mark));
    }
    if (table === "transactions") values.set("resource", `https://shop.example/${mark}?name=${mark}`);
    if (table === "checkout_orders") {
      const identity = { id: String(values.get("id")), accountId };
      const sealed = await sealDeliveryAddress(deps.keks, identity, { street: mark } as never);
      values.set("sealed_ship_to", sealed.sealedShipTo);
      values.set("wrapped_data_key", sealed.wrappedDataKey);
      values.set("kek_id", sealed.kekId);
    }
    if (values.has("id")) ids.set(table, String(values.get("id")));
    const names = [...values.keys()].map((name) => `"${name}"`).join(", ");
    const places = [...values.keys()].map((_, index) => `$${index + 1}`).join(", ");
    await db.executeSql(`INSERT INTO ${table} (${names}) VALUES (${places})`, [...values.values()]);
  }
}

function createValue(table: string, { name, type, isKey }: Column, mark: string): unknown {
  if (NEVER.test(name) && table !== "idempotency_records") return null;
  switch (type) {
    case "text":
      return isKey || name.endsWith("_id") ? `${table}-${name}-${mark}` : mark;
    case "_text":
      return [mark];
    case "jsonb":
      return JSON.stringify({ mark });
    case "bytea":
      return Buffer.from(`${table}-${name}-${mark}`);
    case "uuid":
      return null;
    case "bool":
      return true;
    case "int4":
    case "int8":
      if (name === "size_bytes") return Buffer.byteLength(`mail_attachment_chunks-bytes-${mark}`);
      return name === "position" ? 0 : ++inserted;
    case "numeric":
      return "1";
    case "date":
    case "timestamptz":
      return new Date();
    default:
      throw new Error(`The column ${table}.${name} has the unknown type ${type}.`);
  }
}

async function readForeignKeys(db: Database): Promise<ForeignKey[]> {
  const text = `SELECT k.conrelid::regclass::text AS table, a.attname AS column, k.confrelid::regclass::text AS parent,
      b.attname AS "parentColumn"
    FROM pg_constraint k
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`;
  return (await db.executeSql(text)).rows as ForeignKey[];
}

/** Returns every column of the whole database, in any schema, with a value that contains one of the texts. */
export async function findTexts(db: Database, texts: readonly string[]): Promise<string[]> {
  const list = `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column, t.typname AS type
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
      AND t.typname IN ('text', 'varchar', '_text', '_varchar', 'json', 'jsonb', 'bytea', 'tsvector')
    ORDER BY 1, 2, 3`;
  const found: string[] = [];
  type Place = { schema: string; table: string; column: string; type: string };
  for (const { schema, table, column, type } of (await db.executeSql(list)).rows as Place[]) {
    const value = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const where = texts.map((_, index) => `${value} ILIKE '%' || $${index + 1}::text || '%'`).join(" OR ");
    const text = `SELECT count(*)::int AS rows FROM "${schema}"."${table}" WHERE ${where}`;
    const [counted] = (await db.executeSql(text, [...texts])).rows as { rows: number }[];
    if ((counted?.rows ?? 0) > 0)
      found.push(schema === "public" ? `${table}.${column}` : `${schema}.${table}.${column}`);
  }
  return found;
}
