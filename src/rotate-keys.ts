/**
 * `npm run rotate-keys`: rewraps the data keys of all sealed rows from older key-encryption keys (the OLDER_ settings) to
 * the current one. After an interruption, run it again to continue. The service may run meanwhile if its nodes have both
 * keys.
 *
 * `npm run rotate-keys -- --bind-accounts`: before the rotation, binds the rows of version 0.1.0 to their accounts. Run it
 * once, while no node runs.
 */
import { parseArgs } from "node:util";
import { bindAccounts, requireBoundRows } from "./app/bind-accounts.ts";
import { SEALED_TABLES, TABLE_NAMES } from "./app/sealed-tables.ts";
import { UnboundRowsError } from "./app/unbound-rows-error.ts";
import { ConfigError, loadConfig, readEnvironment } from "./platform/config/load.ts";
import { createKeyEncryptionKeys } from "./platform/crypto/sealing/key-encryption.ts";
import { KmsError } from "./platform/crypto/sealing/key-encryption-kms.ts";
import { KeyFileError } from "./platform/crypto/sealing/key-encryption-local.ts";
import { countRowsUnderOtherKeks, type Rotation, rotateTable } from "./platform/crypto/sealing/rotate.ts";
import type { KeyEncryptionKeys } from "./platform/crypto/sealing/wrapped-key.ts";
import { type Database, openDatabase } from "./platform/database/connection.ts";
import { DataDirLockedError } from "./platform/database/data-dir-lock.ts";
import { migrate } from "./platform/database/migrate.ts";

/** Errors that the operator can correct: only their message is printed. Other errors are bugs and have a stack trace. */
const OPERATOR_ERRORS = [ConfigError, DataDirLockedError, KeyFileError, KmsError, UnboundRowsError];

const { values } = parseArgs({ options: { "bind-accounts": { type: "boolean", default: false } } });

try {
  process.exitCode = await rotate({ isBinding: values["bind-accounts"] });
} catch (error) {
  if (!OPERATOR_ERRORS.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/**
 * Returns the exit code: 0 if no row remains under another key, and every row could be bound.
 * @throws {UnboundRowsError}
 */
async function rotate({ isBinding }: { readonly isBinding: boolean }): Promise<number> {
  const config = loadConfig(readEnvironment());
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  const keks = await createKeyEncryptionKeys(config);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 4 });
  try {
    await migrate(db);
    const deps = { db, keks, dataDir };
    const hasUnopenable = isBinding && (await bind(deps));
    await requireBoundRows(deps);
    writeLine(`Rewrapping with the key-encryption key ${keks.kek.id}`);
    const rotations: Rotation[] = [];
    for (const table of SEALED_TABLES) rotations.push(await rotateTable(db, keks, table, writeProgress));
    for (const { table, moved } of rotations) writeLine(`${TABLE_NAMES[table]}: ${moved} rewrapped`);
    const hasRemaining = await reportRemaining(db, keks);
    return hasRemaining || hasUnopenable ? 1 : 0;
  } finally {
    await db.close();
  }
}

/** Binds the rows to their accounts. Returns whether a row did not open. */
async function bind(deps: Parameters<typeof bindAccounts>[0]): Promise<boolean> {
  const bindings = await bindAccounts(deps, ({ table, bound, total }) => {
    writeLine(`${TABLE_NAMES[table]}: ${bound} of ${total} bound to their accounts`);
  });
  const unopenable = bindings.flatMap(({ table, unopenable }) =>
    unopenable.map((id) => `${TABLE_NAMES[table]}: ${id}`),
  );
  for (const row of unopenable) process.stderr.write(`${row} does not open. Restore this row from a backup\n`);
  return unopenable.length > 0;
}

function writeProgress({ table, moved, total }: Rotation): void {
  writeLine(`${TABLE_NAMES[table]}: ${moved} of ${total}`);
}

/** Counts the rows again: a node that still has an older key as its current one may have sealed rows during the rotation. */
async function reportRemaining(db: Database, keks: KeyEncryptionKeys): Promise<boolean> {
  let hasRemaining = false;
  for (const table of SEALED_TABLES) {
    for (const [kekId, rows] of await countRowsUnderOtherKeks(db, keks, table)) {
      hasRemaining = true;
      const isKnown = keks.olderKeks?.some(({ id }) => id === kekId);
      const nextStep = isKnown
        ? "which a node still uses. Restart that node, then run rotate-keys again"
        : "which is not configured. Add the key to the OLDER_ settings";
      process.stderr.write(`${TABLE_NAMES[table.name]}: ${rows} remain under ${kekId}, ${nextStep}\n`);
    }
  }
  if (!hasRemaining) writeLine("No rows remain under other keys. Older keys are no longer needed");
  return hasRemaining;
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
