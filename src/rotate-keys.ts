/**
 * `npm run rotate-keys`: rewraps the data keys of all sealed rows from older key-encryption keys (the OLDER_ settings) to
 * the current one. After an interruption, run it again to continue. The service may run meanwhile if its nodes have both
 * keys.
 */

import { SEALED_HOLDER_KEYS } from "./agents/holder-key.ts";
import { SEALED_CARDS } from "./checkout/cards/card-vault.ts";
import { SEALED_ORDERS } from "./checkout/orders/delivery-address.ts";
import { SEALED_WEBHOOKS } from "./events/webhook-secrets.ts";
import { ConfigError, loadConfig, readEnvironment } from "./platform/config/load.ts";
import { createKeyEncryptionKeys } from "./platform/crypto/sealing/key-encryption.ts";
import { KmsError } from "./platform/crypto/sealing/key-encryption-kms.ts";
import { KeyFileError } from "./platform/crypto/sealing/key-encryption-local.ts";
import {
  countRowsUnderOtherKeks,
  type Rotation,
  rotateTable,
  type SealedTable,
} from "./platform/crypto/sealing/rotate.ts";
import type { KeyEncryptionKeys } from "./platform/crypto/sealing/wrapped-key.ts";
import { SEALED_SIGNING_KEYS } from "./platform/crypto/signing-keys.ts";
import { type Database, openDatabase } from "./platform/database/connection.ts";
import { DataDirLockedError } from "./platform/database/data-dir-lock.ts";
import { migrate } from "./platform/database/migrate.ts";
import { SEALED_WALLETS } from "./wallet/sealed-vault.ts";

const TABLES: readonly SealedTable[] = [
  SEALED_WALLETS,
  SEALED_SIGNING_KEYS,
  SEALED_HOLDER_KEYS,
  SEALED_WEBHOOKS,
  SEALED_CARDS,
  SEALED_ORDERS,
];
const NAMES: Readonly<Record<SealedTable["name"], string>> = {
  wallets: "Wallets",
  signing_keys: "Signing keys",
  agents: "Agents' keys",
  webhook_endpoints: "Webhooks",
  payment_cards: "Cards",
  checkout_orders: "Delivery addresses",
};
/** Errors that the operator can correct: only their message is printed. Other errors are bugs and have a stack trace. */
const OPERATOR_ERRORS = [ConfigError, DataDirLockedError, KeyFileError, KmsError];

try {
  process.exitCode = await rotate();
} catch (error) {
  if (!OPERATOR_ERRORS.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Returns the exit code: 0 if no row remains under another key. */
async function rotate(): Promise<number> {
  const config = loadConfig(readEnvironment());
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  const keks = await createKeyEncryptionKeys(config);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 4 });
  try {
    await migrate(db);
    writeLine(`Rewrapping with the key-encryption key ${keks.kek.id}`);
    const rotations: Rotation[] = [];
    for (const table of TABLES) rotations.push(await rotateTable(db, keks, table, writeProgress));
    for (const { table, moved } of rotations) writeLine(`${NAMES[table]}: ${moved} rewrapped`);
    return await reportRemaining(db, keks);
  } finally {
    await db.close();
  }
}

function writeProgress({ table, moved, total }: Rotation): void {
  writeLine(`${NAMES[table]}: ${moved} of ${total}`);
}

/** Counts the rows again: a node that still has an older key as its current one may have sealed rows during the rotation. */
async function reportRemaining(db: Database, keks: KeyEncryptionKeys): Promise<number> {
  let hasRemaining = false;
  for (const table of TABLES) {
    for (const [kekId, rows] of await countRowsUnderOtherKeks(db, keks, table)) {
      hasRemaining = true;
      const isKnown = keks.olderKeks?.some(({ id }) => id === kekId);
      const nextStep = isKnown
        ? "which a node still uses. Restart that node, then run rotate-keys again"
        : "which is not configured. Add the key to the OLDER_ settings";
      process.stderr.write(`${NAMES[table.name]}: ${rows} remain under ${kekId}, ${nextStep}\n`);
    }
  }
  if (!hasRemaining) writeLine("No rows remain under other keys. Older keys are no longer needed");
  return hasRemaining ? 1 : 0;
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
