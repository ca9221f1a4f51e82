// @module-tag postgresql
/** Rotation of the key that signs the cookie of known browsers. */
import { randomBytes, randomUUID } from "node:crypto";
import { parseCookie } from "cookie";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findKnownBrowser, issueKnownBrowserCookie } from "../../../src/accounts/sign-in/known-browser.ts";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import { createSigningKeys, retireSigningKey } from "../../../src/platform/crypto/signing-keys.ts";
import type { Site } from "../../../src/platform/http/site.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const DAY_MS = 86_400_000;
const EMAIL = "ada@people.example";
const accountId = randomUUID();

let fresh: TestDatabase;
const kek = localKek(randomBytes(32), "local:test");
const site = { baseUrl: () => "https://satchel.example", isHttps: true } as Site;

beforeAll(async () => {
  fresh = await createTestDatabase();
  await fresh.db.prisma.account.create({ data: { id: accountId, email: EMAIL } });
});
afterAll(() => fresh.close());

/** A node that has cached no key. */
const startNode = () => ({ db: fresh.db, site, signingKeys: createSigningKeys({ db: fresh.db, kek }) });

async function issue(): Promise<string> {
  const [cookie = ""] = (await issueKnownBrowserCookie(startNode(), accountId)).split(";");
  return parseCookie(cookie)["__Host-satchel_known"] ?? "";
}
const find = (jwt: string) => findKnownBrowser(startNode(), jwt, EMAIL);
const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString("utf8")).kid;
const change = (kid: string, data: { createdAt?: Date; retiredAt?: Date }) =>
  fresh.db.prisma.signingKey.update({ where: { id: kid }, data });

it("leaves cookies valid for a year, and a revoked key ends them at once", async () => {
  const first = await issue();
  expect(await find(first)).toEqual(expect.any(String));

  await change(kidOf(first), { createdAt: new Date(Date.now() - 91 * DAY_MS) });
  const second = await issue();
  expect(kidOf(second)).not.toBe(kidOf(first));
  expect(await find(first)).toEqual(expect.any(String));
  expect(await find(second)).toEqual(expect.any(String));
  expect(await find(second)).not.toBe(await find(first));

  // The cookie itself expires after 365 days.
  await change(kidOf(first), { retiredAt: new Date(Date.now() - 365.5 * DAY_MS) });
  expect(await find(first)).toEqual(expect.any(String));
  await change(kidOf(first), { retiredAt: new Date(Date.now() - 367 * DAY_MS) });
  expect(await find(first)).toBeNull();
  expect(await find(second)).toEqual(expect.any(String));

  await retireSigningKey(fresh.db, kidOf(second), { isCompromised: true });
  expect(await find(second)).toBeNull();
  const third = await issue();
  expect(await find(third)).toEqual(expect.any(String));
});

it("accepts no cookie that another purpose's key signed", async () => {
  const node = startNode();
  const keys = { ...node.signingKeys, current: () => node.signingKeys.current("login_token") };
  const [cookie = ""] = (await issueKnownBrowserCookie({ ...node, signingKeys: keys }, accountId)).split(";");
  expect(await find(parseCookie(cookie)["__Host-satchel_known"] ?? "")).toBeNull();
});
