/**
 * `npm run rotate-keys`: moves every wallet, signing key, agent's key and webhook from older key-encryption keys (the OLDER_ settings)
 * to the current one. Broken off, it goes on where it was; the service may run meanwhile, if its nodes know both keys.
 */

import { SEALED_HOLDER_KEYS } from "./agents/holder-key.ts";
import { SEALED_CARDS } from "./checkout/cards/card-vault.ts";
import { SEALED_ORDERS } from "./checkout/orders/delivery-address.ts";
import { SEALED_WEBHOOKS } from "./events/webhook-secrets.ts";
import { ConfigError, loadConfig, readEnvironment } from "./platform/config/load.ts";
import { createKeyEncryptionKeys } from "./platform/crypto/sealing/key-encryption.ts";
import { KmsError } from "./platform/crypto/sealing/key-encryption-kms.ts";
import { KeyFileError } from "./platform/crypto/sealing/key-encryption-local.ts";
import { type Rotation, rotateTable, rowsUnderOthers, type SealedTable } from "./platform/crypto/sealing/rotate.ts";
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
/** What a person can put right; anything else is a fault of the program, and shown whole. */
const EXPLAINED = [ConfigError, DataDirLockedError, KeyFileError, KmsError];

try {
  process.exitCode = await rotate();
} catch (error) {
  if (!EXPLAINED.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Answers the exit code: 0 once nothing is left under another key. */
async function rotate(): Promise<number> {
  const config = loadConfig(readEnvironment());
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  const keks = await createKeyEncryptionKeys(config);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 4 });
  try {
    await migrate(db);
    say(`Moving to the key-encryption key ${keks.kek.id}`);
    const rotations: Rotation[] = [];
    for (const table of TABLES) rotations.push(await rotateTable(db, keks, table, sayProgress));
    for (const { table, moved } of rotations) say(`${NAMES[table]}: ${moved} moved`);
    return await reportLeft(db, keks);
  } finally {
    await db.close();
  }
}

function sayProgress({ table, moved, total }: Rotation): void {
  say(`${NAMES[table]}: ${moved} of ${total}`);
}

/** Counted once all is moved: a node for which an older key is still the current one goes on sealing under it meanwhile. */
async function reportLeft(db: Database, keks: KeyEncryptionKeys): Promise<number> {
  let isAnyLeft = false;
  for (const table of TABLES) {
    for (const [kekId, rows] of await rowsUnderOthers(db, keks, table)) {
      isAnyLeft = true;
      const isKnown = keks.olderKeks?.some(({ id }) => id === kekId);
      const why = isKnown
        ? "under which some node still seals: restart it, and run this again"
        : "which is not configured";
      process.stderr.write(`${NAMES[table.name]}: ${rows} left under ${kekId}, ${why}\n`);
    }
  }
  if (!isAnyLeft) say("Nothing is left under another key: older keys are no longer needed");
  return isAnyLeft ? 1 : 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
