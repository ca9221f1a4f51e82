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
    UNION ALL SELECT g.id, 'application', c.app_name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.id = ANY($1)`,
};

interface CredentialRow {
  id: string;
  kind: "api_token" | "application";
  name: string | null;
}

const isPurchaseToken = (budgetId: string | undefined) => budgetId?.startsWith("pt_") ?? false;

/**
 * Returns the budget of the payer: of an API token, a grant, or the account itself for its owner. The last budget belongs to
 * it, or to a one-time purchase token that it created.
 */
export function findPayerId(budgetIds: readonly string[]): string | undefined {
  return budgetIds.findLast((id) => !isPurchaseToken(id));
}

/** Returns the payers of ledger rows in their order, with one query. Null for incoming money and unknown credentials. */
export async function findPayers(
  { db }: { readonly db: Database },
  rows: readonly LedgerRow[],
): Promise<(Payer | null)[]> {
  const payerIds = rows.map(({ budgetIds }) => findPayerId(budgetIds));
  const ids = new Set(payerIds.filter((id, at) => id !== undefined && id !== rows[at]?.accountId));
  const credentialRows = ids.size === 0 ? [] : await db.query<CredentialRow>(FIND, [[...ids]]);
  const credentials = new Map(credentialRows.map((row) => [row.id, row]));
  return rows.map((row) => toPayer(row, credentials));
}

function toPayer({ accountId, budgetIds }: LedgerRow, credentials: ReadonlyMap<string, CredentialRow>): Payer | null {
  const isOneTime = isPurchaseToken(budgetIds.at(-1));
  const payerId = findPayerId(budgetIds) ?? "";
  if (payerId === accountId) return { kind: "person", name: null, isOneTime };
  const credential = credentials.get(payerId);
  return credential ? { kind: credential.kind, name: credential.name, isOneTime } : null;
}
