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
import { readConfig } from "./platform/config/load.ts";
import { claimKeys, requireKeys, retireOtherKeys } from "./platform/crypto/sealing/key-canary.ts";
import { createKeyEncryptionKeys } from "./platform/crypto/sealing/key-encryption.ts";
import { countRowsUnderOtherKeks, type Rotation, rotateTable } from "./platform/crypto/sealing/rotate.ts";
import type { KeyEncryptionKeys } from "./platform/crypto/sealing/wrapped-key.ts";
import { type Database, openDatabase } from "./platform/database/connection.ts";
import { migrate } from "./platform/database/migrate.ts";
import { runCommand } from "./platform/run-command.ts";

const { values } = parseArgs({ options: { "bind-accounts": { type: "boolean", default: false } } });

await runCommand(() => rotate({ isBinding: values["bind-accounts"] }));

/**
 * Returns the exit code: 0 if no row remains under another key, and every row could be bound.
 * @throws {UnboundRowsError}
 */
async function rotate({ isBinding }: { readonly isBinding: boolean }): Promise<number> {
  const config = readConfig({ isCommand: true });
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  const keks = await createKeyEncryptionKeys(config, { mayCreate: false });
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 4 });
  try {
    await requireKeys(db, keks, SEALED_TABLES);
    await migrate(db);
    await claimKeys(db, keks, SEALED_TABLES);
    const deps = { db, keks, dataDir };
    const hasUnopenable = isBinding && (await bind(deps));
    await requireBoundRows(deps);
    writeLine(`Rewrapping with the key-encryption key ${keks.kek.id}`);
    const rotations: Rotation[] = [];
    for (const table of SEALED_TABLES) rotations.push(await rotateTable(db, keks, table, writeProgress));
    for (const { table, moved } of rotations) writeLine(`${TABLE_NAMES[table]}: ${moved} rewrapped`);
    const hasRemaining = await reportRemaining(db, keks);
    if (!hasRemaining) await retireOtherKeys(db, keks);
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
