/**
 * `npm run keys -- create [--stdout]`: creates a key-encryption key in KEY_FILE, or prints one for KEY_ENCRYPTION_KEY.
 * `npm run keys -- check`: compares the configured keys with those that the database was sealed with.
 * `npm run keys -- list`: lists the keys that sign tokens, credentials and evidence.
 * `npm run keys -- retire <kid> [--compromised]`: replaces one of them before its rotation.
 * `npm run keys -- discard <key id>`: gives up a lost key. What was sealed under it stays unusable.
 */
import { randomBytes } from "node:crypto";
import { SEALED_TABLES } from "./app/sealed-tables.ts";
import { parseEnvironment, readConfig, readEnvironment } from "./platform/config/load.ts";
import { configSchema } from "./platform/config/schema.ts";
import { claimKeys, reportKeys } from "./platform/crypto/sealing/key-canary.ts";
import { createKeyEncryptionKeys, keyFilePath } from "./platform/crypto/sealing/key-encryption.ts";
import { createNewKeyFile } from "./platform/crypto/sealing/key-encryption-local.ts";
import type { KeyEncryptionKeys } from "./platform/crypto/sealing/wrapped-key.ts";
import { retireSigningKey } from "./platform/crypto/signing-keys.ts";
import { type Database, openDatabase } from "./platform/database/connection.ts";
import { migrate } from "./platform/database/migrate.ts";
import { OperatorError } from "./platform/operator-error.ts";
import { runCommand } from "./platform/run-command.ts";

const USAGE =
  "Usage: npm run keys -- create [--stdout] | check | list | retire <kid> [--compromised] | discard <key id>";
const OPTIONS: readonly string[] = ["--stdout", "--compromised"];

await runCommand(async () => {
  const { options, positionals } = readArguments(process.argv.slice(2));
  const [command, keyId] = positionals;
  if (command === "check" && !keyId) return await withKeys(check);
  if (command === "create" && !keyId) await create({ toStdout: options.has("--stdout") });
  else if (command === "list" && !keyId) await withKeys(list);
  else if (command === "retire" && keyId) {
    await withKeys((db) => retire(db, keyId, { isCompromised: options.has("--compromised") }));
  } else if (command === "discard" && keyId) await withKeys((db, keks) => discard(db, keks, keyId));
  else throw new OperatorError(USAGE);
  return 0;
});

/** A key id is base64url, so it may begin with `-` as an option does. @throws {OperatorError} too many arguments */
function readArguments(args: readonly string[]) {
  const options = new Set(args.filter((argument) => OPTIONS.includes(argument)));
  const positionals = args.filter((argument) => argument !== "--" && !options.has(argument));
  if (positionals.length > 2) throw new OperatorError(USAGE);
  return { options, positionals };
}

/** Needs no other settings, because the key is created before the rest is configured. */
async function create({ toStdout }: { readonly toStdout: boolean }): Promise<void> {
  if (toStdout) return writeLine(randomBytes(32).toString("base64"));
  const path = keyFilePath(parseEnvironment(configSchema.pick({ KEY_FILE: true, DATA_DIR: true }), readEnvironment()));
  const { id } = await createNewKeyFile(path);
  writeLine(`Created the key ${id} in ${path}`);
  writeLine("Store a copy apart from the database and its backups. Without it, everything sealed is lost");
}

/** Returns the exit code: 0 if the configured keys open everything. */
async function check(db: Database, keks: KeyEncryptionKeys): Promise<number> {
  const reports = await reportKeys(db, keks, SEALED_TABLES);
  for (const { kekId, state } of reports) writeLine(`${kekId}: ${state}${kekId === keks.kek.id ? " (current)" : ""}`);
  if (reports.length === 0) writeLine(`The database has no keys yet. The current key is ${keks.kek.id}`);
  return reports.every(({ state }) => state === "opens") ? 0 : 1;
}

/** @throws {KeyRefusedError} another key does not open either */
async function discard(db: Database, keks: KeyEncryptionKeys, kekId: string): Promise<void> {
  const known = [keks.kek, ...(keks.olderKeks ?? [])].some(({ id }) => id === kekId);
  if (known) throw new OperatorError(`The key ${kekId} is configured. Remove it from the settings first.`);
  await migrate(db);
  const isUsed = (await reportKeys(db, keks, SEALED_TABLES)).some((report) => report.kekId === kekId);
  if (!isUsed) throw new OperatorError(`Nothing was sealed under a key ${kekId}. Nothing was changed.`);
  await claimKeys(db, keks, SEALED_TABLES, { discarded: kekId });
  writeLine(`Discarded ${kekId}. What was sealed under it is unusable until the key is an older key again`);
}

/** Prints each signing key that is in use or published. */
async function list(db: Database): Promise<void> {
  await migrate(db);
  const rows = await db.prisma.signingKey.findMany({ orderBy: [{ purpose: "asc" }, { createdAt: "asc" }] });
  for (const { id, purpose, createdAt, retiredAt, revokedAt } of rows) {
    const state = revokedAt ? "revoked" : retiredAt ? `retired ${retiredAt.toISOString()}` : "in use";
    writeLine(`${id}: ${purpose}, created ${createdAt.toISOString()}, ${state}`);
  }
}

/** @throws {OperatorError} there is no such key */
async function retire(db: Database, kid: string, options: { readonly isCompromised: boolean }): Promise<void> {
  await migrate(db);
  const retired = await retireSigningKey(db, kid, options);
  if (!retired) throw new OperatorError(`There is no signing key ${kid}. Nothing was changed.`);
  writeLine(`Retired ${kid} (${retired.purpose}). Running nodes use another key within a minute`);
  writeLine(
    retired.isRevoked
      ? "It is no longer published: nothing that it signed is valid"
      : "It stays published for what it signed",
  );
}

async function withKeys<Result>(use: (db: Database, keks: KeyEncryptionKeys) => Promise<Result>): Promise<Result> {
  const config = readConfig({ isCommand: true });
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  const keks = await createKeyEncryptionKeys(config, { mayCreate: false });
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 2 });
  try {
    return await use(db, keks);
  } finally {
    await db.close();
  }
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
