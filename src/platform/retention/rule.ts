/** Retention rules: which data is removed from a table, and when. Domains define them, and one job enforces all. */
import type { Config } from "../config/load.ts";
import type { Statement } from "../database/connection.ts";

/** A setting that is a number of days. */
export type DaysSetting = Extract<keyof Config, `${string}_DAYS`>;

export interface RetentionRule {
  /** Label in metrics and logs. */
  readonly name: string;
  readonly table: string;
  /** The columns whose content is removed, or `row` if the row is deleted. */
  readonly removes: "row" | readonly string[];
  /** What is removed, for `docs/retention.md`. */
  readonly data: string;
  /** The event after which the period starts, for `docs/retention.md`. */
  readonly since: string;
  readonly period: { readonly setting: DaysSetting } | { readonly seconds: number };
  /** Removes one batch of what is older than $1 seconds. Returns one row, {@link Removed}. */
  readonly remove: Statement;
  /** Query for `at`, the time from which the period of the oldest row past $1 seconds counts; no row or null if nothing is due. */
  readonly oldest: Statement;
}

export interface Removed {
  readonly removed: number;
  /** Whether the batch was full, so that more may be due. */
  readonly isMore: boolean;
}

export interface DueRows {
  readonly name: string;
  readonly table: string;
  /** The columns of the table's primary key. */
  readonly key: readonly string[];
  /** The indexed time from which the period counts. */
  readonly time: string;
  /** Further condition of due rows. A row from which data was removed no longer meets it. */
  readonly where?: string;
  readonly batch?: number;
}

const DEFAULT_BATCH = 500;

/** Condition of rows whose `time` is more than $1 seconds ago. */
const isOlder = (time: string): string => `${time} < now() - make_interval(secs => $1::float8)`;

/** Creates the statements of a rule that deletes rows. */
export function deleteRows(due: DueRows): Pick<RetentionRule, "name" | "table" | "removes" | "remove" | "oldest"> {
  return { ...createStatements(due, `DELETE FROM ${due.table} t USING due WHERE ${matchKey(due)}`), removes: "row" };
}

/**
 * Creates the statements of a rule that removes the content of columns and retains the row.
 * @param columns the new value of each column, as SQL over the row `t`
 */
export function blankColumns(
  due: DueRows & { readonly columns: Readonly<Record<string, string>> },
): Pick<RetentionRule, "name" | "table" | "removes" | "remove" | "oldest"> {
  const values = Object.entries(due.columns).map(([column, value]) => `${column} = ${value}`);
  const change = `UPDATE ${due.table} t SET ${values.join(", ")} FROM due WHERE ${matchKey(due)}`;
  return { ...createStatements(due, change), removes: Object.keys(due.columns) };
}

/** Returns a common table expression `due` with the key, and `extra` columns, of a batch of due rows, which it locks. */
export function selectDue(
  { table, key, time, where = "true", batch = DEFAULT_BATCH }: DueRows,
  extra: readonly string[] = [],
): string {
  return `due AS MATERIALIZED (SELECT ${[...key, ...extra].join(", ")} FROM ${table}
    WHERE ${isOlder(time)} AND (${where}) ORDER BY ${time} LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
}

/** Returns the query for {@link Removed} after the common table expression `due`. */
export const countDue = ({ batch = DEFAULT_BATCH }: DueRows): string =>
  `SELECT count(*)::int AS removed, count(*) >= ${batch} AS "isMore" FROM due`;

/** Creates the statement for the oldest due row. */
export function findOldest({ name, table, time, where = "true" }: DueRows): Statement {
  return {
    name: `retention-oldest-${name}`,
    text: `SELECT ${time} AS at FROM ${table} WHERE ${isOlder(time)} AND (${where}) ORDER BY ${time} LIMIT 1`,
  };
}

function createStatements(due: DueRows, change: string) {
  const text = `WITH ${selectDue(due)}, changed AS (${change}) ${countDue(due)}`;
  return { name: due.name, table: due.table, remove: { name: `retention-${due.name}`, text }, oldest: findOldest(due) };
}

const matchKey = ({ key }: DueRows): string => key.map((column) => `t.${column} = due.${column}`).join(" AND ");
