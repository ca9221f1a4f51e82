/**
 * Pages of lists, for many parents in one statement. A page reads a number of rows that does not depend on the length of the
 * list: it starts at its cursor (keyset pagination), and indexes serve its filters.
 */
import type { Database, Statement } from "./connection.ts";

/** A table of child rows. The SQL is inserted unescaped and must never come from a caller. */
export interface RowList {
  readonly table: string;
  /** The column that holds the parent's id. */
  readonly parentColumn: string;
  /** SQL type of the parent ids; `text` by default. */
  readonly parentType?: "uuid";
  /** The first sort column, before the id. */
  readonly timeColumn: string;
  readonly order: "newest first" | "oldest first";
  /** The columns to read of the row `child`, including `child.id`. By default only that one. */
  readonly columns?: string;
  /** A condition on the row `child` that all rows of the list satisfy. */
  readonly condition?: string;
  /**
   * SQL expressions of the filters with few distinct values, by name; none is null. The list needs an index on the parent, these
   * expressions in this order, the time and the id. It serves each combination of filters, because a page merges the rows of
   * every combination of values that the list contains.
   */
  readonly facets?: Readonly<Record<string, string>>;
}

export interface ListPage {
  /** Id of the row before the page; null starts at the beginning. A row of another parent yields an empty page. */
  readonly cursorId: string | null;
  /** Number of rows after the cursor, or before it if negative, as in Prisma. */
  readonly take: number;
}

/** Filters of a list. Each omitted or null filter matches all rows. */
export interface ListFilter {
  /** The accepted values of facets, as text. */
  readonly facets?: Readonly<Record<string, readonly string[] | null>>;
  /** Earliest time, inclusive. */
  readonly from?: Date | null | undefined;
  /** Latest time, exclusive. */
  readonly to?: Date | null | undefined;
  /** Conditions that few rows of a selected combination of facets fail: their rows are read and discarded. */
  readonly conditions?: readonly Condition[];
}

/** A condition on the row `child`, with `?` in place of each value. */
export interface Condition {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** Statements by their text: each combination of given filters has its own, so that PostgreSQL plans it for its index. */
const statements = new Map<string, Statement>();

/** Returns each parent's page in the order of the list. */
export async function readListPages<Row extends { readonly id: string }>(
  db: Pick<Database, "query">,
  list: RowList,
  parentIds: readonly string[],
  page: ListPage,
  filter: ListFilter = {},
): Promise<Row[][]> {
  const { text, values } = buildPageQuery(list, parentIds, page, filter);
  let statement = statements.get(text);
  if (!statement) {
    statement = { name: `${list.table}-page-${statements.size}`, text };
    statements.set(text, statement);
  }
  const rows = await db.query<Row & { readonly parentId: string }>(statement, values);
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
  return parentIds.map((parentId) => byParent.get(parentId) ?? []);
}

function buildPageQuery(list: RowList, parentIds: readonly string[], { cursorId, take }: ListPage, filter: ListFilter) {
  const { table, parentColumn, parentType = "text", timeColumn, columns = "child.id" } = list;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const isNewestFirst = list.order === "newest first";
  const isBackward = take < 0;
  const direction = isNewestFirst === isBackward ? "ASC" : "DESC";
  const parents = `unnest(${bind(parentIds)}::${parentType}[]) AS parent (id)`;
  const limit = `LIMIT ${bind(Math.abs(take))}`;
  const rowsOfParent = [
    `child.${parentColumn} = parent.id`,
    ...(list.condition === undefined ? [] : [list.condition]),
  ].join(" AND ");
  const conditions = [
    rowsOfParent,
    ...(filter.from ? [`child.${timeColumn} >= ${bind(filter.from)}`] : []),
    ...(filter.to ? [`child.${timeColumn} < ${bind(filter.to)}`] : []),
    ...(filter.conditions ?? []).map(({ sql, values: operands = [] }) => bindOperands(sql, operands, bind)),
    // A comparison with a joined row is an index condition also for several parents; one with a correlated subquery is not.
    ...(cursorId === null
      ? []
      : [`(child.${timeColumn}, child.id) ${direction === "DESC" ? "<" : ">"} (cursor.${timeColumn}, cursor.id)`]),
  ];
  const cursor =
    cursorId === null
      ? ""
      : `JOIN ${table} AS cursor ON cursor.id = ${bind(cursorId)} AND cursor.${parentColumn} = parent.id`;
  const facets = Object.entries(list.facets ?? {});
  const accepted = facets.flatMap(([name], position) => {
    const texts = filter.facets?.[name];
    return texts ? [`combination.f${position}::text = ANY(${bind(texts)}::text[])`] : [];
  });
  const selectRows = (more: readonly string[]) => `SELECT ${columns}, child.${timeColumn} AS at FROM ${table} AS child
        WHERE ${[...conditions, ...more].join(" AND ")}
        ORDER BY child.${timeColumn} ${direction}, child.id ${direction} ${limit}`;
  const rows =
    accepted.length === 0
      ? selectRows([])
      : `${selectCombinations(table, rowsOfParent, Object.values(list.facets ?? {}))}
      SELECT item.* FROM combination CROSS JOIN LATERAL (
        ${selectRows(facets.map(([, sql], position) => `${sql} = combination.f${position}`))}) AS item
      WHERE ${accepted.join(" AND ")} ORDER BY item.at ${direction}, item.id ${direction} ${limit}`;
  const order = isNewestFirst ? "DESC" : "ASC";
  const text = `SELECT parent.id AS "parentId", page.* FROM ${parents} ${cursor} CROSS JOIN LATERAL (${rows}) AS page
    ORDER BY page.at ${order}, page.id ${order}`;
  return { text, values };
}

function bindOperands(sql: string, operands: readonly unknown[], bind: (value: unknown) => string): string {
  const remaining = [...operands];
  return sql.replaceAll("?", () => bind(remaining.shift()));
}

/** Returns the CTE with the combinations of facets in a parent's rows, each found by one index access (loose index scan). */
function selectCombinations(table: string, rowsOfParent: string, facets: readonly string[]): string {
  const named = facets.map((sql, position) => `${sql} AS f${position}`).join(", ");
  const order = facets.join(", ");
  const previous = facets.map((_, position) => `previous.f${position}`).join(", ");
  const first = (condition: string) =>
    `SELECT ${named} FROM ${table} AS child WHERE ${rowsOfParent} ${condition} ORDER BY ${order} LIMIT 1`;
  return `WITH RECURSIVE combination AS (
        (${first("")}) UNION ALL
        SELECT next.* FROM combination AS previous CROSS JOIN LATERAL (
          ${first(`AND (${order}) > (${previous})`)}) AS next)`;
}
