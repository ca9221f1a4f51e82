import type { Database, Statement } from "../platform/database/connection.ts";

/** Which rows of an account's ledger; null lets all through. */
export interface LedgerFilter {
  readonly accountId: string;
  readonly type: string | null;
  readonly status: string | null;
  readonly network: string | null;
  /** Reserved at this time or later, and before that one. */
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface LedgerPage {
  /** The row to go on from, by its id; null starts at the end. */
  readonly cursorId: string | null;
  /** How many rows after the cursor; below zero, before it. */
  readonly take: number;
}

/** A ledger row as it is shown. Amounts `…Atomic` are decimal strings. */
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

type Way = "older" | "newer";
type Begin = "end" | "cursor";

const ORDER = { older: "DESC", newer: "ASC" } as const;

const pageText = (way: Way, begin: Begin, alsoWhere = "") => `
    SELECT id, account_id AS "accountId", type, status, direction, network, asset, amount_atomic AS "amountAtomic",
      settled_atomic AS "settledAtomic", amount_micro_usd AS "amountMicroUsd", settled_micro_usd AS "settledMicroUsd",
      fee_micro_usd AS "feeMicroUsd", budget_ids AS "budgetIds", paid_from_credit AS "paidFromCredit", scheme, resource, pay_to AS "payTo", description,
      purchase_token_id AS "purchaseTokenId", tx_hash AS "txHash", failure_reason AS "failureReason", created_at AS "createdAt",
      signed_at AS "signedAt", settled_at AS "settledAt", updated_at AS "updatedAt"
    FROM transactions
    WHERE account_id = $1::uuid AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR status = $3)
      AND ($4::text IS NULL OR network = $4) AND ($5::timestamptz IS NULL OR created_at >= $5)
      AND ($6::timestamptz IS NULL OR created_at < $6) ${alsoWhere}
      ${begin === "cursor" ? `AND (created_at, id) ${way === "older" ? "<" : ">"} (SELECT created_at, id FROM transactions WHERE id = $8 AND account_id = $1::uuid)` : ""}
    ORDER BY created_at ${ORDER[way]}, id ${ORDER[way]} LIMIT $7`;

// A statement for each way of going through the index, which keeps an account's rows newest first.
const pageStatement = (way: Way, begin: Begin): Statement => ({
  name: `ledger-page-${way}-from-${begin}`,
  text: pageText(way, begin),
});

/** The same page of each of several budgets. */
const pagesStatement = (way: Way, begin: Begin): Statement => ({
  name: `ledger-pages-${way}-from-${begin}`,
  text: `SELECT budget.id AS "budgetId", page.* FROM unnest(${begin === "cursor" ? "$9" : "$8"}::text[]) AS budget (id)
    CROSS JOIN LATERAL (${pageText(way, begin, "AND budget_ids @> ARRAY[budget.id]")}) AS page
    ORDER BY page."createdAt" DESC, page.id DESC`,
});

const everyStatement = (make: (way: Way, begin: Begin) => Statement) => ({
  older: { end: make("older", "end"), cursor: make("older", "cursor") },
  newer: { end: make("newer", "end"), cursor: make("newer", "cursor") },
});

const PAGE = everyStatement(pageStatement);
const PAGES = everyStatement(pagesStatement);

const wayOf = ({ take }: LedgerPage): Way => (take < 0 ? "newer" : "older");
const beginOf = ({ cursorId }: LedgerPage): Begin => (cursorId === null ? "end" : "cursor");

function valuesOf(filter: LedgerFilter, { cursorId, take }: LedgerPage): unknown[] {
  const { accountId, type, status, network, from, to } = filter;
  const values = [accountId, type, status, network, from, to, Math.abs(take)];
  return cursorId === null ? values : [...values, cursorId];
}

/** A page of the ledger, newest first. A cursor that is none of the account's rows has nothing after it. */
export async function readLedgerPage(
  { db }: { readonly db: Database },
  filter: LedgerFilter,
  page: LedgerPage,
): Promise<LedgerRow[]> {
  const way = wayOf(page);
  const rows = await db.query<LedgerRow>(PAGE[way][beginOf(page)], valuesOf(filter, page));
  return way === "newer" ? rows.reverse() : rows;
}

/** The same page of what counts against each of several budgets, in their order and in one read. */
export async function readLedgerPages(
  { db }: { readonly db: Database },
  filter: LedgerFilter,
  budgetIds: readonly string[],
  page: LedgerPage,
): Promise<LedgerRow[][]> {
  const statement = PAGES[wayOf(page)][beginOf(page)];
  const rows = await db.query<LedgerRow & { budgetId: string }>(statement, [...valuesOf(filter, page), budgetIds]);
  const byBudget = Map.groupBy(rows, ({ budgetId }) => budgetId);
  return budgetIds.map((id) => byBudget.get(id) ?? []);
}
