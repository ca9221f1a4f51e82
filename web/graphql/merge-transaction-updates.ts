import type { TransactionFilter, TransactionRowFragment } from "../generated/graphql.ts";
import { mergeUpdates } from "./merge-updates.ts";

/** Merges live updates into a page of transactions. */
export function mergeTransactionUpdates(
  rows: readonly TransactionRowFragment[],
  updates: ReadonlyMap<string, TransactionRowFragment>,
  { statuses, types, networks }: TransactionFilter,
  isNewestPage: boolean,
): TransactionRowFragment[] {
  const passes = (row: TransactionRowFragment) =>
    (statuses?.includes(row.status) ?? true) &&
    (types?.includes(row.type) ?? true) &&
    (!networks || (row.network != null && networks.includes(row.network)));
  return mergeUpdates(rows, updates, passes, isNewestPage);
}
