// @module-tag postgresql
/** Invariant: an allowance can be drawn on any later day, so its payment counts against the limits of that day. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { utcDay, utcMonth } from "../../src/platform/utc.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { carryOverPermits } from "../../src/wallet/carry-over.ts";
import { settle } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { readSpending } from "../../src/wallet/spending.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

const DAILY = 100_000n;

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh?.close());
beforeEach(async () => {
  const deps = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 10_000_000n };
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: DAILY, monthlyMicroUsd: null };
  accountId = (await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits })).id;
});

async function reservePayment(amountMicroUsd: bigint, kind: "permit" | "eip3009" = "eip3009"): Promise<string> {
  return await reserve(fresh.db, {
    accountId,
    type: "transfer",
    network: "base",
    asset: "usdc",
    amountAtomic: amountMicroUsd,
    amountMicroUsd,
    budgetIds: [accountId],
    source: { kind: "credit", walletId: "wal_treasury" },
    payTo: "nobody",
    ...PLAIN_TERMS,
    scheme: kind === "permit" ? "upto" : "exact",
    authorization: { authorization: { kind } },
    countsAsSigned: true,
  });
}

/** Moves everything that the account has reserved to an earlier day. */
async function moveToPast(days: number): Promise<void> {
  const past = new Date(Date.now() - days * 86_400_000);
  const day = new Date(utcDay(past));
  await fresh.db.prisma.transaction.updateMany({ where: { accountId }, data: { budgetDay: day } });
  const data = { day, month: new Date(utcMonth(past)) };
  await fresh.db.prisma.budget.updateMany({ where: { accountId }, data });
}

async function countLockWaits(): Promise<number> {
  const [row] = await fresh.db.prisma.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

const readBudget = () => fresh.db.prisma.budget.findUniqueOrThrow({ where: { id: accountId } });

it("counts an open permit on the next day before anything else is reserved", async () => {
  const permit = await reservePayment(60_000n, "permit");
  await moveToPast(1);
  await expect(reservePayment(50_000n)).rejects.toBeInstanceOf(SpendingLimitExceededError);
  await reservePayment(40_000n);
  expect((await readBudget()).dayUsedMicroUsd).toBe(DAILY);
  expect(await auditLedger(fresh.db)).toEqual([]);
  await settle(fresh.db, permit, { txHash: null, chargedAtomic: 1_000n, chargedMicroUsd: 1_000n });
  expect((await readBudget()).dayUsedMicroUsd).toBe(41_000n);
  expect(await auditLedger(fresh.db)).toEqual([]);
});

it.skipIf(inject("postgresqlUrl") === null)(
  "counts a permit that commits while the first reservation of the day waits for the account",
  async () => {
    const permit = await reservePayment(60_000n);
    await moveToPast(1);
    const { promise: isWaiting, resolve: commit } = Promise.withResolvers<void>();
    const earlier = fresh.db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
      const authorization = { authorization: { kind: "permit" } };
      await tx.transaction.update({ where: { id: permit }, data: { scheme: "upto", authorization } });
      await tx.budget.update({ where: { id: accountId }, data: { dayUsedMicroUsd: 60_000n } });
      await isWaiting;
    });
    const later = reservePayment(50_000n).catch((error: unknown) => error);
    await expect.poll(countLockWaits).toBe(1);
    commit();
    await earlier;
    expect(await later).toBeInstanceOf(SpendingLimitExceededError);
    expect((await readBudget()).dayUsedMicroUsd).toBe(60_000n);
  },
);

it("counts an open permit in the month of the current day once", async () => {
  await reservePayment(60_000n, "permit");
  await moveToPast(40);
  expect(await carryOverPermits(fresh.db, accountId)).toBe(1);
  expect(await carryOverPermits(fresh.db, null)).toBe(0);
  expect(await readBudget()).toMatchObject({ dayUsedMicroUsd: 60_000n, monthUsedMicroUsd: 60_000n });
  expect(await auditLedger(fresh.db)).toEqual([]);
});

it("is outstanding in the month of the current day, not settled", async () => {
  await reservePayment(60_000n, "permit");
  await moveToPast(40);
  const createdAt = new Date(Date.now() - 40 * 86_400_000);
  await fresh.db.prisma.transaction.updateMany({ where: { accountId }, data: { createdAt } });
  await carryOverPermits(fresh.db, accountId);
  const spending = (await readSpending(fresh, [accountId])).get(accountId);
  const outstanding = { settledMicroUsd: 0n, outstandingMicroUsd: 60_000n };
  expect(spending).toMatchObject({ day: outstanding, month: outstanding });
});

it("carries neither closed permits nor authorizations that expire", async () => {
  const permit = await reservePayment(60_000n, "permit");
  await settle(fresh.db, permit, { txHash: null, chargedAtomic: 60_000n, chargedMicroUsd: 60_000n });
  await reservePayment(40_000n);
  await moveToPast(1);
  await reservePayment(DAILY);
  expect((await readBudget()).dayUsedMicroUsd).toBe(DAILY);
  expect(await auditLedger(fresh.db)).toEqual([]);
});

it("is exact when several reservations start the day", async () => {
  await reservePayment(60_000n, "permit");
  await moveToPast(1);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => reservePayment(10_000n)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  expect((await readBudget()).dayUsedMicroUsd).toBe(DAILY);
  expect(await auditLedger(fresh.db)).toEqual([]);
});
