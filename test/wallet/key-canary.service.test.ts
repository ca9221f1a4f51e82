// @module-tag postgresql
/** The service starts only with keys that open its database. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openKeys } from "../../src/app/open-keys.ts";
import { SEALED_TABLES } from "../../src/app/sealed-tables.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import {
  claimKeys,
  KeyRefusedError,
  reportKeys,
  requireKeys,
  retireOtherKeys,
} from "../../src/platform/crypto/sealing/key-canary.ts";
import { kmsKek } from "../../src/platform/crypto/sealing/key-encryption-kms.ts";
import { KeyFileError } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startFakeKms } from "./fake-kms.ts";
import { createSealedRows, loadKeks, newKey } from "./sealed-rows.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
beforeEach(() => fresh.db.executeSql("TRUNCATE key_canaries, signing_keys, wallets, accounts CASCADE"));
afterAll(() => fresh.close());

const [first, second, third] = [newKey(), newKey(), newKey()];
const canaries = () => fresh.db.prisma.keyCanary.findMany({ orderBy: { createdAt: "asc" } });

async function claim(keys: Record<string, string>, options?: { discarded: string }): Promise<void> {
  const keks = await loadKeks(keys);
  await requireKeys(fresh.db, keks, SEALED_TABLES);
  await claimKeys(fresh.db, keks, SEALED_TABLES, options);
}

describe("a database with a canary", () => {
  beforeEach(() => claim({ KEY_ENCRYPTION_KEY: first }));

  it("accepts its key again and refuses another, with nothing written", async () => {
    const before = await canaries();
    await claim({ KEY_ENCRYPTION_KEY: first });
    const wrong = await loadKeks({ KEY_ENCRYPTION_KEY: second });
    await expect(requireKeys(fresh.db, wrong, SEALED_TABLES)).rejects.toThrow(KeyRefusedError);
    await expect(claimKeys(fresh.db, wrong, SEALED_TABLES)).rejects.toThrow(/local:\w+: not configured/);
    expect(await canaries()).toEqual(before);
  });

  it("accepts a new key beside the former one until the rotation has ended", async () => {
    const both = { KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: first };
    await claim(both);
    // A node that was not restarted yet, with the new key as an older one.
    await claim({ KEY_ENCRYPTION_KEY: first, OLDER_KEY_ENCRYPTION_KEYS: second });
    await expect(claim({ KEY_ENCRYPTION_KEY: second })).rejects.toThrow(KeyRefusedError);
    await expect(claim({ KEY_ENCRYPTION_KEY: first })).rejects.toThrow(KeyRefusedError);
    await retireOtherKeys(fresh.db, await loadKeks(both));
    await claim({ KEY_ENCRYPTION_KEY: second });
    await expect(claim({ KEY_ENCRYPTION_KEY: first })).rejects.toThrow(KeyRefusedError);
  });

  it("refuses a key that cannot open the canary despite its id", async () => {
    await fresh.db.prisma.keyCanary.updateMany({ data: { wrappedDataKey: randomBytes(61) } });
    await expect(claim({ KEY_ENCRYPTION_KEY: first })).rejects.toThrow(/local:\w+: does not open/);
  });

  it("starts without a lost key after it was discarded", async () => {
    await claim({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: first });
    const { kek } = await loadKeks({ KEY_ENCRYPTION_KEY: first });
    const keks = await loadKeks({ KEY_ENCRYPTION_KEY: second });
    await claimKeys(fresh.db, keks, SEALED_TABLES, { discarded: kek.id });
    await claim({ KEY_ENCRYPTION_KEY: second });
  });
});

describe("a database from before canaries", () => {
  it("is compared by its rows, and then has canaries of all keys in use", async () => {
    await createSealedRows(fresh.db, 2, { KEY_ENCRYPTION_KEY: first });
    await expect(claim({ KEY_ENCRYPTION_KEY: second })).rejects.toThrow(/not configured/);
    expect(await canaries()).toEqual([]);
    await claim({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: `${first},${third}` });
    const ids = await Promise.all(
      [second, first].map(async (key) => (await loadKeks({ KEY_ENCRYPTION_KEY: key })).kek.id),
    );
    expect((await canaries()).map(({ kekId }) => kekId).sort()).toEqual(ids.sort());
  });

  it("accepts its key although a row is damaged, and starts without a lost key after it was discarded", async () => {
    await createSealedRows(fresh.db, 1, { KEY_ENCRYPTION_KEY: first });
    await fresh.db.executeSql("UPDATE wallets SET wrapped_data_key = 'damaged'::bytea");
    await requireKeys(fresh.db, await loadKeks({ KEY_ENCRYPTION_KEY: first }), SEALED_TABLES);
    const { kek } = await loadKeks({ KEY_ENCRYPTION_KEY: first });
    const keks = await loadKeks({ KEY_ENCRYPTION_KEY: second });
    await claimKeys(fresh.db, keks, SEALED_TABLES, { discarded: kek.id });
    await claim({ KEY_ENCRYPTION_KEY: second });
  });
});

it("records one of two keys whose nodes start concurrently on an empty database", async () => {
  const all = await Promise.all([first, second, third].map((key) => loadKeks({ KEY_ENCRYPTION_KEY: key })));
  const outcomes = await Promise.allSettled(all.map((keks) => claimKeys(fresh.db, keks, SEALED_TABLES)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await canaries()).toHaveLength(1);
});

it("is compared also if a table does not exist yet", async () => {
  await fresh.db.executeSql("ALTER TABLE key_canaries RENAME TO hidden; ALTER TABLE signing_keys RENAME TO hidden_too");
  expect(await reportKeys(fresh.db, await loadKeks({ KEY_ENCRYPTION_KEY: first }), SEALED_TABLES)).toEqual([]);
  await fresh.db.executeSql("ALTER TABLE hidden RENAME TO key_canaries; ALTER TABLE hidden_too RENAME TO signing_keys");
});

it("refuses a KMS alias that now names another key", async () => {
  const kms = await startFakeKms(["alias/satchel"]);
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new KMSClient({ endpoint: kms.endpoint, region: "eu-west-1", credentials, maxAttempts: 1 });
  await claimKeys(fresh.db, { kek: kmsKek("alias/satchel", client) }, SEALED_TABLES);
  await requireKeys(fresh.db, { kek: kmsKek("alias/satchel", client) }, SEALED_TABLES);
  client.destroy();
  await kms.stop();
  const other = await startFakeKms(["alias/satchel"]);
  const otherClient = new KMSClient({ endpoint: other.endpoint, region: "eu-west-1", credentials, maxAttempts: 1 });
  const repointed = { kek: kmsKek("alias/satchel", otherClient) };
  await expect(requireKeys(fresh.db, repointed, SEALED_TABLES)).rejects.toThrow("kms:alias/satchel: does not open");
  otherClient.destroy();
  await other.stop();
});

it("refuses a sandbox on the database of a production service", async () => {
  const keks = await loadKeks({ KEY_ENCRYPTION_KEY: first });
  await claimKeys(fresh.db, keks, SEALED_TABLES, { isProduction: true });
  await claimKeys(fresh.db, keks, SEALED_TABLES);
  const config = (SANDBOX: string) => loadConfig({ NODE_ENV: "test", KEY_ENCRYPTION_KEY: first, SANDBOX });
  await expect(openKeys(config("1"), fresh.db)).rejects.toThrow(/production.*Nothing was written/);
  await openKeys(config("0"), fresh.db);
});

it.each([
  ["a rotation to a new key", { OLDER_KEY_ENCRYPTION_KEYS: first }],
  ["the former key was discarded", {}],
])("refuses a sandbox on that database after %s", async (_case, olderKeys) => {
  const former = await loadKeks({ KEY_ENCRYPTION_KEY: first });
  await claimKeys(fresh.db, former, SEALED_TABLES, { isProduction: true });
  const keks = await loadKeks({ KEY_ENCRYPTION_KEY: second, ...olderKeys });
  await claimKeys(
    fresh.db,
    keks,
    SEALED_TABLES,
    "OLDER_KEY_ENCRYPTION_KEYS" in olderKeys ? {} : { discarded: former.kek.id },
  );
  await retireOtherKeys(fresh.db, keks);
  const config = loadConfig({ NODE_ENV: "test", KEY_ENCRYPTION_KEY: second, SANDBOX: "1" });
  await expect(openKeys(config, fresh.db)).rejects.toThrow(/production.*Nothing was written/);
});

describe("the key file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "satchel-key-file-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const config = (settings: Record<string, string> = {}) =>
    loadConfig({ NODE_ENV: "test", DATA_DIR: join(folder, "data"), ...settings });

  it("is created for an empty database in development, and never beside sealed rows", async () => {
    const { kek } = await openKeys(config(), fresh.db);
    expect((await openKeys(config(), fresh.db)).kek.id).toBe(kek.id);
    await rm(join(folder, "data"), { recursive: true });
    await createSealedRows(fresh.db, 1, { KEY_ENCRYPTION_KEY: first });
    await expect(openKeys(config(), fresh.db)).rejects.toThrow(KeyFileError);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is never created for KEY_FILE or in production", async () => {
    const named = config({ KEY_FILE: join(folder, "mistyped") });
    await expect(openKeys(named, fresh.db)).rejects.toThrow(/does not exist\. No key was created.*keys -- create/);
    await expect(openKeys({ ...config(), NODE_ENV: "production" }, fresh.db)).rejects.toThrow(KeyFileError);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is refused with a weak key, unless it is an older key", async () => {
    const path = join(folder, "weak");
    await writeFile(path, Buffer.alloc(32), { mode: 0o600 });
    await expect(openKeys(config({ KEY_FILE: path }), fresh.db)).rejects.toThrow(
      /weak key: its bytes repeat\..*OLDER_/,
    );
    await openKeys(config({ KEY_ENCRYPTION_KEY: first, OLDER_KEY_FILES: path }), fresh.db);
  });
});
