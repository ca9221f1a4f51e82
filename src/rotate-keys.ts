/**
 * `npm run rotate-keys`: moves every wallet, signing key, agent's key and webhook from older key-encryption keys (the OLDER_ settings)
 * to the current one. Broken off, it goes on where it was; the service may run meanwhile, if its nodes know both keys.
 */

import { SEALED_HOLDER_KEYS } from "./agents/holder-key.ts";
import { SEALED_CARDS } from "./checkout/cards/card-vault.ts";
import { SEALED_ORDERS } from "./checkout/orders/delivery-address.ts";
import { SEALED_WEBHOOKS } from "./events/webhook-secrets.ts";
import { ConfigError, loadConfig } from "./platform/config.ts";
import { openDatabase } from "./platform/database.ts";
import { readEnvironment } from "./platform/environment.ts";
import { FolderLockedError } from "./platform/folder-lock.ts";
import { migrate } from "./platform/migrate.ts";
import { createKeyEncryptionKeys } from "./platform/sealing/key-encryption.ts";
import { KmsError } from "./platform/sealing/key-encryption-kms.ts";
import { KeyFileError } from "./platform/sealing/key-encryption-local.ts";
import { type Rotation, rotateTable, type SealedTable } from "./platform/sealing/rotate.ts";
import { SEALED_SIGNING_KEYS } from "./platform/signing-keys.ts";
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
const EXPLAINED = [ConfigError, FolderLockedError, KeyFileError, KmsError];

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
    return report(rotations);
  } finally {
    await db.close();
  }
}

function sayProgress({ table, moved, total }: Rotation): void {
  say(`${NAMES[table]}: ${moved} of ${total}`);
}

function report(rotations: readonly Rotation[]): number {
  for (const { table, moved } of rotations) say(`${NAMES[table]}: ${moved} moved`);
  const left = rotations.flatMap((rotation) =>
    [...rotation.left].map(([kekId, rows]) => ({ ...rotation, kekId, rows })),
  );
  for (const { table, kekId, rows } of left) {
    process.stderr.write(`${NAMES[table]}: ${rows} left under ${kekId}, which is not configured\n`);
  }
  if (left.length === 0) say("Nothing is left under another key: older keys are no longer needed");
  return left.length === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
