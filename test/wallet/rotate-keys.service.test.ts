// @module-tag postgresql
/** Rotation of sealed rows to another key-encryption key: complete, without loss, and resumable after an interruption. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SEALED_HOLDER_KEYS } from "../../src/agents/holder-key.ts";
import { SEALED_CARDS } from "../../src/checkout/cards/card-vault.ts";
import { SEALED_ORDERS } from "../../src/checkout/orders/delivery-address.ts";
import { SEALED_WEBHOOKS } from "../../src/events/webhook-secrets.ts";
import { countRowsUnderOtherKeks, type Rotation, rotateTable } from "../../src/platform/crypto/sealing/rotate.ts";
import type { KeyEncryptionKey } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import { UnknownKekError } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import { SEALED_SIGNING_KEYS } from "../../src/platform/crypto/signing-keys.ts";
import { SEALED_WALLETS } from "../../src/wallet/sealed-vault.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createSealedRows, loadKeks, newKey } from "./sealed-rows.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-rotate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a key rotation", () => {
  const WALLETS = 230;
  const [first, second] = [newKey(), newKey()];
  let fresh: TestDatabase;
  let expectAllOpen: Awaited<ReturnType<typeof createSealedRows>>;
  beforeAll(async () => {
    fresh = await createTestDatabase();
    expectAllOpen = await createSealedRows(fresh.db, WALLETS, { KEY_ENCRYPTION_KEY: first });
  });
  afterAll(() => fresh.close());

  async function rotate(keys: Record<string, string>, { limit = Number.POSITIVE_INFINITY } = {}) {
    const keks = await loadKeks(keys);
    let wrapCount = 0;
    const failing: KeyEncryptionKey = {
      ...keks.kek,
      async wrap(dataKey, context) {
        if (wrapCount++ >= limit) throw new Error("Power failure");
        return await keks.kek.wrap(dataKey, context);
      },
    };
    const steps: number[] = [];
    const onProgress = ({ moved }: Rotation) => void steps.push(moved);
    const rotation = await rotateTable(fresh.db, { ...keks, kek: failing }, SEALED_WALLETS, onProgress);
    const others = [SEALED_SIGNING_KEYS, SEALED_HOLDER_KEYS, SEALED_WEBHOOKS, SEALED_CARDS, SEALED_ORDERS].map(
      (table) => rotateTable(fresh.db, keks, table, () => {}),
    );
    const remaining = await countRowsUnderOtherKeks(fresh.db, keks, SEALED_WALLETS);
    return { ...rotation, steps, remaining, others: await Promise.all(others) };
  }

  it("does not change rows that no key opens, and reports their key", async () => {
    const { kek } = await loadKeks({ KEY_ENCRYPTION_KEY: first });
    const { moved, remaining } = await rotate({ KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: newKey() });
    expect([moved, [...remaining]]).toEqual([0, [[kek.id, WALLETS]]]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first });
  });

  it("resumes after an interruption, while nodes with both keys open every row", async () => {
    const both = { KEY_ENCRYPTION_KEY: second, OLDER_KEY_ENCRYPTION_KEYS: `${newKey()}, ${first}` };
    await expect(rotate(both, { limit: 145 })).rejects.toThrow("Power failure");
    await expectAllOpen(fresh.db, both);
    await expect(expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: second })).rejects.toThrow(UnknownKekError);
    const { total, moved, steps, remaining, others } = await rotate(both);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(WALLETS);
    expect([moved, steps.at(-1), remaining.size]).toEqual([total, total, 0]);
    expect(others.map((other) => other.moved)).toEqual([1, 1, 1, 1, 1]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: second });
    await expect(expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first })).rejects.toThrow(UnknownKekError);
  });

  it("rotates to a key file and back, with concurrent and repeated runs", async () => {
    const path = join(folder, "kek");
    await writeFile(path, randomBytes(32), { mode: 0o600 });
    const toFile = { KEY_FILE: path, OLDER_KEY_ENCRYPTION_KEYS: second };
    await Promise.all([rotate(toFile), rotate(toFile)]);
    await expectAllOpen(fresh.db, { KEY_FILE: path });
    expect(await rotate(toFile)).toMatchObject({ total: 0, moved: 0, steps: [] });
    expect((await rotate({ KEY_ENCRYPTION_KEY: first, OLDER_KEY_FILES: path })).steps).toEqual([100, 200, WALLETS]);
    await expectAllOpen(fresh.db, { KEY_ENCRYPTION_KEY: first });
  });
});
