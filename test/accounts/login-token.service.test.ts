// @module-tag postgresql
/** The dashboard's own login identity tokens, and the keys behind them, as others see them. */
import { randomBytes, randomUUID } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type LoginTokenDeps, signLoginToken, verifyLoginToken } from "../../src/accounts/login-token.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createSigningKeys } from "../../src/platform/crypto/signing-keys.ts";
import { createSite } from "../../src/platform/http/site.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

const BASE_URL = "http://127.0.0.1:4000";
const DAY_MS = 86_400_000;
const kek = localKek(randomBytes(32), "test");
let fresh: FreshDatabase;
let deps: LoginTokenDeps;
let accountId: string;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());
beforeEach(async () => {
  await fresh.db.prisma.signingKey.deleteMany();
  deps = node();
  accountId = randomUUID();
  await fresh.db.prisma.account.create({ data: { id: accountId, email: null } });
});

/** What one more node of the service would have. */
function node(baseUrl = BASE_URL): LoginTokenDeps {
  const { db } = fresh;
  return { db, site: createSite(() => baseUrl, false), signingKeys: createSigningKeys({ db, kek }), upstream: null };
}
const sign = async (lifetimeSeconds = 300) => (await signLoginToken(deps, accountId, { lifetimeSeconds })).token;
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid ?? "";

describe("a login token", () => {
  it("names this service, the account and its end, and is checked with the published keys", async () => {
    const token = await sign();
    const keys = createLocalJWKSet({ keys: await deps.signingKeys.published("login_token") });
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: BASE_URL, audience: "purchase-token" });
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "login+jwt" });
    expect(payload).toMatchObject({ sub: `did:web:127.0.0.1%3A4000:users:${accountId}`, jti: expect.any(String) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(await verifyLoginToken(deps, token)).toBe(accountId);
    expect(await verifyLoginToken(node(), token)).toBe(accountId);
  });

  it("stands for nobody once it has ended, at another service, or for an account that is not there", async () => {
    expect(await verifyLoginToken(deps, await sign(-1))).toBeNull();
    expect(await verifyLoginToken(node("https://satchel.example"), await sign())).toBeNull();
    accountId = randomUUID();
    expect(await verifyLoginToken(deps, await sign())).toBeNull();
  });

  it.each<[string, object, object]>([
    ["another audience", { aud: "other" }, {}],
    ["another type of token", {}, { typ: "at+jwt" }],
    ["a subject of another service", { sub: "did:web:evil.example:users:00000000-0000-0000-0000-000000000000" }, {}],
    ["no end", { exp: undefined }, {}],
    ["no id", { jti: undefined }, {}],
    ["an unknown key", {}, { kid: "unknown" }],
    ["no key", {}, { kid: undefined }],
  ])("stands for nobody with %s", async (_which, claims, header) => {
    const { kid, privateKey } = await deps.signingKeys.current("login_token");
    const now = Math.floor(Date.now() / 1000);
    const sub = `did:web:127.0.0.1%3A4000:users:${accountId}`;
    const good = { iss: BASE_URL, aud: "purchase-token", sub, iat: now, exp: now + 60, jti: "1" };
    const make = (own: object, heading: object) =>
      new SignJWT(JSON.parse(JSON.stringify({ ...good, ...own })))
        .setProtectedHeader({ alg: "ES256", typ: "login+jwt", kid, ...heading })
        .sign(privateKey);
    expect(await verifyLoginToken(deps, await make({}, {}))).toBe(accountId);
    expect(await verifyLoginToken(deps, await make(claims, header))).toBeNull();
  });
});

describe("signing keys", () => {
  it("are one for nodes that start together, or all published until they agree", async () => {
    const nodes = Array.from({ length: 8 }, () => createSigningKeys({ db: fresh.db, kek }));
    const signing = await Promise.all(nodes.map((keys) => keys.current("login_token")));
    const published = (await deps.signingKeys.published("login_token")).map(({ kid }) => kid);
    for (const { kid } of signing) expect(published).toContain(kid);
    const later = await Promise.all([node(), node()].map(({ signingKeys }) => signingKeys.current("login_token")));
    expect(new Set(later.map(({ kid }) => kid)).size).toBe(1);
  });

  it("are followed by new ones after ninety days, and published for a week more", async () => {
    const token = await sign();
    const old = kidOf(token);
    const made = (daysAgo: number) => ({ createdAt: new Date(Date.now() - daysAgo * DAY_MS) });
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: made(89) });
    deps = node();
    expect(kidOf(await sign())).toBe(old);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: made(91) });
    deps = node();
    const next = kidOf(await sign());
    expect(next).not.toBe(old);
    expect((await deps.signingKeys.published("login_token")).map(({ kid }) => kid)).toEqual([next, old]);
    expect(await verifyLoginToken(deps, token)).toBe(accountId);
    const retiredAt = new Date(Date.now() - 8 * DAY_MS);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: { retiredAt } });
    expect((await deps.signingKeys.published("login_token")).map(({ kid }) => kid)).toEqual([next]);
    expect(await verifyLoginToken(node(), token)).toBeNull();
  });

  it("are published a day before they sign", async () => {
    const old = kidOf(await sign());
    const made = (daysAgo: number) => ({ createdAt: new Date(Date.now() - daysAgo * DAY_MS) });
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: made(88.9) });
    deps = node();
    expect(kidOf(await sign())).toBe(old);
    expect(await deps.signingKeys.published("login_token")).toHaveLength(1);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: made(89.1) });
    for (deps of [node(), node()]) expect(kidOf(await sign())).toBe(old);
    const published = (await deps.signingKeys.published("login_token")).map(({ kid }) => kid);
    expect(published).toEqual([expect.any(String), old]);
    await fresh.db.prisma.signingKey.update({ where: { id: old }, data: made(90.1) });
    deps = node();
    expect(kidOf(await sign())).toBe(published[0]);
  });

  it("are apart for each purpose, and those of credentials published for longer than credentials live", async () => {
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

  it("lie sealed in the database, and are published without their secrets", async () => {
    await sign();
    const row = await fresh.db.prisma.signingKey.findFirstOrThrow();
    const { privateKey } = await deps.signingKeys.current("login_token");
    const { d } = privateKey.export({ format: "jwk" });
    expect(Buffer.from(row.sealedKey).includes(Buffer.from(d ?? "", "base64url"))).toBe(false);
    for (const key of await deps.signingKeys.published("login_token")) expect(Object.keys(key)).not.toContain("d");
    const other = createSigningKeys({ db: fresh.db, kek: localKek(randomBytes(32), "test") });
    await expect(other.current("login_token")).rejects.toThrow(/not created with this key/);
    // A failure is not remembered.
    const find = vi.spyOn(fresh.db.prisma.signingKey, "findFirst").mockRejectedValueOnce(new Error("away"));
    const again = node();
    await expect(again.signingKeys.current("login_token")).rejects.toThrow("away");
    find.mockRestore();
    expect(await again.signingKeys.current("login_token")).toMatchObject({ kid: row.id });
  });
});
