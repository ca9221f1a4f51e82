/**
 * Upgrade of ciphertexts from version 0.1.0, which did not bind them to accounts. It runs once for a database. Otherwise a
 * party that writes rows could restore a former ciphertext in another account's row, and the upgrade would bind it there.
 * Therefore nothing in the database decides whether it runs: the operator does, or a file for the embedded database.
 */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Binding, bindTable, countUnboundRows } from "../platform/crypto/sealing/bind-accounts.ts";
import type { KeyEncryptionKeys } from "../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../platform/database/connection.ts";
import { ACCOUNT_TABLES, TABLE_NAMES } from "./sealed-tables.ts";
import { UnboundRowsError } from "./unbound-rows-error.ts";

interface BindDeps {
  readonly db: Database;
  readonly keks: KeyEncryptionKeys;
  readonly dataDir: string;
}

/**
 * Binds the rows of an embedded database when a version that binds them starts on it for the first time.
 * @returns what was bound
 * @throws {UnboundRowsError} if unbound rows remain; on a database server only the operator binds them
 */
export async function requireBoundRows(
  deps: BindDeps,
  onProgress: (message: string) => void = () => {},
): Promise<readonly Binding[]> {
  const isFirstStart = deps.db.kind === "pglite" && !existsSync(markerPath(deps.dataDir));
  if (isFirstStart) onProgress("Binding ciphertexts to their accounts");
  const bindings = isFirstStart ? await bindAccounts(deps, () => {}) : [];
  const counts: string[] = [];
  for (const table of ACCOUNT_TABLES) {
    const rows = await countUnboundRows(deps.db, deps.keks, table);
    if (rows > 0) counts.push(`${TABLE_NAMES[table.name]} ${rows}`);
  }
  if (counts.length > 0) throw new UnboundRowsError(counts);
  return bindings;
}

/** Binds the rows of all tables. After an interruption, run it again to continue. */
export async function bindAccounts(
  { db, keks, dataDir }: BindDeps,
  onProgress: (binding: Binding) => void,
): Promise<Binding[]> {
  const bindings: Binding[] = [];
  for (const table of ACCOUNT_TABLES) bindings.push(await bindTable(db, keks, table, onProgress));
  // Last, because an interrupted upgrade must continue at the next start.
  if (db.kind === "pglite") await writeMarker(dataDir);
  return bindings;
}

function markerPath(dataDir: string): string {
  return join(dataDir, "account-bound");
}

async function writeMarker(dataDir: string): Promise<void> {
  const file = await open(markerPath(dataDir), "w", 0o600);
  try {
    await file.writeFile("All ciphertexts of this database are bound to their accounts. Do not delete this file.\n");
    await file.sync();
  } finally {
    await file.close();
  }
}
