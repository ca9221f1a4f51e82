/** Row of a list sorted newest first, whose status may change. */
interface LiveRow {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Merges live updates into a page of a list. Updated rows are replaced. New rows that pass the filter are added at the top of
 * the newest page. A row that no longer passes the filter remains until the next query, so that its new status is visible.
 */
export function mergeUpdates<Row extends LiveRow>(
  rows: readonly Row[],
  updates: ReadonlyMap<string, Row>,
  passes: (row: Row) => boolean,
  isNewestPage: boolean,
): Row[] {
  const existingIds = new Set(rows.map(({ id }) => id));
  const newest = rows[0]?.createdAt ?? "";
  const added = isNewestPage
    ? [...updates.values()].filter((row) => !existingIds.has(row.id) && row.createdAt >= newest && passes(row))
    : [];
  added.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return [...added, ...rows.map((row) => updates.get(row.id) ?? row)];
}
