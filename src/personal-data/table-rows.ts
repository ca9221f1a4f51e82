/** Rows of an account in a table, read in pages. Statements are built from the plan and the columns of the database. */
import type { Database } from "../platform/database/connection.ts";
import type { TablePlan } from "./table-plan.ts";

export const PAGE_ROWS = 500;

export interface Column {
  readonly name: string;
  /** PostgreSQL's name of the type, such as `timestamptz`. */
  readonly type: string;
  readonly isKey: boolean;
}

/** Columns of each table, in the order of the table. */
export type Columns = ReadonlyMap<string, readonly Column[]>;

const COLUMNS = `SELECT c.relname AS "table", a.attname AS name, t.typname AS type,
    coalesce(a.attnum = ANY (i.indkey::int2[]), false) AS "isKey"
  FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind = 'r' AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname, a.attnum`;

/** Reads the columns of all tables of the service. */
export async function readColumns(db: Database): Promise<Columns> {
  const { rows } = await db.executeSql(COLUMNS);
  const columns = new Map<string, Column[]>();
  for (const { table, ...column } of rows as (Column & { table: string })[]) {
    const others = columns.get(table);
    if (others) others.push(column);
    else columns.set(table, [column]);
  }
  return columns;
}

/** Returns the number of the account's rows. */
export async function countRows(db: Database, { table, owner }: TablePlan, accountId: string): Promise<number> {
  if (owner === null) return 0;
  const text = `SELECT count(*)::int AS rows FROM ${table} t WHERE ${owner}`;
  const [counted] = (await db.executeSql(text, [accountId])).rows as { rows: number }[];
  return counted?.rows ?? 0;
}

/** A page of rows as JSON texts. */
export interface Page {
  readonly rows: readonly string[];
  /** The values of `keyOf` in each row, as texts. */
  readonly keys: readonly (readonly string[])[];
}

/** Yields the account's rows in pages, in the order of `keyOf`. */
export async function* readPages(
  db: Database,
  plan: TablePlan,
  columns: readonly Column[],
  accountId: string,
): AsyncGenerator<Page> {
  const { table, owner } = plan;
  if (owner === null) return;
  const key = keyOf(columns);
  const exported = columns.filter(({ name }) => plan.exported.includes(name)).map(exportedValue);
  const json = exported.length === 0 ? "'{}'" : `(SELECT row_to_json(x)::text FROM (SELECT ${exported.join(", ")}) x)`;
  const names = key.map(({ name }) => `t.${quote(name)}`).join(", ");
  const keys = key.map(({ name }) => `t.${quote(name)}::text`).join(", ");
  const after = key.map(({ type }, index) => `$${index + 2}::text::${type}`).join(", ");
  const select = `SELECT ${json} AS json, ARRAY[${keys}] AS key FROM ${table} t WHERE (${owner})`;
  const order = `ORDER BY ${names} LIMIT ${PAGE_ROWS}`;
  for (let last: readonly string[] | undefined; ; ) {
    const next: string = last ? `${select} AND (${names}) > (${after}) ${order}` : `${select} ${order}`;
    const { rows } = await db.executeSql(next, [accountId, ...(last ?? [])]);
    const read = rows as { json: string; key: string[] }[];
    if (read.length > 0) yield { rows: read.map(({ json: row }) => row), keys: read.map(({ key: values }) => values) };
    if (read.length < PAGE_ROWS) return;
    last = read.at(-1)?.key;
  }
}

/** Returns the columns that order a table: its primary key, after the time of creation that indexes begin with. */
export function keyOf(columns: readonly Column[]): readonly Column[] {
  const key = columns.filter(({ isKey }) => isKey);
  const createdAt = columns.find(({ name, isKey }) => name === "created_at" && !isKey);
  return createdAt ? [createdAt, ...key] : key;
}

/** Quotes a column's name, since some are keywords. */
export function quote(name: string): string {
  return `"${name}"`;
}

/** Numbers beyond the precision of JSON become texts, and bytes hexadecimal. */
function exportedValue({ name, type }: Column): string {
  const column = `t.${quote(name)}`;
  if (type === "int8" || type === "numeric") return `${column}::text AS ${quote(name)}`;
  if (type === "bytea") return `encode(${column}, 'hex') AS ${quote(name)}`;
  return column;
}
