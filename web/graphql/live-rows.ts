/** A row of a list, newest first, that may move. */
interface LiveRow {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * A page of a list as it now stands. Rows that moved are replaced; new ones come on top of the newest page if the filter
 * lets them in. A row that no longer passes the filter stays until the list is asked for again: it shows what became of it.
 */
export function withMoved<Row extends LiveRow>(
  rows: readonly Row[],
  updates: ReadonlyMap<string, Row>,
  passes: (row: Row) => boolean,
  isNewestPage: boolean,
): Row[] {
  const known = new Set(rows.map(({ id }) => id));
  const newest = rows[0]?.createdAt ?? "";
  const added = isNewestPage
    ? [...updates.values()].filter((row) => !known.has(row.id) && row.createdAt >= newest && passes(row))
    : [];
  added.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return [...added, ...rows.map((row) => updates.get(row.id) ?? row)];
}
