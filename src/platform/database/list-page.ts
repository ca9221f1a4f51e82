/**
 * Pages of lists, for many parents in one statement. The number of rows read does not depend on the length of the list. A page
 * starts at its cursor (keyset pagination), and indexes serve its filters.
 */
import type { Database, Statement } from "./connection.ts";

export type ListOrder = "newest first" | "oldest first";

/** A table of child rows. The SQL is inserted unescaped and must never come from a caller. */
export interface RowList {
  readonly table: string;
  /** The column that holds the parent's id. */
  readonly parentColumn: string;
  /** SQL type of the parent ids; `text` by default. */
  readonly parentType?: "uuid";
  /** The first sort column, before the id. */
  readonly timeColumn: string;
  readonly order: ListOrder;
  /** The columns to read of the row `child`, including `child.id`. By default only that one. */
  readonly columns?: string;
  /** A condition on the row `child` that all rows of the list satisfy. */
  readonly condition?: string;
  /**
   * SQL expressions of the filters with few distinct values, by name; none is null. The list needs an index on the parent, these
   * expressions in this order, the time `AT TIME ZONE 'UTC'` and the id. It serves each combination of filters, because a page
   * merges the rows of every combination of values that the list contains. As an expression, the time excludes the index of
   * the unfiltered list, from which PostgreSQL would read any number of rows that do not match.
   */
  readonly facets?: Readonly<Record<string, string>>;
}

export interface ListPage {
  /** Id of the row before the page; null starts at the beginning. A row of another parent yields an empty page. */
  readonly cursorId: string | null;
  /** Number of rows after the cursor, or before it if negative, as in Prisma. */
  readonly take: number;
  /** Number of rows to skip; default 0. */
  readonly offset?: number;
  /** Whether a page with conditions reads until it is full, for clients that cannot continue a short page. */
  readonly isExact?: boolean;
}

/** Filters of a list. Each omitted or null filter matches all rows. */
export interface ListFilter {
  /** The accepted values of facets, as text. */
  readonly facets?: Readonly<Record<string, readonly string[] | null>>;
  /** Earliest time, inclusive. */
  readonly from?: Date | null | undefined;
  /** Latest time, exclusive. */
  readonly to?: Date | null | undefined;
  /** Ids of rows of the parent, at most about a thousand: no other row matches. */
  readonly ids?: readonly string[] | null;
  /** Conditions that no index serves. At most `MAX_SCANNED_ROWS` rows are checked for a page. */
  readonly conditions?: readonly Condition[];
}

/** A condition on the row `child`, with `?` in place of each value. */
export interface Condition {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** The rows of a page in the order of the list. */
export interface ListRows<Row> {
  readonly rows: readonly Row[];
  /** Id of the row at which a page with conditions ended before it was full, and from which it continues; otherwise null. */
  readonly scannedToId: string | null;
}

/** Number of rows of a list. */
export interface RowCount {
  /** The exact number, or a lower bound if `isCapped`. */
  readonly value: number;
  readonly isCapped: boolean;
}

/** Maximum number of rows that a page with conditions checks. */
export const MAX_SCANNED_ROWS = 1_000;
/** Number up to which rows are counted. */
export const MAX_COUNT = 1_000;

/**
 * Makes PostgreSQL read rows in the order of the index until the page is full. It expects few rows of an average parent, and
 * would read and sort all rows of a parent with many. The series has one row, but it plans for a thousand.
 */
const IN_INDEX_ORDER = "CROSS JOIN generate_series(parent.n, parent.n)";

/** Statements by their text: each combination of given filters has its own, so that PostgreSQL plans it for its index. */
const statements = new Map<string, Statement>();

/** Returns each parent's page. */
export async function readListPages<Row extends { readonly id: string }>(
  db: Pick<Database, "query">,
  list: RowList,
  parentIds: readonly string[],
  page: ListPage,
  filter: ListFilter = {},
): Promise<ListRows<Row>[]> {
  const rows = await queryPages<Row>(db, list, parentIds, page, filter);
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
  const isBounded = isScanBounded(page, filter);
  return await Promise.all(
    parentIds.map(async (parentId) => {
      const found = byParent.get(parentId) ?? [];
      const isComplete = !isBounded || found.length === Math.abs(page.take);
      return { rows: found, scannedToId: isComplete ? null : await findScanEnd(db, list, parentId, page, filter) };
    }),
  );
}

/** Counts each parent's rows up to `MAX_COUNT`. Filters with conditions are checked against that many rows. */
export async function countListRows(
  db: Pick<Database, "query">,
  list: RowList,
  parentIds: readonly string[],
  filter: ListFilter = {},
): Promise<RowCount[]> {
  const { text, values } = buildCountQuery(list, parentIds, filter);
  const counts = await queryPrepared<{ matching: number; scanned: number }>(db, list, text, values);
  return counts.map(({ matching, scanned }) => ({
    value: Math.min(matching, MAX_COUNT),
    isCapped: scanned > MAX_COUNT,
  }));
}

/** Whether a page may end before it is full. */
function isScanBounded({ isExact }: ListPage, { conditions = [], ids }: ListFilter): boolean {
  return conditions.length > 0 && !ids && !isExact;
}

/** Returns the id of the last row that a page with conditions checks; null if the list ends before. */
async function findScanEnd(
  db: Pick<Database, "query">,
  list: RowList,
  parentId: string,
  { cursorId, take }: ListPage,
  { conditions: _, ...filter }: ListFilter,
): Promise<string | null> {
  const scanned = { cursorId, take: Math.sign(take) * MAX_SCANNED_ROWS };
  const rows = await queryPages<{ id: string }>(db, { ...list, columns: "child.id" }, [parentId], scanned, filter);
  return rows.length < MAX_SCANNED_ROWS ? null : (rows.at(take < 0 ? 0 : -1)?.id ?? null);
}

async function queryPages<Row>(
  db: Pick<Database, "query">,
  list: RowList,
  parentIds: readonly string[],
  page: ListPage,
  filter: ListFilter,
): Promise<(Row & { readonly parentId: string })[]> {
  const { text, values } = buildPageQuery(list, parentIds, page, filter);
  return await queryPrepared<Row & { readonly parentId: string }>(db, list, text, values);
}

async function queryPrepared<Row extends object>(
  db: Pick<Database, "query">,
  { table }: RowList,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  let statement = statements.get(text);
  if (!statement) {
    statement = { name: `${table}-page-${statements.size}`, text };
    statements.set(text, statement);
  }
  return await db.query<Row>(statement, values);
}

type Bind = (value: unknown) => string;
type SortDirection = "ASC" | "DESC";

/** How the rows of a list are scanned. */
interface Scan {
  readonly direction: SortDirection;
  /** Whether the scan starts after the row `cursor`. */
  readonly hasCursor: boolean;
  /** Whether the rows are sorted. Otherwise the scan of several combinations of facets ends at the limit. */
  readonly isSorted: boolean;
  /** SQL of the limit; may be empty. */
  readonly limit: string;
}

function buildPageQuery(list: RowList, parentIds: readonly string[], page: ListPage, filter: ListFilter) {
  const { cursorId, take, offset = 0, isExact = false } = page;
  const { table, parentColumn, timeColumn, columns = "child.id" } = list;
  const { values, bind } = createBinder();
  const parents = selectParents(list, parentIds, bind);
  const size = `LIMIT ${bind(Math.abs(take) + offset)}`;
  const conditions = bindConditions(filter, bind);
  const limit = conditions.length === 0 ? size : isExact || filter.ids ? "" : `LIMIT ${MAX_SCANNED_ROWS}`;
  const isNewestFirst = list.order === "newest first";
  const direction = isNewestFirst === take < 0 ? "ASC" : "DESC";
  const orderBy = (row: string) => `ORDER BY ${row}.${timeColumn} ${direction}, ${row}.id ${direction}`;
  const scanned = buildScan(list, filter, { direction, hasCursor: cursorId !== null, isSorted: true, limit }, bind);
  const matching = `SELECT child.* FROM (${scanned}) AS child WHERE ${conditions.join(" AND ")} ${orderBy("child")} ${size}`;
  const found = conditions.length > 0 ? matching : scanned;
  // The limits include the skipped rows, so the offset applies to the limited rows.
  const skipped = `SELECT child.* FROM (${found}) AS child ${orderBy("child")} OFFSET ${offset > 0 ? bind(offset) : 0}`;
  // The cursor's row is joined: a comparison with a correlated subquery would not limit the scan of the index.
  const cursor =
    cursorId === null
      ? ""
      : `JOIN ${table} AS cursor ON cursor.id = ${bind(cursorId)} AND cursor.${parentColumn} = parent.id`;
  const order = isNewestFirst ? "DESC" : "ASC";
  const text = `SELECT parent.id AS "parentId", ${columns} FROM ${parents} ${cursor}
    CROSS JOIN LATERAL (${offset > 0 ? skipped : found}) AS child
    ORDER BY child.${timeColumn} ${order}, child.id ${order}`;
  return { text, values };
}

/** Counts the scanned rows and the matching ones for each parent, in the order of the parents. */
function buildCountQuery(list: RowList, parentIds: readonly string[], filter: ListFilter) {
  const { values, bind } = createBinder();
  const parents = selectParents(list, parentIds, bind);
  const conditions = bindConditions(filter, bind);
  const limit = `LIMIT ${MAX_COUNT + 1}`;
  const scanned = buildScan(list, filter, { direction: "DESC", hasCursor: false, isSorted: false, limit }, bind);
  const matching = conditions.length > 0 ? `count(*) FILTER (WHERE ${conditions.join(" AND ")})` : "count(*)";
  const text = `SELECT parent.id AS "parentId", counted.* FROM ${parents} CROSS JOIN LATERAL (
      SELECT ${matching}::int AS matching, count(*)::int AS scanned FROM (${scanned}) AS child) AS counted
    ORDER BY parent.n`;
  return { text, values };
}

function createBinder(): { readonly values: unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const selectParents = ({ parentType }: RowList, parentIds: readonly string[], bind: Bind) =>
  `unnest(${bind(parentIds)}::${parentType ?? "text"}[]) WITH ORDINALITY AS parent (id, n)`;

const bindConditions = ({ conditions = [] }: ListFilter, bind: Bind) =>
  conditions.map(({ sql, values: operands = [] }) => bindEach(sql, operands, bind));

/** Returns the SQL that reads the rows of `parent` that match the filter apart from its conditions. */
function buildScan(list: RowList, filter: ListFilter, scan: Scan, bind: Bind): string {
  const { table, parentColumn, timeColumn } = list;
  const { direction, hasCursor, isSorted, limit } = scan;
  const facets = Object.entries(list.facets ?? {});
  const accepted = facets.flatMap(([name, sql], index) => {
    const texts = filter.facets?.[name];
    return texts ? [`${filter.ids ? sql : `combination.f${index}`}::text = ANY(${bind(texts)}::text[])`] : [];
  });
  const isFiltered = accepted.length > 0 && !filter.ids;
  const timeOf = (time: string) => (isFiltered ? `(${time} AT TIME ZONE 'UTC')` : time);
  const [time, cursorTime] = [timeOf(`child.${timeColumn}`), timeOf(`cursor.${timeColumn}`)];
  const ofParent = [`child.${parentColumn} = parent.id`, ...(list.condition ? [list.condition] : [])].join(" AND ");
  const position = `(${time}, child.id) ${direction === "DESC" ? "<" : ">"} (${cursorTime}, cursor.id)`;
  const indexConditions = [
    ...(filter.ids ? [`child.id = ANY(${bind(filter.ids)}::text[])`, ...accepted] : [ofParent]),
    ...(isFiltered ? facets.map(([, sql], index) => `${sql} = combination.f${index}`) : []),
    ...(filter.from ? [`${time} >= ${timeOf(`${bind(filter.from)}::timestamptz`)}`] : []),
    ...(filter.to ? [`${time} < ${timeOf(`${bind(filter.to)}::timestamptz`)}`] : []),
    ...(hasCursor ? [position] : []),
  ].join(" AND ");
  const ordered = `SELECT child.* FROM ${table} AS child ${filter.ids ? "" : IN_INDEX_ORDER} WHERE ${indexConditions}
      ORDER BY ${time} ${direction}, child.id ${direction} ${limit}`;
  if (!isFiltered) return ordered;
  const merged = isSorted ? `ORDER BY item.${timeColumn} ${direction}, item.id ${direction}` : "";
  return `${selectCombinations(table, ofParent, Object.values(list.facets ?? {}))}
      SELECT item.* FROM combination CROSS JOIN LATERAL (${ordered}) AS item
      WHERE ${accepted.join(" AND ")} ${merged} ${limit}`;
}

/** Returns the SQL with a parameter in place of each `?`. */
function bindEach(sql: string, operands: readonly unknown[], bind: (value: unknown) => string): string {
  const remaining = [...operands];
  return sql.replaceAll("?", () => bind(remaining.shift()));
}

/** Returns the CTE with the combinations of facets in a parent's rows, each found by one index access (loose index scan). */
function selectCombinations(table: string, ofParent: string, facets: readonly string[]): string {
  const named = facets.map((sql, index) => `${sql} AS f${index}`).join(", ");
  const order = facets.join(", ");
  const previous = facets.map((_, index) => `previous.f${index}`).join(", ");
  const first = (condition: string) =>
    `SELECT ${named} FROM ${table} AS child ${IN_INDEX_ORDER} WHERE ${ofParent} ${condition} ORDER BY ${order} LIMIT 1`;
  return `WITH RECURSIVE combination AS (
        (${first("")}) UNION ALL
        SELECT next.* FROM combination AS previous CROSS JOIN LATERAL (
          ${first(`AND (${order}) > (${previous})`)}) AS next)`;
}
