// @module-tag postgresql
/** Early retirement of signing keys, on several nodes. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createSigningKeys, retireSigningKey } from "../../../src/platform/crypto/signing-keys.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let fresh: TestDatabase;
const kek = localKek(randomBytes(32), "local:test");
/** A node without cached keys. */
const startNode = () => createSigningKeys({ db: fresh.db, kek });
const listPublished = async () => (await startNode().published("credential")).map(({ kid }) => kid);

beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

it("a retired key no longer signs, and stays published for what it signed", async () => {
  const { kid } = await startNode().current("credential");
  expect(await retireSigningKey(fresh.db, kid, { isCompromised: false })).toEqual({
    ...{ purpose: "credential", isRevoked: false },
  });
  const next = await startNode().current("credential");
  expect(next.kid).not.toBe(kid);
  expect((await listPublished()).sort()).toEqual([kid, next.kid].sort());
  expect(await startNode().publicKey("credential", kid)).not.toBeNull();
});

it("a compromised key is neither published nor accepted, also if it was retired before", async () => {
  const { kid } = await startNode().current("credential");
  await retireSigningKey(fresh.db, kid, { isCompromised: false });
  await retireSigningKey(fresh.db, kid, { isCompromised: true });
  expect(await retireSigningKey(fresh.db, kid, { isCompromised: false })).toMatchObject({ isRevoked: true });
  expect(await listPublished()).not.toContain(kid);
  expect(await startNode().publicKey("credential", kid)).toBeNull();
  expect((await startNode().current("credential")).kid).not.toBe(kid);
});

it("an unknown key changes nothing", async () => {
  const { kid } = await startNode().current("credential");
  expect(await retireSigningKey(fresh.db, "unknown", { isCompromised: true })).toBeNull();
  expect((await startNode().current("credential")).kid).toBe(kid);
});
