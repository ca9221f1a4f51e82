/** Whose credential paid: what stands behind the budgets that a ledger row counts against. */
import type { Database, Statement } from "../platform/database/connection.ts";

export interface Payer {
  readonly kind: "api_token" | "application" | "person";
  /** The token's or the application's name; null for the person. */
  readonly name: string | null;
  /** With a one-time purchase token that it made. */
  readonly isOneTime: boolean;
}

interface LedgerRow {
  readonly accountId: string;
  readonly budgetIds: readonly string[];
}

// Credentials that were revoked are kept, and so is their name.
const FIND: Statement = {
  name: "find-payers",
  text: `SELECT id, 'api_token' AS kind, name FROM api_tokens WHERE id = ANY($1)
    UNION ALL SELECT g.id, 'application', c.app_name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.id = ANY($1)
    UNION ALL SELECT id, 'purchase_token', NULL FROM purchase_tokens WHERE id = ANY($1)`,
};

interface CredentialRow {
  id: string;
  kind: "api_token" | "application" | "purchase_token";
  name: string | null;
}

/** The payers of many ledger rows, in one read; null where none is known, and where money came in. */
export async function payersOf(
  { db }: { readonly db: Database },
  rows: readonly LedgerRow[],
): Promise<(Payer | null)[]> {
  const ids = new Set(rows.flatMap(({ accountId, budgetIds }) => budgetIds.filter((id) => id !== accountId)));
  const found = ids.size === 0 ? [] : await db.query<CredentialRow>(FIND, [[...ids]]);
  const credentials = new Map(found.map((row) => [row.id, row]));
  return rows.map((row) => payerOf(row, credentials));
}

/** The narrowest budget is the payer's own, or below that of a one-time token which it made. */
function payerOf({ accountId, budgetIds }: LedgerRow, credentials: ReadonlyMap<string, CredentialRow>): Payer | null {
  const isOneTime = credentials.get(budgetIds.at(-1) ?? "")?.kind === "purchase_token";
  const payerId = budgetIds.at(isOneTime ? -2 : -1) ?? "";
  if (payerId === accountId) return { kind: "person", name: null, isOneTime };
  const credential = credentials.get(payerId);
  if (!credential || credential.kind === "purchase_token") return null;
  return { kind: credential.kind, name: credential.name, isOneTime };
}
