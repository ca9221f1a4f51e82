/** Pages of the ledger. */
import type { Database } from "../platform/database/connection.ts";
import {
  countListRows,
  type ListFilter,
  type ListOrder,
  type ListPage,
  type RowCount,
  type RowList,
  readListPages,
} from "../platform/database/list-page.ts";

/** A filter on ledger rows. Null means no restriction. Lists contain the accepted values. */
export interface LedgerFilter {
  readonly types: readonly string[] | null;
  readonly statuses: readonly string[] | null;
  readonly networks: readonly string[] | null;
  /** Earliest reservation time, inclusive. */
  readonly from: Date | null;
  /** Latest reservation time, exclusive. */
  readonly to: Date | null;
}

/** A ledger row as the API returns it. Amounts `…Atomic` are decimal strings. */
export interface LedgerRow {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly status: string;
  readonly direction: string;
  readonly network: string | null;
  readonly asset: string | null;
  readonly amountAtomic: string;
  readonly settledAtomic: string | null;
  readonly amountMicroUsd: bigint;
  readonly settledMicroUsd: bigint | null;
  readonly feeMicroUsd: bigint;
  readonly budgetIds: readonly string[];
  readonly paidFromCredit: boolean;
  readonly scheme: string | null;
  readonly resource: string | null;
  readonly payTo: string | null;
  readonly description: string | null;
  readonly purchaseTokenId: string | null;
  readonly txHash: string | null;
  readonly failureReason: string | null;
  readonly createdAt: Date;
  readonly signedAt: Date | null;
  readonly settledAt: Date | null;
  readonly updatedAt: Date;
}

const FIELDS: readonly (keyof LedgerRow)[] = [
  ...(["id", "accountId", "type", "status", "direction", "network", "asset", "amountAtomic", "settledAtomic"] as const),
  ...([
    "amountMicroUsd",
    "settledMicroUsd",
    "feeMicroUsd",
    "budgetIds",
    "paidFromCredit",
    "scheme",
    "resource",
  ] as const),
  ...(["payTo", "description", "purchaseTokenId", "txHash", "failureReason"] as const),
  ...(["createdAt", "signedAt", "settledAt", "updatedAt"] as const),
];

/** Columns have the names of the fields in snake case. */
const COLUMNS = FIELDS.map(
  (name) => `child.${name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)} AS "${name}"`,
).join(", ");

const LEDGER: RowList = {
  table: "transactions",
  parentColumn: "account_id",
  parentType: "uuid",
  timeColumn: "created_at",
  order: "newest first",
  columns: COLUMNS,
  facets: { type: "child.type", status: "child.status", network: "coalesce(child.network, '')" },
};

/**
 * The payments of each application's grant. Its budget follows the account's in `budget_ids`. Only payments of applications are in
 * the index.
 */
export const LEDGER_OF_GRANTS: RowList = {
  table: "transactions",
  parentColumn: "budget_ids[2]",
  timeColumn: "created_at",
  order: "newest first",
  condition: "child.budget_ids[2] LIKE 'grt\\_%'",
};

const toListFilter = ({ types, statuses, networks, from, to }: LedgerFilter): ListFilter => ({
  facets: { type: types, status: statuses, network: networks },
  from,
  to,
});

/** Returns a page of the account's ledger. The page is empty if the cursor is not a row of the account. */
export async function readLedgerPage(
  { db }: { readonly db: Database },
  accountId: string,
  filter: LedgerFilter,
  page: ListPage,
  order: ListOrder,
): Promise<LedgerRow[]> {
  const [found] = await readListPages<LedgerRow>(db, { ...LEDGER, order }, [accountId], page, toListFilter(filter));
  return [...(found?.rows ?? [])];
}

/** Counts the rows of the account's ledger, up to `MAX_COUNT`. */
export async function countLedger(
  { db }: { readonly db: Database },
  accountId: string,
  filter: LedgerFilter,
): Promise<RowCount> {
  const [count] = await countListRows(db, LEDGER, [accountId], toListFilter(filter));
  return count as RowCount;
}
