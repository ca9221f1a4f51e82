import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KmsError, kmsKek } from "../../src/platform/crypto/sealing/key-encryption-kms.ts";
import {
  ensureKeyFileKek,
  KeyFileError,
  keyFileKek,
  localKek,
} from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { SealBrokenError } from "../../src/platform/crypto/sealing/sealed-box.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import { startFakeKms } from "./fake-kms.ts";

const digest = randomBytes(32);
const ACCOUNT = "0b9c1a6e-3d4f-4f0a-9b5e-2f1d7c8a6b30";

describe("a key file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "satchel-key-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is created once by concurrent processes, readable only by its owner, without temporary files", async () => {
    const path = join(folder, "new", "kek");
    const keks = await Promise.all(Array.from({ length: 8 }, () => ensureKeyFileKek(path)));
    expect(new Set(keks.map(({ id }) => id)).size).toBe(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "new"))).toEqual(["kek"]);
    const wallet = await createVault({ kek: keks[0] as (typeof keks)[number] }).create("wal_1", null);
    const restarted = createVault({ kek: await keyFileKek(path) });
    expect(await restarted.signDigest(wallet, digest)).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it("is rejected if other users can access it", async () => {
    const path = join(folder, "open");
    await writeFile(path, randomBytes(32));
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(path, mode);
      await expect(keyFileKek(path)).rejects.toThrow(KeyFileError);
    }
    await chmod(path, 0o400);
    await expect(keyFileKek(path)).resolves.toBeDefined();
  });

  it("is rejected and not replaced if it has the wrong size", async () => {
    const path = join(folder, "short");
    await writeFile(path, "too short", { mode: 0o600 });
    await expect(keyFileKek(path)).rejects.toThrow(KeyFileError);
    expect(await readFile(path, "utf8")).toBe("too short");
  });

  it("has a different id for a different key", async () => {
    const [one, two] = [await ensureKeyFileKek(join(folder, "one")), await ensureKeyFileKek(join(folder, "two"))];
    expect(one.id).not.toBe(two.id);
  });
});

it("rejects a local key that does not have 32 bytes", () => {
  expect(() => localKek(randomBytes(16), "local:1")).toThrow(RangeError);
});

describe("AWS KMS", () => {
  let kms: Awaited<ReturnType<typeof startFakeKms>>;
  let client: KMSClient;
  beforeAll(async () => {
    kms = await startFakeKms(["alias/satchel", "alias/other"]);
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    client = new KMSClient({ endpoint: kms.endpoint, region: "eu-west-1", credentials, maxAttempts: 1 });
  });
  afterAll(async () => {
    client.destroy();
    await kms.stop();
  });

  it("wraps and unwraps with the wallet's id and account as context, once for many signatures", async () => {
    const vault = createVault({ kek: kmsKek("alias/satchel", client) });
    const wallet = await vault.create("wal_kms", ACCOUNT);
    expect(wallet.kekId).toBe("kms:alias/satchel");
    await Promise.all(Array.from({ length: 10 }, () => vault.signDigest(wallet, digest)));
    expect(kms.calls).toEqual([
      { action: "Encrypt", context: { wallet: `wallet:wal_kms:${ACCOUNT}` } },
      { action: "Decrypt", context: { wallet: `wallet:wal_kms:${ACCOUNT}` } },
    ]);
  });

  it("fails for another wallet's data key, another key and an unknown key", async () => {
    const kek = kmsKek("alias/satchel", client);
    const wrapped = await kek.wrap(randomBytes(32), "wal_1");
    await expect(kek.unwrap(wrapped, "wal_2")).rejects.toThrow(SealBrokenError);
    await expect(kmsKek("alias/other", client).unwrap(wrapped, "wal_1")).rejects.toThrow(SealBrokenError);
    await expect(kmsKek("alias/none", client).wrap(randomBytes(32), "wal_1")).rejects.toThrow(/NotFoundException/);
  });

  it("fails without exposing credentials if the service is unreachable", async () => {
    const unreachable = new KMSClient({
      endpoint: "http://127.0.0.1:1",
      region: "eu-west-1",
      maxAttempts: 1,
      credentials: { accessKeyId: "test", secretAccessKey: "hush" },
    });
    const error = await kmsKek("alias/satchel", unreachable)
      .wrap(randomBytes(32), "wal_1")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KmsError);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("hush");
    unreachable.destroy();
  });
});
