// @module-tag postgresql
/** Satchel's own login identity tokens and their signing keys. */
import { randomBytes, randomUUID } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type LoginTokenDeps, signLoginToken, verifyLoginToken } from "../../src/accounts/login-token.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createSigningKeys } from "../../src/platform/crypto/signing-keys.ts";
import { createSite } from "../../src/platform/http/site.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const BASE_URL = "http://127.0.0.1:4000";
const DAY_MS = 86_400_000;
const kek = localKek(randomBytes(32), "test");
let fresh: TestDatabase;
let deps: LoginTokenDeps;
let accountId: string;

beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());
beforeEach(async () => {
  await fresh.db.prisma.signingKey.deleteMany();
  deps = createNode();
  accountId = randomUUID();
  await fresh.db.prisma.account.create({ data: { id: accountId, email: null } });
});

/** Creates the dependencies of another node of the service. */
function createNode(baseUrl = BASE_URL): LoginTokenDeps {
  const { db } = fresh;
  return { db, site: createSite(() => baseUrl, false), signingKeys: createSigningKeys({ db, kek }), upstream: null };
}
const sign = async (lifetimeSeconds = 300) => (await signLoginToken(deps, accountId, { lifetimeSeconds })).token;
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid ?? "";

describe("a login token", () => {
  it("contains issuer, subject and expiry, and verifies with the published keys", async () => {
    const token = await sign();
    const keys = createLocalJWKSet({ keys: await deps.signingKeys.published("login_token") });
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: BASE_URL, audience: "purchase-token" });
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "login+jwt" });
    expect(payload).toMatchObject({ sub: `did:web:127.0.0.1%3A4000:users:${accountId}`, jti: expect.any(String) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(await verifyLoginToken(deps, token)).toBe(accountId);
    expect(await verifyLoginToken(createNode(), token)).toBe(accountId);
  });

  it("is rejected after its expiry, by another service, and for an unknown account", async () => {
    expect(await verifyLoginToken(deps, await sign(-1))).toBeNull();
    expect(await verifyLoginToken(createNode("https://satchel.example"), await sign())).toBeNull();
    accountId = randomUUID();
    expect(await verifyLoginToken(deps, await sign())).toBeNull();
  });

  it.each<[string, object, object]>([
    ["another audience", { aud: "other" }, {}],
    ["another type of token", {}, { typ: "at+jwt" }],
    ["a subject of another service", { sub: "did:web:evil.example:users:00000000-0000-0000-0000-000000000000" }, {}],
    ["no expiry", { exp: undefined }, {}],
    ["no id", { jti: undefined }, {}],
    ["an unknown key", {}, { kid: "unknown" }],
    ["no key", {}, { kid: undefined }],
  ])("is rejected with %s", async (_case, claims, header) => {
    const { kid, privateKey } = await deps.signingKeys.current("login_token");
    const now = Math.floor(Date.now() / 1000);
    const sub = `did:web:127.0.0.1%3A4000:users:${accountId}`;
    const good = { iss: BASE_URL, aud: "purchase-token", sub, iat: now, exp: now + 60, jti: "1" };
    const make = (extraClaims: object, extraHeader: object) =>
      new SignJWT(JSON.parse(JSON.stringify({ ...good, ...extraClaims })))
        .setProtectedHeader({ alg: "ES256", typ: "login+jwt", kid, ...extraHeader })
        .sign(privateKey);
    expect(await verifyLoginToken(deps, await make({}, {}))).toBe(accountId);
    expect(await verifyLoginToken(deps, await make(claims, header))).toBeNull();
  });
});

describe("signing keys", () => {
  it("of nodes that start concurrently are all published, and the nodes then agree on one", async () => {
    const nodes = Array.from({ length: 8 }, () => createSigningKeys({ db: fresh.db, kek }));
    const signing = await Promise.all(nodes.map((keys) => keys.current("login_token")));
    const published = (await deps.signingKeys.published("login_token")).map(({ kid }) => kid);
    for (const { kid } of signing) expect(published).toContain(kid);
    const later = await Promise.all(
      [createNode(), createNode()].map(({ signingKeys }) => signingKeys.current("login_token")),
    );
    expect(new Set(later.map(({ kid }) => kid)).size).toBe(1);
  });

  it("are replaced after 90 days and remain published for another week", async () => {
    const token = await sign();
    const old = kidOf(token);
    const createdDaysAgo = (daysAgo: number) => ({ createdAt: new Date(Date.now() - daysAgo * DAY_MS) });
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: createdDaysAgo(89) });
    deps = createNode();
    expect(kidOf(await sign())).toBe(old);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: createdDaysAgo(91) });
    deps = createNode();
    const next = kidOf(await sign());
    expect(next).not.toBe(old);
    expect((await deps.signingKeys.published("login_token")).map(({ kid }) => kid)).toEqual([next, old]);
    expect(await verifyLoginToken(deps, token)).toBe(accountId);
    const retiredAt = new Date(Date.now() - 8 * DAY_MS);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: { retiredAt } });
    expect((await deps.signingKeys.published("login_token")).map(({ kid }) => kid)).toEqual([next]);
    expect(await verifyLoginToken(createNode(), token)).toBeNull();
  });

  it("are published one day before their first use", async () => {
    const old = kidOf(await sign());
    const createdDaysAgo = (daysAgo: number) => ({ createdAt: new Date(Date.now() - daysAgo * DAY_MS) });
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: createdDaysAgo(88.9) });
    deps = createNode();
    expect(kidOf(await sign())).toBe(old);
    expect(await deps.signingKeys.published("login_token")).toHaveLength(1);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: createdDaysAgo(89.1) });
    for (deps of [createNode(), createNode()]) expect(kidOf(await sign())).toBe(old);
    const published = (await deps.signingKeys.published("login_token")).map(({ kid }) => kid);
    expect(published).toEqual([expect.any(String), old]);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: createdDaysAgo(90.1) });
    deps = createNode();
    expect(kidOf(await sign())).toBe(published[0]);
  });

  it("are separate for each purpose, and those of credentials are published longer than credentials are valid", async () => {
    await sign();
    const { kid } = await deps.signingKeys.current("credential");
    expect((await deps.signingKeys.published("login_token")).map((key) => key.kid)).not.toContain(kid);
    expect(await deps.signingKeys.publicKey("login_token", kid)).toBeNull();
    const isPublished = async (retiredDaysAgo: number) => {
      const retiredAt = new Date(Date.now() - retiredDaysAgo * DAY_MS);
      await fresh.db.prisma.signingKey.update({ where: { id: kid }, data: { retiredAt } });
      return (await deps.signingKeys.published("credential")).length === 1;
    };
    expect([await isPublished(31), await isPublished(41)]).toEqual([true, false]);
  });

  it("are stored sealed and published without private parts", async () => {
    await sign();
    const row = await fresh.db.prisma.signingKey.findFirstOrThrow();
    const { privateKey } = await deps.signingKeys.current("login_token");
    const { d } = privateKey.export({ format: "jwk" });
    expect(Buffer.from(row.sealedKey).includes(Buffer.from(d ?? "", "base64url"))).toBe(false);
    for (const key of await deps.signingKeys.published("login_token")) expect(Object.keys(key)).not.toContain("d");
    const other = createSigningKeys({ db: fresh.db, kek: localKek(randomBytes(32), "test") });
    await expect(other.current("login_token")).rejects.toThrow(/not created with this key/);
    // A failure is not cached.
    const find = vi.spyOn(fresh.db.prisma.signingKey, "findFirst").mockRejectedValueOnce(new Error("away"));
    const again = createNode();
    await expect(again.signingKeys.current("login_token")).rejects.toThrow("away");
    find.mockRestore();
    expect(await again.signingKeys.current("login_token")).toMatchObject({ kid: row.id });
  });
});
