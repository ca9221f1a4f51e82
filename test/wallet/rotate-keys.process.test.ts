// @module-tag postgresql
/** Exit codes and output of `npm run rotate-keys`. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/connection.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import { createDatabase } from "../support/postgresql.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { copyEmbeddedTemplate } from "../support/template.ts";
import { createFormerWallet } from "./former-rows.ts";
import { createSealedRows, loadKeks, newKey } from "./sealed-rows.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-rotate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Inserts a wallet with these keys when the first card is rotated, as a node that still uses the old key would. */
async function insertDuringRotation(db: Database, keys: Record<string, string>): Promise<void> {
  await db.prisma.wallet.create({ data: await createVault(await loadKeks(keys)).create("wal_late", null) });
  await db.executeSql(`CREATE SCHEMA elsewhere;
    CREATE TABLE elsewhere.late AS SELECT * FROM wallets WHERE id = 'wal_late';
    DELETE FROM wallets WHERE id = 'wal_late';
    CREATE FUNCTION elsewhere.store() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO wallets SELECT * FROM elsewhere.late ON CONFLICT DO NOTHING; RETURN NULL; END $$;
    CREATE TRIGGER meanwhile AFTER UPDATE ON payment_cards EXECUTE FUNCTION elsewhere.store();`);
}

it("npm run rotate-keys reports its progress, and fails while rows remain under another key", async () => {
  const [first, second] = [newKey(), newKey()];
  const server = postgresqlUrl === null ? null : await createDatabase(postgresqlUrl);
  const dataDir = join(folder, "data");
  if (!server) await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
  const db = await openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 2 });
  const expectAllOpen = await createSealedRows(db, 3, { KEY_ENCRYPTION_KEY: first });
  await db.close();

  const command = join(import.meta.dirname, "../../src/rotate-keys.ts");
  const run = (keys: Record<string, string>, ...options: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const { PATH, HOME } = process.env;
      const settings = { PATH, HOME, NODE_ENV: "test", DATA_DIR: dataDir, ...keys };
      const env = server ? { ...settings, DATABASE_URL: server.databaseUrl } : settings;
      const args = ["--disable-warning=ExperimentalWarning", command, ...options];
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  const malformed = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: "c2hvcnQ=" });
  expect([malformed.code, malformed.stderr]).toEqual([1, expect.stringContaining("OLDER_KEY_ENCRYPTION_KEYS")]);
  expect(malformed.stderr).not.toContain("c2hvcnQ=");
  const missing = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_FILES: join(folder, "none") });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("does not exist")]);
  const unknown = await run({ KEY_ENCRYPTION_KEY: second });
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringMatching(/Nothing was written\.\n {2}local:\w+: not configured\n/),
  ]);

  const done = await run({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: first });
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(done.stdout.split("\n").slice(1)).toEqual([
    "Wallets: 3 of 3",
    "Signing keys: 1 of 1",
    "Agents' keys: 1 of 1",
    "Webhooks: 1 of 1",
    "Cards: 1 of 1",
    "Delivery addresses: 1 of 1",
    "Wallets: 3 rewrapped",
    "Signing keys: 1 rewrapped",
    "Agents' keys: 1 rewrapped",
    "Webhooks: 1 rewrapped",
    "Cards: 1 rewrapped",
    "Delivery addresses: 1 rewrapped",
    "Exports of accounts: 0 rewrapped",
    "Mailboxes: 0 rewrapped",
    "No rows remain under other keys. Older keys are no longer needed",
    "",
  ]);
  for (const key of [first, second]) expect(done.stdout).not.toContain(key);
  const after = await openDatabase({ databaseUrl: server?.databaseUrl, dataDir, poolSize: 2 });
  await expectAllOpen(after, { KEY_ENCRYPTION_KEY: second });
  const former = await createFormerWallet(await loadKeks({ KEY_ENCRYPTION_KEY: second }), "wal_former", null);
  await after.prisma.wallet.create({ data: former });
  await insertDuringRotation(after, { KEY_ENCRYPTION_KEY: second });
  await after.close();

  const unbound = await run({ KEY_ENCRYPTION_KEY: second });
  expect([unbound.code, unbound.stderr]).toEqual([1, expect.stringMatching(/Wallets 1\..*\n.*-- --bind-accounts/)]);
  const bound = await run({ KEY_ENCRYPTION_KEY: second }, "--bind-accounts");
  expect([bound.code, bound.stderr]).toEqual([0, ""]);
  expect(bound.stdout).toContain("Wallets: 1 of 1 bound to their accounts\n");

  const both = { KEY_ENCRYPTION_KEY: newKey(), OLDER_KEY_ENCRYPTION_KEYS: second };
  const incomplete = await run(both);
  expect([incomplete.code, incomplete.stderr]).toEqual([
    1,
    expect.stringMatching(/^Wallets: 1 remain under local:\w+, .*again\n$/),
  ]);
  expect(incomplete.stdout).not.toContain("no longer needed");
  await server?.drop();
}, 300_000);
