// @module-tag postgresql
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AccountViewer } from "../../src/accounts/viewer.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { spendingHistory } from "../../src/wallet/spending-history.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const DAY_MS = 86_400_000;

let fresh: TestDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  db = fresh.db;
});
afterAll(() => fresh.close());

interface Row {
  daysAgo: number;
  amount: bigint;
  /** The charged amount of a settled row. */
  charged: bigint;
  status: "reserved" | "signed" | "settled" | "released" | "failed";
  direction: "in" | "out";
}

const utcToday = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

async function createAccount(rows: readonly Row[], today = utcToday()): Promise<AccountViewer> {
  const { id } = await db.prisma.account.create({ data: { id: randomUUID() } });
  await db.prisma.transaction.createMany({
    data: rows.map((row) => ({
      id: `tx_${randomUUID()}`,
      accountId: id,
      type: row.direction === "in" ? "credit" : "x402",
      status: row.status,
      direction: row.direction,
      amountAtomic: row.amount.toString(),
      amountMicroUsd: row.amount,
      settledMicroUsd: row.status === "settled" ? row.charged : null,
      budgetIds: [],
      budgetDay: new Date(today - row.daysAgo * DAY_MS),
      createdAt: new Date(today - row.daysAgo * DAY_MS),
    })),
  });
  return { kind: "account", accountId: id, credentialKind: "api_token" } as AccountViewer;
}

const row = fc.record<Row>({
  daysAgo: fc.nat(70),
  amount: fc.bigInt(0n, 9_000_000_000_000_000n),
  charged: fc.bigInt(0n, 9_000_000_000_000_000n),
  status: fc.constantFrom("reserved", "signed", "settled", "released", "failed"),
  direction: fc.constantFrom("in", "out"),
});

it("sums the counted rows by the day and month of their reservation, and includes empty days", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 25 }), fc.integer({ min: 1, max: 60 }), async (rows, count) => {
      const createdOn = utcToday();
      const viewer = await createAccount(rows, createdOn);
      const days = await spendingHistory({ db }, viewer, { period: "day", count });
      const months = await spendingHistory({ db }, viewer, { period: "month", count: 4 });
      const today = days.at(-1)?.startsAt.getTime() ?? 0;
      expect(days.map(({ startsAt }) => startsAt.getTime())).toEqual(
        Array.from({ length: count }, (_, i) => today - (count - 1 - i) * DAY_MS),
      );
      const counted = rows
        .filter(({ direction, status }) => direction === "out" && status !== "released" && status !== "failed")
        .map(({ daysAgo, status, charged, amount }) => ({
          atMs: createdOn - daysAgo * DAY_MS,
          microUsd: status === "settled" ? charged : amount,
        }));
      const countedBetween = (fromMs: number, toMs: number) =>
        counted.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      const sum = (bucketRows: typeof counted) => bucketRows.reduce((all, { microUsd }) => all + microUsd, 0n);
      for (const { startsAt, spentMicroUsd, paymentCount } of days) {
        const bucketRows = countedBetween(startsAt.getTime(), startsAt.getTime() + DAY_MS);
        expect([spentMicroUsd, paymentCount]).toEqual([sum(bucketRows), bucketRows.length]);
      }
      for (const { startsAt, spentMicroUsd, paymentCount } of months) {
        const next = Date.UTC(startsAt.getUTCFullYear(), startsAt.getUTCMonth() + 1);
        const bucketRows = countedBetween(startsAt.getTime(), next);
        expect([startsAt.getUTCDate(), spentMicroUsd, paymentCount]).toEqual([1, sum(bucketRows), bucketRows.length]);
      }
    }),
    { numRuns: 25 },
  );
});

it("rejects lengths out of range, and excludes the rows of other accounts", async () => {
  const viewer = await createAccount([{ daysAgo: 0, amount: 5n, charged: 5n, status: "settled", direction: "out" }]);
  const other = await createAccount([]);
  const count = 1;
  expect(await spendingHistory({ db }, viewer, { period: "day", count })).toMatchObject([{ spentMicroUsd: 5n }]);
  expect(await spendingHistory({ db }, other, { period: "day", count })).toMatchObject([{ spentMicroUsd: 0n }]);
  for (const [period, invalidCount] of [
    ["day", 0],
    ["day", 367],
    ["month", 61],
  ] as const) {
    await expect(spendingHistory({ db }, viewer, { period, count: invalidCount })).rejects.toMatchObject({
      field: "count",
    });
  }
});
