import type { TransactionFilter, TransactionRowFragment } from "../generated/graphql.ts";
import { mergeUpdates } from "./merge-updates.ts";

/** Merges live updates into a page of transactions. */
export function mergeTransactionUpdates(
  rows: readonly TransactionRowFragment[],
  updates: ReadonlyMap<string, TransactionRowFragment>,
  { status, type, network }: TransactionFilter,
  isNewestPage: boolean,
): TransactionRowFragment[] {
  const passes = (row: TransactionRowFragment) =>
    (!status || row.status === status) && (!type || row.type === type) && (!network || row.network === network);
  return mergeUpdates(rows, updates, passes, isNewestPage);
}
