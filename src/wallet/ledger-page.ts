import type { Database, Statement } from "../platform/database/connection.ts";

/** A filter on an account's ledger rows. Null means no restriction. Lists contain the accepted values. */
export interface LedgerFilter {
  readonly accountId: string;
  readonly types: readonly string[] | null;
  readonly statuses: readonly string[] | null;
  readonly networks: readonly string[] | null;
  /** Earliest reservation time, inclusive. */
  readonly from: Date | null;
  /** Latest reservation time, exclusive. */
  readonly to: Date | null;
}

/** Position and size of a page. */
export interface LedgerPage {
  /** Id of the row next to the page. Null starts at the newest row, or at the oldest if `take` is negative. */
  readonly cursorId: string | null;
  /** Number of rows after the cursor (older rows). A negative number counts the rows before it (newer rows). */
  readonly take: number;
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

type Direction = "older" | "newer";
type Start = "end" | "cursor";

const ORDER = { older: "DESC", newer: "ASC" } as const;

const pageSql = (direction: Direction, start: Start, alsoWhere = "") => `
    SELECT id, account_id AS "accountId", type, status, direction, network, asset, amount_atomic AS "amountAtomic",
      settled_atomic AS "settledAtomic", amount_micro_usd AS "amountMicroUsd", settled_micro_usd AS "settledMicroUsd",
      fee_micro_usd AS "feeMicroUsd", budget_ids AS "budgetIds", paid_from_credit AS "paidFromCredit", scheme, resource, pay_to AS "payTo", description,
      purchase_token_id AS "purchaseTokenId", tx_hash AS "txHash", failure_reason AS "failureReason", created_at AS "createdAt",
      signed_at AS "signedAt", settled_at AS "settledAt", updated_at AS "updatedAt"
    FROM transactions
    WHERE account_id = $1::uuid AND ($2::text[] IS NULL OR type = ANY($2)) AND ($3::text[] IS NULL OR status = ANY($3))
      AND ($4::text[] IS NULL OR network = ANY($4)) AND ($5::timestamptz IS NULL OR created_at >= $5)
      AND ($6::timestamptz IS NULL OR created_at < $6) ${alsoWhere}
      ${start === "cursor" ? `AND (created_at, id) ${direction === "older" ? "<" : ">"} (SELECT created_at, id FROM transactions WHERE id = $8 AND account_id = $1::uuid)` : ""}
    ORDER BY created_at ${ORDER[direction]}, id ${ORDER[direction]} LIMIT $7`;

// PostgreSQL reads the index on account and creation time in either direction if each direction has its own statement.
const pageStatement = (direction: Direction, start: Start): Statement => ({
  name: `ledger-page-${direction}-from-${start}`,
  text: pageSql(direction, start),
});

/** Creates the statement that reads the same page of each of several budgets. */
const pagesStatement = (direction: Direction, start: Start): Statement => ({
  name: `ledger-pages-${direction}-from-${start}`,
  text: `SELECT budget.id AS "budgetId", page.* FROM unnest(${start === "cursor" ? "$9" : "$8"}::text[]) AS budget (id)
    CROSS JOIN LATERAL (${pageSql(direction, start, "AND budget_ids @> ARRAY[budget.id]")}) AS page
    ORDER BY page."createdAt" DESC, page.id DESC`,
});

const createStatements = (make: (direction: Direction, start: Start) => Statement) => ({
  older: { end: make("older", "end"), cursor: make("older", "cursor") },
  newer: { end: make("newer", "end"), cursor: make("newer", "cursor") },
});

const PAGE = createStatements(pageStatement);
const PAGES = createStatements(pagesStatement);

const directionOf = ({ take }: LedgerPage): Direction => (take < 0 ? "newer" : "older");
const startOf = ({ cursorId }: LedgerPage): Start => (cursorId === null ? "end" : "cursor");

function toParameters(filter: LedgerFilter, { cursorId, take }: LedgerPage): unknown[] {
  const { accountId, types, statuses, networks, from, to } = filter;
  const values = [accountId, types, statuses, networks, from, to, Math.abs(take)];
  return cursorId === null ? values : [...values, cursorId];
}

/** Returns a page of the ledger, newest first. The page is empty if the cursor is not a row of the account. */
export async function readLedgerPage(
  { db }: { readonly db: Database },
  filter: LedgerFilter,
  page: LedgerPage,
): Promise<LedgerRow[]> {
  const direction = directionOf(page);
  const rows = await db.query<LedgerRow>(PAGE[direction][startOf(page)], toParameters(filter, page));
  return direction === "newer" ? rows.reverse() : rows;
}

/** Returns the same page of the rows that count against each budget, in the order of `budgetIds`, with one query. */
export async function readLedgerPages(
  { db }: { readonly db: Database },
  filter: LedgerFilter,
  budgetIds: readonly string[],
  page: LedgerPage,
): Promise<LedgerRow[][]> {
  const statement = PAGES[directionOf(page)][startOf(page)];
  const rows = await db.query<LedgerRow & { budgetId: string }>(statement, [...toParameters(filter, page), budgetIds]);
  const byBudget = Map.groupBy(rows, ({ budgetId }) => budgetId);
  return budgetIds.map((id) => byBudget.get(id) ?? []);
}
