// @module-tag postgresql
/** Atomic creation of an account with its related rows. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount } from "../../src/wallet/open-account.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createLocalVault } from "../support/vault.ts";

const OPERATOR = { kind: "operator", expiresAtMs: null } as const;
const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

const create = (email: string) =>
  createAccount(
    { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 5_000_000n, onCredentialCreated: () => {} },
    OPERATOR,
    {
      email,
      displayName: null,
      limits: NO_LIMITS,
    },
  );
const TABLES = ["accounts", "wallets", "budgets", "credits", "transactions", "api_tokens"];
async function counts(): Promise<unknown[]> {
  const text = TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(", ");
  return (await fresh.db.executeSql(`SELECT ${text}`)).rows;
}

it("stores nothing if the first token cannot be stored, and leaves the email address usable", async () => {
  await fresh.db.executeSql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON api_tokens FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const email = `${randomUUID()}@example.test`;
  const before = await counts();
  await expect(create(email)).rejects.toThrow();
  expect(await counts()).toEqual(before);
  await fresh.db.executeSql("DROP TRIGGER refuse ON api_tokens");
  const { account, secret } = await create(email);
  expect(secret).toMatch(/^satchel_sk_/);
  const stored = await fresh.db.prisma.apiToken.findMany({ where: { accountId: account.id } });
  expect(stored.map(({ budgetIds, name }) => ({ budgetIds, name }))).toEqual([
    { budgetIds: [account.id, stored[0]?.id], name: "First token" },
  ]);
  expect(await fresh.db.prisma.budget.count({ where: { accountId: account.id } })).toBe(2);
});
