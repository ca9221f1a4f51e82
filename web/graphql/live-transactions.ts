import type { TransactionFilter, TransactionRowFragment } from "../generated/graphql.ts";

/**
 * A page of the ledger as it now stands. Rows that moved are replaced; new ones come on top of the newest page if the
 * filter lets them in. A row that no longer passes the filter stays until the list is asked for again: it shows what became of it.
 */
export function withUpdates(
  rows: readonly TransactionRowFragment[],
  updates: ReadonlyMap<string, TransactionRowFragment>,
  filter: TransactionFilter,
  isNewestPage: boolean,
): TransactionRowFragment[] {
  const known = new Set(rows.map(({ id }) => id));
  const newest = rows[0]?.createdAt ?? "";
  const added = isNewestPage
    ? [...updates.values()].filter((row) => !known.has(row.id) && row.createdAt >= newest && passes(row, filter))
    : [];
  added.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return [...added, ...rows.map((row) => updates.get(row.id) ?? row)];
}

function passes(row: TransactionRowFragment, { status, type, network }: TransactionFilter): boolean {
  return (!status || row.status === status) && (!type || row.type === type) && (!network || row.network === network);
}
