/**
 * Fair claims from a queue that is a table: a claim visits the owners of outstanding rows, each with one index access (loose
 * index scan), and then reads a few rows of each. Its cost does not depend on how many rows an owner has outstanding.
 */

export interface Queue {
  readonly table: string;
  /** Column of the owner, such as the account. The table needs a partial index that begins with `(owner, dueAt)`. */
  readonly owner: string;
  /** Column of the time at which a row is due; null if the row is not outstanding. */
  readonly dueAt: string;
}

/**
 * Returns the CTE `visited (owner, due_at)` for a query `WITH RECURSIVE`: up to `maxOwners` owners with outstanding rows, each
 * with the time of its earliest. The visit starts at the owner `start`, an SQL expression, and continues from the beginning
 * after the last owner. If `start` is random, every owner is visited soon even if there are more than `maxOwners`.
 */
export function visitOwners({ table, owner, dueAt }: Queue, start: string, maxOwners: number): string {
  const first = (condition: string) =>
    `SELECT q.${owner}, q.${dueAt} FROM ${table} q WHERE q.${dueAt} IS NOT NULL AND ${condition}
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
