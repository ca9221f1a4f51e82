/**
 * Fair claims from a queue that is a table. A claim visits the owners of outstanding rows, each with one index access (loose
 * index scan). It then reads a few rows of each. Its cost does not depend on how many rows an owner has outstanding.
 */

/**
 * Follows `FROM` and a table. Makes PostgreSQL read rows in the order of the index until the limit. It expects few rows of an
 * average owner, and would read and sort all rows of an owner with many. The series has one row, but it plans for a thousand.
 */
export const IN_INDEX_ORDER = "CROSS JOIN (SELECT 1 AS n OFFSET 0) one CROSS JOIN generate_series(one.n, one.n)";

export interface Queue {
  readonly table: string;
  /** Column of the owner, such as the account. The table needs a partial index that begins with `(owner, dueAt)`. */
  readonly owner: string;
  /** Column of the time at which a row is due; null if the row is not outstanding. */
  readonly dueAt: string;
  /** Further SQL condition of outstanding rows `q`, which the partial index has. */
  readonly outstanding?: string;
}

/**
 * Returns the CTE `visited (owner, due_at)` for a query `WITH RECURSIVE`: up to `maxOwners` owners with outstanding rows, each
 * with the time of its earliest. The visit starts at the owner `start`, an SQL expression, and continues from the beginning
 * after the last owner. If `start` is random, every owner is visited soon even if there are more than `maxOwners`.
 */
export function visitOwners(
  { table, owner, dueAt, outstanding = "true" }: Queue,
  start: string,
  maxOwners: number,
): string {
  const first = (condition: string) =>
    `SELECT q.${owner}, q.${dueAt} FROM ${table} q WHERE q.${dueAt} IS NOT NULL AND ${outstanding} AND ${condition}
          ORDER BY q.${owner}, q.${dueAt} LIMIT 1`;
  const next = (from: string, condition = "") =>
    `SELECT next.* FROM ${from} CROSS JOIN LATERAL (${first(`q.${owner} > ${from}.owner ${condition}`)}) next`;
  return `later (owner, due_at) AS (
      (${first(`q.${owner} >= ${start}`)}) UNION ALL ${next("later")}
    ), earlier (owner, due_at) AS (
      (${first(`q.${owner} < ${start}`)}) UNION ALL ${next("earlier", `AND q.${owner} < ${start}`)}
    ), visited AS MATERIALIZED (
      SELECT owner, due_at FROM (SELECT * FROM later UNION ALL SELECT * FROM earlier) ring LIMIT ${maxOwners}
    )`;
}

export interface FairSelection {
  /** SQL expression of the owner at which the visit starts, such as a parameter. */
  readonly start: string;
  readonly maxOwners: number;
  readonly maxPerOwner: number;
  readonly maxRows: number;
  /** SQL condition on a row `q` that further limits the due rows. */
  readonly condition?: string;
}

/**
 * Returns the query of the ids of due rows for one claim, which locks them. Every owner's first row precedes any owner's second.
 * Skips rows that another transaction has locked. Use it as `id = ANY(ARRAY(…))`, for which PostgreSQL does not scan the table.
 */
export function selectDueFairly(queue: Queue, selection: FairSelection): string {
  const { table, owner, dueAt } = queue;
  const { start, maxOwners, maxPerOwner, maxRows, condition = "true" } = selection;
  return `WITH RECURSIVE ${visitOwners(queue, start, maxOwners)},
    due AS (
      SELECT row.id, row.due_at, row_number() OVER (PARTITION BY owner ORDER BY row.due_at) AS place
      FROM visited CROSS JOIN LATERAL (
        SELECT q.id, q.${dueAt} AS due_at FROM ${table} q ${IN_INDEX_ORDER}
        WHERE q.${owner} = visited.owner AND q.${dueAt} <= now() AND ${condition}
        ORDER BY q.${dueAt} LIMIT ${maxPerOwner}) row
      WHERE visited.due_at <= now()
    ), chosen AS MATERIALIZED (SELECT id FROM due ORDER BY place, due_at LIMIT ${maxRows})
    SELECT locked.id FROM chosen CROSS JOIN LATERAL (
      SELECT q.id FROM ${table} q WHERE q.id = chosen.id AND q.${dueAt} <= now() FOR UPDATE SKIP LOCKED) locked`;
}
