/** What export and deletion of an account do with the rows of a table. */

export interface TablePlan {
  readonly table: string;
  /** SQL condition on the row `t` of the account `$1`; null if no row belongs to an account. */
  readonly owner: string | null;
  /** Columns in the export. */
  readonly exported: readonly string[];
  /** Columns that are not exported, with the reason. */
  readonly withheld: Readonly<Record<string, string>>;
  readonly deletion: Deletion;
}

export type Deletion =
  | { readonly action: "delete" }
  | (Retained & { readonly action: "keep" })
  /** `changes` are SQL expressions by column. A second application does not change the row again. */
  | (Retained & { readonly action: "pseudonymise"; readonly changes: Readonly<Record<string, string>> })
  /** The table has no personal data. */
  | { readonly action: "none"; readonly reason: string };

interface Retained {
  readonly reason: string;
  /** How long the rows remain. */
  readonly period: string;
}

/** Condition of tables with the column `account_id`. */
export const OWN_ROWS = "t.account_id = $1::uuid";

export const DELETE: Deletion = { action: "delete" };

/** Rows that record movements of money. */
export const LEDGER: Retained = {
  reason: "Accounting records of movements of money",
  period: "`LEDGER_DAYS` (10 years) after the booking",
};

/** Returns the plan of a table that is neither exported nor changed, because no row is about an account. */
export function noPersonalData(table: string, columns: readonly string[], reason: string): TablePlan {
  return {
    table,
    owner: null,
    exported: [],
    withheld: withhold(columns, reason),
    deletion: { action: "none", reason },
  };
}

/** Returns columns that are withheld for the same reason. */
export function withhold(columns: readonly string[], reason: string): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column) => [column, reason]));
}
