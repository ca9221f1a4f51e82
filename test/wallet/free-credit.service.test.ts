// @module-tag postgresql
/** Free credit: once for a verified email address, within the limits of a day and of a network. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createMetrics } from "../../src/platform/observability/metrics.ts";
import { createRateLimiter, type RateLimiter } from "../../src/platform/rate-limit.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import {
  createFreeCreditAdmission,
  type FreeCreditLimits,
  grantFreeCredit,
  registerFreeCreditMetrics,
} from "../../src/wallet/free-credit.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createLocalVault } from "../support/vault.ts";

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const UNLIMITED = { perDayMicroUsd: null, accountsPerNetwork: null };
const CREDIT = 5_000_000n;

let fresh: TestDatabase;
let rateLimiter: RateLimiter;
let logged: string[];
beforeAll(async () => {
  fresh = await createTestDatabase();
});
beforeEach(async () => {
  logged = [];
  rateLimiter = createRateLimiter({ logger: logger() });
  await fresh.db.prisma.freeCreditDay.deleteMany();
});
afterAll(async () => {
  expect(await auditLedger(fresh.db)).toEqual([]);
  await fresh.close();
});

const logger = () => {
  const log = (_fields: object, message: string) => void logged.push(message);
  return { error: log, warn: log, info: log } as never;
};
const depsWith = (limits: Partial<FreeCreditLimits>) => ({
  db: fresh.db,
  vault: createLocalVault(),
  freeCreditMicroUsd: CREDIT,
  admitFreeCredit: createFreeCreditAdmission(
    { db: fresh.db, rateLimiter, logger: logger() },
    { ...UNLIMITED, ...limits },
  ),
});
const open = async (deps: ReturnType<typeof depsWith>, { hasEmail = true, ip = null as string | null } = {}) => {
  const email = hasEmail ? `${randomUUID()}@example.test` : null;
  return await openAccount(deps, { email, displayName: null, limits: NO_LIMITS, ip });
};
const creditOf = async (accountId: string) =>
  (await fresh.db.prisma.credit.findUniqueOrThrow({ where: { accountId } })).availableMicroUsd;
const creditsOf = (accounts: readonly { id: string }[]) => Promise.all(accounts.map(({ id }) => creditOf(id)));
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

it("never exceeds the daily total, and reaches it, for any total and concurrent accounts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 30_000_000n), fc.integer({ min: 1, max: 8 }), async (perDayMicroUsd, count) => {
      await fresh.db.prisma.freeCreditDay.deleteMany();
      const deps = depsWith({ perDayMicroUsd });
      const accounts = await Promise.all(Array.from({ length: count }, () => open(deps)));
      const possible = perDayMicroUsd / CREDIT;
      const granted = possible < BigInt(count) ? possible : BigInt(count);
      expect(sum(await creditsOf(accounts))).toBe(granted * CREDIT);
    }),
    { numRuns: 12 },
  );
});

it("logs an error and shows the metric when the daily total is reached", async () => {
  const deps = depsWith({ perDayMicroUsd: CREDIT });
  const metrics = createMetrics();
  registerFreeCreditMetrics(metrics, fresh.db, { perDayMicroUsd: CREDIT });
  await open(deps);
  expect(logged).toEqual([]);
  await open(deps);
  expect(logged).toEqual([expect.stringContaining("daily total is exhausted")]);
  const text = await metrics.text();
  expect(text).toMatch(/^satchel_free_credit_day_micro_usd 5000000$/m);
  expect(text).toMatch(/^satchel_free_credit_day_limit_micro_usd 5000000$/m);
});

it("gives none to an account without a verified email address, until its first is verified, once", async () => {
  const deps = depsWith({});
  const account = await open(deps, { hasEmail: false });
  await grantFreeCredit(deps, account.id, null);
  expect(await creditOf(account.id)).toBe(0n);
  await fresh.db.prisma.account.update({ where: { id: account.id }, data: { email: `${randomUUID()}@example.test` } });
  await Promise.all(Array.from({ length: 5 }, () => grantFreeCredit(deps, account.id, null)));
  await grantFreeCredit(deps, account.id, null);
  expect(await creditOf(account.id)).toBe(CREDIT);
  const rows = await fresh.db.prisma.transaction.findMany({ where: { accountId: account.id } });
  expect(rows).toMatchObject([{ type: "credit", status: "settled", amountMicroUsd: CREDIT }]);
});

it("gives none to a new account with an address that another account had when it received credit", async () => {
  const deps = depsWith({});
  const opened = await open(deps);
  const { email } = await fresh.db.prisma.account.findUniqueOrThrow({ where: { id: opened.id } });
  const verified = await open(deps, { hasEmail: false });
  const laterEmail = `${randomUUID()}@example.test`;
  await fresh.db.prisma.account.update({ where: { id: verified.id }, data: { email: laterEmail } });
  await grantFreeCredit(deps, verified.id, null);
  // Both accounts change their address, after which the former ones are free.
  for (const { id } of [opened, verified]) {
    await fresh.db.prisma.account.update({ where: { id }, data: { email: `${randomUUID()}@example.test` } });
  }
  for (const address of [email, laterEmail]) {
    const again = await openAccount(deps, { email: address, displayName: null, limits: NO_LIMITS, ip: null });
    expect(await creditOf(again.id)).toBe(0n);
  }
});

it.each([
  ["an IPv4 /24", ["198.51.100.1", "198.51.100.2", "198.51.100.254"], "198.51.101.1"],
  ["an IPv6 /48", ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff::1"], "2001:db8:2::1"],
])("counts the accounts of %s together", async (_network, inside, outside) => {
  const deps = depsWith({ accountsPerNetwork: 2 });
  const accounts = [];
  for (const ip of [...inside, outside]) accounts.push(await open(deps, { ip }));
  expect(await creditsOf(accounts)).toEqual([CREDIT, CREDIT, 0n, CREDIT]);
});
