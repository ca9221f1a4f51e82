// @module-tag postgresql
import { afterEach, beforeEach, expect, it } from "vitest";
import { hashToken } from "../../src/accounts/secret-token.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { enforceRules } from "../support/retention.ts";

let fresh: TestDatabase;
beforeEach(async () => {
  fresh = await createTestDatabase();
});
afterEach(() => fresh.close());

const HOUR_MS = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

it("deletes expired rows, but retains codes for a day and used refresh tokens until an hour after they expire", async () => {
  const { prisma } = fresh.db;
  const accountId = "6f2d1c38-1f0e-4a86-9a35-0f4f8f7f6b1d";
  await prisma.account.create({ data: { id: accountId } });
  await fresh.db.executeSql(`INSERT INTO oauth_clients (id, status, kind, responsible_name, responsible_phone, responsible_country,
    responsible_address, app_name, support_email, terms_accepted_at) VALUES ('cl_1', 'approved', 'public', '', '', '', '', '', '', now())`);
  await prisma.oAuthGrant.create({ data: { id: "grt_1", accountId, clientId: "cl_1", scopes: [], networks: [] } });
  const request = { clientId: "cl_1", redirectUri: "https://app.example/", state: "x", scopes: [] };
  await prisma.oAuthRequest.createMany({
    data: [-2, -0.5, 1].map((hours) => ({ ...request, id: `oar_${hours}`, expiresAt: at(hours) })),
  });
  const code = { grantId: "grt_1", clientId: "cl_1", redirectUri: "", scopes: [], familyId: "fam_1" };
  await prisma.oAuthCode.createMany({
    data: [-25, -23, 1].map((hours) => ({
      ...code,
      codeHash: hashToken(`${hours}`),
      expiresAt: at(hours),
      consumedAt: at(-26),
    })),
  });
  const token = { grantId: "grt_1", clientId: "cl_1", familyId: "fam_1", scopes: [], consumedAt: at(-500) };
  await prisma.oAuthToken.createMany({
    data: [-2, -0.5, 1].map((hours) => ({
      ...token,
      id: `oat_${hours}`,
      kind: "refresh",
      tokenHash: hashToken(`${hours}`),
      expiresAt: at(hours),
    })),
  });
  await enforceRules(fresh.db, ["oauth-requests", "oauth-codes", "oauth-tokens"]);
  const ids = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id).toSorted();
  expect(await ids(prisma.oAuthRequest.findMany())).toEqual(["oar_-0.5", "oar_1"]);
  expect(await prisma.oAuthCode.count()).toBe(2);
  expect(await prisma.oAuthCode.count({ where: { codeHash: hashToken("-25") } })).toBe(0);
  expect(await ids(prisma.oAuthToken.findMany())).toEqual(["oat_-0.5", "oat_1"]);
});
