// @module-tag postgresql
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiTokenKind } from "../../src/accounts/api-token-kind.ts";
import {
  createApiToken,
  LimitExceedsOwnError,
  type NewApiToken,
  revokeApiToken,
  storeApiToken,
} from "../../src/accounts/api-tokens.ts";
import { authenticate, isStillValid, readCredential } from "../../src/accounts/authenticate.ts";

import { type AccountViewer, SCOPES } from "../../src/accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError, UnauthorizedError } from "../../src/platform/errors.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createLocalVault } from "../support/vault.ts";

const ADMIN_TOKEN = "an-operator-token-of-32-characters-or-more";
const NONE = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const WIDE: NewApiToken = {
  name: "wide",
  limits: { perTransactionMicroUsd: 10n, dailyMicroUsd: 100n, monthlyMicroUsd: 1_000n },
  scopes: SCOPES,
  networks: ["base", "solana"],
  allowedHosts: ["merchant.example", "other.example"],
  allowedPayees: [],
  expiresAt: new Date(Date.now() + 3_600_000),
};

let fresh: TestDatabase;
let accountId: string;
let viewer: AccountViewer;
let secret: string;

beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

beforeEach(async () => {
  const deps = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 5_000_000n };
  const account = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: NONE });
  accountId = account.id;
  ({ secret } = await storeApiToken(fresh.db, accountId, WIDE));
  viewer = (await authenticate(
    { db: fresh.db, adminTokens: [ADMIN_TOKEN], tokenKinds: [apiTokenKind] },
    secret,
  )) as AccountViewer;
});

const deps = () => ({ db: fresh.db, onCredentialCreated: () => {} });
const create = (changes: Partial<NewApiToken>) => createApiToken(deps(), viewer, { ...WIDE, ...changes });

describe("a credential", () => {
  it("is read from each header in the contract", () => {
    expect(readCredential({ "x-service-token": " t " })).toBe("t");
    expect(readCredential({ "x-satchel-token": "t" })).toBe("t");
    expect(readCredential({ authorization: "Bearer t" })).toBe("t");
    expect(readCredential({ authorization: "bearer t" })).toBe("t");
    expect(readCredential({ authorization: "Basic dDp0" })).toBeNull();
    expect(readCredential({ "x-service-token": "" })).toBeNull();
    expect(readCredential({})).toBeNull();
  });

  it("authenticates its account only while it is valid", async () => {
    expect(viewer).toMatchObject({ kind: "account", accountId, x402Enabled: false, creditMicroUsd: 5_000_000n });
    const deps = { db: fresh.db, adminTokens: [ADMIN_TOKEN], tokenKinds: [apiTokenKind] };
    expect(await authenticate(deps, null)).toBeNull();
    expect(await authenticate(deps, "nonsense")).toBeNull();
    expect(await authenticate(deps, `${secret.slice(0, -1)}~`)).toBeNull();
    expect(await authenticate(deps, ADMIN_TOKEN)).toEqual({ kind: "operator", expiresAtMs: null });
    const during = { ...deps, adminTokens: ["the-next-operator-token-of-32-characters", ADMIN_TOKEN] };
    expect(await authenticate(during, ADMIN_TOKEN)).toMatchObject({ kind: "operator" });
    expect(await authenticate(during, during.adminTokens.join())).toBeNull();
    expect(await authenticate({ db: fresh.db, adminTokens: [], tokenKinds: [apiTokenKind] }, ADMIN_TOKEN)).toBeNull();
    await fresh.db.prisma.apiToken.update({ where: { id: viewer.credentialId }, data: { expiresAt: new Date(1) } });
    expect(await authenticate(deps, secret)).toBeNull();
    expect(await isStillValid(deps, viewer)).toBe(false);
  });

  it("is stored as a hash with the time of its last use", async () => {
    const row = await fresh.db.prisma.apiToken.findUniqueOrThrow({ where: { id: viewer.credentialId } });
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row.hint).toBe(secret.slice(-4));
    expect(row.lastUsedAt).not.toBeNull();
  });

  it("cannot be revoked by its account's id, which would match all tokens", async () => {
    const { token } = await create({});
    await expect(revokeApiToken({ db: fresh.db }, viewer, viewer.accountId)).rejects.toThrow(NotFoundError);
    expect((await fresh.db.prisma.apiToken.findUniqueOrThrow({ where: { id: token.id } })).revokedAt).toBeNull();
  });

  it("is invalid immediately after its revocation, which is idempotent", async () => {
    const { token, secret: other } = await create({});
    await revokeApiToken({ db: fresh.db }, viewer, token.id);
    expect(await authenticate({ db: fresh.db, adminTokens: [], tokenKinds: [apiTokenKind] }, other)).toBeNull();
    const again = await revokeApiToken({ db: fresh.db }, viewer, token.id);
    const budget = await fresh.db.prisma.budget.findUniqueOrThrow({ where: { id: token.id } });
    expect(budget.closedAt).toEqual(again.revokedAt);
  });
});

describe("a new token", () => {
  it("may have the rights of the calling token, but not more", async () => {
    expect((await create({})).secret).toMatch(/^satchel_sk_/);
    const { limits } = WIDE;
    await expect(create({ limits: { ...limits, perTransactionMicroUsd: 11n } })).rejects.toThrow(LimitExceedsOwnError);
    await expect(create({ limits: { ...limits, dailyMicroUsd: null } })).rejects.toThrow(LimitExceedsOwnError);
    await expect(create({ limits: { ...limits, monthlyMicroUsd: 1_001n } })).rejects.toThrow(LimitExceedsOwnError);
    await expect(create({ networks: ["base", "avalanche"] })).rejects.toThrow(ForbiddenError);
    await expect(create({ allowedHosts: [] })).rejects.toThrow(ForbiddenError);
    await expect(create({ allowedHosts: ["merchant.example", "third.example"] })).rejects.toThrow(ForbiddenError);
    for (const host of [
      "merchant.example:8443",
      "Merchant.example",
      "https://merchant.example",
      "merchant.example/path",
      "",
    ]) {
      const creation = create({ allowedHosts: [host] });
      await expect(creation, host).rejects.toMatchObject({ code: "invalid_request", field: "allowedHosts" });
    }
    await expect(create({ expiresAt: null })).rejects.toThrow(InvalidRequestError);
    await expect(create({ expiresAt: new Date(Date.now() + 7_200_000) })).rejects.toThrow(InvalidRequestError);
  });

  it("may be limited to payees of the calling token, regardless of address case", async () => {
    const payee = "0xAbCdEf0123456789aBcDeF0123456789AbCdEf01";
    const { secret: parent } = await create({ allowedPayees: [payee] });
    const parentViewer = await authenticate({ db: fresh.db, adminTokens: [], tokenKinds: [apiTokenKind] }, parent);
    const descend = (allowedPayees: string[]) => createApiToken(deps(), parentViewer, { ...WIDE, allowedPayees });
    expect((await descend([payee.toLowerCase()])).token.allowedPayees).toEqual([payee.toLowerCase()]);
    await expect(descend([])).rejects.toThrow(ForbiddenError);
    await expect(descend([payee, `0x${"1".repeat(40)}`])).rejects.toThrow(ForbiddenError);
  });

  it("requires a credential that may change the account", async () => {
    const { secret: weak } = await create({ scopes: ["payments:sign"] });
    const weakViewer = await authenticate({ db: fresh.db, adminTokens: [], tokenKinds: [apiTokenKind] }, weak);
    const input = { ...WIDE, scopes: ["payments:sign" as const] };
    await expect(createApiToken(deps(), weakViewer, input)).rejects.toThrow(ForbiddenError);
    await expect(createApiToken(deps(), null, input)).rejects.toThrow(UnauthorizedError);
    await expect(createApiToken(deps(), { kind: "operator", expiresAtMs: null }, input)).rejects.toThrow(
      UnauthorizedError,
    );
    await expect(revokeApiToken({ db: fresh.db }, weakViewer, viewer.credentialId)).rejects.toThrow(ForbiddenError);
  });

  it("reports the invalid field", async () => {
    await expect(create({ name: " " })).rejects.toMatchObject({ field: "name" });
    await expect(create({ networks: [] })).rejects.toMatchObject({ field: "networks" });
    await expect(create({ expiresAt: new Date(1) })).rejects.toMatchObject({ field: "expiresAt" });
    await expect(create({ allowedPayees: Array(101).fill("x") })).rejects.toMatchObject({ field: "allowedPayees" });
    for (const payee of [
      "",
      "unknown",
      `0x${"a".repeat(39)}`,
      ` 0x${"a".repeat(40)}`,
      `0X${"a".repeat(40)}`,
      "1".repeat(31),
    ]) {
      await expect(create({ allowedPayees: [payee] }), payee).rejects.toMatchObject({ field: "allowedPayees" });
    }
    const payees = [`0x${"aB".repeat(20)}`, "1".repeat(32)];
    expect((await create({ allowedPayees: payees })).token.allowedPayees).toEqual(payees);
  });

  it("of another account cannot be revoked, with the same error as an unknown token", async () => {
    const deps = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 0n };
    const other = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: NONE });
    const { token } = await storeApiToken(fresh.db, other.id, WIDE);
    const revocations = [token.id, "tok_none"].map((id) =>
      revokeApiToken({ db: fresh.db }, viewer, id).catch((e) => e),
    );
    const [foreignError, unknownError] = await Promise.all(revocations);
    expect(foreignError).toBeInstanceOf(NotFoundError);
    expect(foreignError).toEqual(unknownError);
  });
});
