/** `npm run keys`, and a start with a key that does not open the database. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openKeys } from "../../src/app/open-keys.ts";
import { SEALED_TABLES } from "../../src/app/sealed-tables.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { claimKeys } from "../../src/platform/crypto/sealing/key-canary.ts";
import { createSigningKeys } from "../../src/platform/crypto/signing-keys.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import { runSatchelProcess } from "../support/satchel-process.ts";
import { copyEmbeddedTemplate } from "../support/template.ts";
import { newKey } from "../wallet/sealed-rows.ts";

const COMMAND = join(import.meta.dirname, "../../src/keys.ts");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-keys-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const keys = (settings: Record<string, string>, ...options: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, NODE_ENV: "test", ...settings };
    execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", COMMAND, ...options],
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

it("creates a key once, and the service refuses to start with another key or none", async () => {
  const dataDir = join(folder, "data");
  const KEY_FILE = join(folder, "keys/kek");
  const env = { DATA_DIR: dataDir, KEY_FILE };
  await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);

  const missing = await runSatchelProcess({ ...env, SANDBOX: "0" });
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^The key file .* does not exist\. .*keys -- create.*$/m),
  ]);
  expect(await readdir(folder)).toEqual(["data"]);

  const created = await keys(env, "create");
  expect([created.code, created.stdout]).toEqual([0, expect.stringContaining(KEY_FILE)]);
  expect([(await stat(KEY_FILE)).mode & 0o777, (await stat(KEY_FILE)).size]).toEqual([0o600, 32]);
  const key = await readFile(KEY_FILE);
  const again = await keys(env, "create");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("was not changed")]);
  expect(await readFile(KEY_FILE)).toEqual(key);

  const config = loadConfig({ NODE_ENV: "test", ...env });
  const db = await openDatabase({ dataDir });
  const keks = await openKeys(config, db);
  await claimKeys(db, keks, SEALED_TABLES);
  const { kid } = await createSigningKeys({ db, ...keks }).current("login_token");
  await db.close();

  const wrong = await runSatchelProcess({ DATA_DIR: dataDir, KEY_ENCRYPTION_KEY: newKey(), SANDBOX: "0" });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(`${keks.kek.id}: not configured`)]);
  expect(wrong.stderr).not.toContain("    at ");
  const checks = [await keys(env, "check"), await keys({ DATA_DIR: dataDir, KEY_ENCRYPTION_KEY: newKey() }, "check")];
  expect(checks.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, `${keks.kek.id}: opens (current)\n`],
    [1, `${keks.kek.id}: not configured\n`],
  ]);
  const retired = await keys(env, "retire", kid, "--compromised");
  expect([retired.code, retired.stdout]).toEqual([0, expect.stringContaining(`Retired ${kid} (login_token)`)]);
  expect((await keys(env, "list")).stdout).toMatch(new RegExp(`^${kid}: login_token, created .*, revoked$`, "m"));
  // An id may begin with a hyphen, as an option does.
  const unknown = await keys(env, "retire", "-unknown");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("There is no signing key -unknown")]);
  const foreign = await keys(env, "discard", "local:unknown");
  expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("Nothing was sealed under a key")]);
  const used = await keys(env, "discard", keks.kek.id);
  expect([used.code, used.stderr]).toEqual([1, expect.stringContaining("is configured")]);
});

it("prints a key that the settings accept", async () => {
  const { stdout } = await keys({}, "create", "--stdout");
  expect(loadConfig({ NODE_ENV: "test", KEY_ENCRYPTION_KEY: stdout.trim() }).KEY_ENCRYPTION_KEY).toBe(stdout.trim());
});
