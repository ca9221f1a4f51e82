import type { Database, Statement } from "../platform/database.ts";

/** Which rows of an account's ledger; null lets all through. */
export interface LedgerFilter {
  readonly accountId: string;
  /** Those that count against this budget. */
  readonly budgetId: string | null;
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
  readonly txHash: string | null;
  readonly failureReason: string | null;
  readonly createdAt: Date;
  readonly signedAt: Date | null;
  readonly settledAt: Date | null;
  readonly updatedAt: Date;
}

// A statement for each way of going through the index, which keeps an account's rows newest first.
const pageStatement = (way: "older" | "newer", begin: "end" | "cursor"): Statement => ({
  name: `ledger-page-${way}-from-${begin}`,
  text: `SELECT id, account_id AS "accountId", type, status, direction, network, asset, amount_atomic AS "amountAtomic",
      settled_atomic AS "settledAtomic", amount_micro_usd AS "amountMicroUsd", settled_micro_usd AS "settledMicroUsd",
      fee_micro_usd AS "feeMicroUsd", budget_ids AS "budgetIds", paid_from_credit AS "paidFromCredit", scheme, resource, pay_to AS "payTo", description,
      tx_hash AS "txHash", failure_reason AS "failureReason", created_at AS "createdAt", signed_at AS "signedAt",
      settled_at AS "settledAt", updated_at AS "updatedAt"
    FROM transactions
    WHERE account_id = $1::uuid AND ($2::text IS NULL OR budget_ids @> ARRAY[$2::text]) AND ($3::text IS NULL OR type = $3)
      AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR network = $5)
      AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
      ${begin === "cursor" ? `AND (created_at, id) ${way === "older" ? "<" : ">"} (SELECT created_at, id FROM transactions WHERE id = $9 AND account_id = $1::uuid)` : ""}
    ORDER BY created_at ${way === "older" ? "DESC" : "ASC"}, id ${way === "older" ? "DESC" : "ASC"} LIMIT $8`,
});

const PAGES = {
  older: { end: pageStatement("older", "end"), cursor: pageStatement("older", "cursor") },
  newer: { end: pageStatement("newer", "end"), cursor: pageStatement("newer", "cursor") },
};

/** A page of the ledger, newest first. A cursor that is none of the account's rows has nothing after it. */
export async function readLedgerPage(
  { db }: { readonly db: Database },
  filter: LedgerFilter,
  { cursorId, take }: LedgerPage,
): Promise<LedgerRow[]> {
  const way = take < 0 ? "newer" : "older";
  const statement = PAGES[way][cursorId === null ? "end" : "cursor"];
  const { accountId, budgetId, type, status, network, from, to } = filter;
  const values = [accountId, budgetId, type, status, network, from, to, Math.abs(take)];
  const rows = await db.query<LedgerRow>(statement, cursorId === null ? values : [...values, cursorId]);
  return way === "newer" ? rows.reverse() : rows;
}
