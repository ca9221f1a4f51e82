/** Pages of the ledger. */
import type { Database } from "../platform/database/connection.ts";
import { type ListPage, type RowList, readListPages } from "../platform/database/list-page.ts";

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

// A grant's budget follows the account's in `budget_ids`. Only payments of applications are in the index.
const LEDGER_OF_GRANTS: RowList = {
  table: "transactions",
  parentColumn: "budget_ids[2]",
  timeColumn: "created_at",
  order: "newest first",
  columns: COLUMNS,
  condition: "child.budget_ids[2] LIKE 'grt\\_%'",
};

/** Returns a page of the account's ledger, newest first. The page is empty if the cursor is not a row of the account. */
export async function readLedgerPage(
  { db }: { readonly db: Database },
  accountId: string,
  { types, statuses, networks, from, to }: LedgerFilter,
  page: ListPage,
): Promise<LedgerRow[]> {
  const facets = { type: types, status: statuses, network: networks };
  const [found] = await readListPages<LedgerRow>(db, LEDGER, [accountId], page, { facets, from, to });
  return [...(found?.rows ?? [])];
}

/** Returns the same page of the payments of each application's grant, in the order of `grantIds`, with one query. */
export async function readGrantLedgerPages(
  { db }: { readonly db: Database },
  grantIds: readonly string[],
  page: ListPage,
): Promise<LedgerRow[][]> {
  const pages = await readListPages<LedgerRow>(db, LEDGER_OF_GRANTS, grantIds, page);
  return pages.map(({ rows }) => [...rows]);
}
