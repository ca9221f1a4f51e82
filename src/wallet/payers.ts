/** Finds the credential that made a payment, from the budgets that its ledger row counts against. */
import type { Database, Statement } from "../platform/database/connection.ts";

/** The credential that made a payment. */
export interface Payer {
  readonly kind: "api_token" | "application" | "person";
  /** Name of the API token or application; null for the signed-in user. */
  readonly name: string | null;
  /** Whether it paid with a one-time purchase token that it had created. */
  readonly isOneTime: boolean;
}

interface LedgerRow {
  readonly accountId: string;
  readonly budgetIds: readonly string[];
}

// Revoked credentials remain in the database, so their names are found too.
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

/** Returns the payers of ledger rows in their order, with one query. Null for incoming money and unknown credentials. */
export async function findPayers(
  { db }: { readonly db: Database },
  rows: readonly LedgerRow[],
): Promise<(Payer | null)[]> {
  const ids = new Set(rows.flatMap(({ accountId, budgetIds }) => budgetIds.filter((id) => id !== accountId)));
  const credentialRows = ids.size === 0 ? [] : await db.query<CredentialRow>(FIND, [[...ids]]);
  const credentials = new Map(credentialRows.map((row) => [row.id, row]));
  return rows.map((row) => toPayer(row, credentials));
}

/** The last budget belongs to the payer, or to a one-time purchase token; then the payer's budget precedes it. */
function toPayer({ accountId, budgetIds }: LedgerRow, credentials: ReadonlyMap<string, CredentialRow>): Payer | null {
  const isOneTime = credentials.get(budgetIds.at(-1) ?? "")?.kind === "purchase_token";
  const payerId = budgetIds.at(isOneTime ? -2 : -1) ?? "";
  if (payerId === accountId) return { kind: "person", name: null, isOneTime };
  const credential = credentials.get(payerId);
  if (!credential || credential.kind === "purchase_token") return null;
  return { kind: credential.kind, name: credential.name, isOneTime };
}
