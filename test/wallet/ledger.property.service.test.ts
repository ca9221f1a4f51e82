// @module-tag postgresql
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { UnauthorizedError } from "../../src/platform/errors.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { fail, markSigned, release, releaseUnsigned, settle } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

const CREDIT = 3_000n;
const BALANCE = 4_000n;
const ACCOUNT_DAILY = 6_000n;
const TOKEN_LIMITS = [
  { perTransactionMicroUsd: 900n, dailyMicroUsd: 3_500n, monthlyMicroUsd: null },
  { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: 4_200n },
];

/** The expected state of a ledger row. */
interface Row {
  id: string;
  token: number;
  amount: bigint;
  fromCredit: boolean;
  countsAsSigned: boolean;
  status: "reserved" | "signed" | "settled" | "released" | "failed";
  charged: bigint;
}

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("reserve" as const),
      amount: fc.bigInt(0n, 1_200n),
      fromCredit: fc.boolean(),
      token: fc.nat(1),
      countsAsSigned: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("sign" as const, "release" as const, "fail" as const, "never-signed" as const),
      row: fc.nat(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("settle" as const), row: fc.nat(), part: fc.nat(100) }) },
);

describe("the ledger", () => {
  let fresh: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    fresh = await createTestDatabase();
    db = fresh.db;
  });
  afterAll(() => fresh.close());

  async function newPayer() {
    const none = { perTransactionMicroUsd: null, dailyMicroUsd: ACCOUNT_DAILY, monthlyMicroUsd: null };
    const deps = { db, vault: createLocalVault(), freeCreditMicroUsd: CREDIT };
    const account = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: none });
    const wallet = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: account.id } });
    await db.prisma.account.update({ where: { id: account.id }, data: { x402EnabledAt: new Date() } });
    const tokens = [];
    for (const limits of TOKEN_LIMITS) {
      const rules = { scopes: [], networks: ["base"], allowedHosts: [], allowedPayees: [], expiresAt: null };
      tokens.push((await storeApiToken(db, account.id, { name: "t", limits, ...rules })).token.id);
    }
    return { accountId: account.id, walletId: wallet.id, tokens };
  }

  function reservation(
    payer: Awaited<ReturnType<typeof newPayer>>,
    amount: bigint,
    fromCredit: boolean,
    token: number,
  ) {
    return {
      accountId: payer.accountId,
      type: "x402" as const,
      network: "base" as const,
      asset: "0xusdc",
      amountAtomic: amount,
      amountMicroUsd: amount,
      budgetIds: [payer.accountId, payer.tokens[token] ?? ""],
      source: fromCredit
        ? { kind: "credit" as const, walletId: payer.walletId }
        : { kind: "wallet" as const, walletId: payer.walletId, balanceAtomic: BALANCE, readAfter: new Date() },
      scheme: "exact",
      payTo: "0xshop",
      ...PLAIN_TERMS,
    };
  }

  const used = (rows: readonly Row[]) =>
    rows.reduce((sum, row) => {
      if (row.status === "reserved" || row.status === "signed") return sum + row.amount;
      return row.status === "settled" ? sum + row.charged : sum;
    }, 0n);

  /** Computes from the model alone whether a reservation is within all limits and balances. */
  function isAccepted(rows: readonly Row[], amount: bigint, fromCredit: boolean, token: number): boolean {
    const usedByToken = used(rows.filter((row) => row.token === token));
    const limits = TOKEN_LIMITS[token];
    if (limits?.perTransactionMicroUsd != null && amount > limits.perTransactionMicroUsd) return false;
    if (limits?.dailyMicroUsd != null && usedByToken + amount > limits.dailyMicroUsd) return false;
    if (limits?.monthlyMicroUsd != null && usedByToken + amount > limits.monthlyMicroUsd) return false;
    if (used(rows) + amount > ACCOUNT_DAILY) return false;
    if (fromCredit) return used(rows.filter((row) => row.fromCredit)) + amount <= CREDIT;
    const outstanding = rows.filter((row) => !row.fromCredit && (row.status === "reserved" || row.status === "signed"));
    return used(outstanding) + amount <= BALANCE;
  }

  it("agrees with its counters and respects every limit in any sequence of transitions and crashes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40 }), async (commands) => {
        const payer = await newPayer();
        const rows: Row[] = [];
        for (const step of commands) {
          if (step.do === "reserve") {
            const { amount, fromCredit, token, countsAsSigned } = step;
            const expected = isAccepted(rows, amount, fromCredit, token);
            const id = await reserve(db, { ...reservation(payer, amount, fromCredit, token), countsAsSigned }).catch(
              (error: unknown) => {
                expect(error).toSatisfy(
                  (e) => e instanceof SpendingLimitExceededError || e instanceof InsufficientBalanceError,
                );
                return null;
              },
            );
            expect(id !== null).toBe(expected);
            const status = countsAsSigned ? "signed" : "reserved";
            if (id) rows.push({ id, token, amount, fromCredit, countsAsSigned, status, charged: 0n });
            continue;
          }
          const row = rows[step.row % Math.max(rows.length, 1)];
          if (!row) continue;
          const isOpen = row.status === "reserved" || row.status === "signed";
          if (step.do === "sign") {
            const recorded = await markSigned(db, [{ id: row.id, signature: "0x51", nonce: null }]);
            expect(recorded.has(row.id)).toBe(isOpen && !row.countsAsSigned);
            if (isOpen) row.status = "signed";
          } else if (step.do === "settle") {
            row.charged = isOpen ? (row.amount * BigInt(step.part)) / 100n : row.charged;
            const outcome = { txHash: "0xhash", chargedAtomic: row.charged, chargedMicroUsd: row.charged };
            expect((await settle(db, row.id, outcome)) !== null).toBe(isOpen);
            if (isOpen) row.status = "settled";
          } else if (step.do === "never-signed") {
            const released = row.countsAsSigned
              ? await releaseUnsigned(db, row.id, "no key")
              : await release(db, row.id, "crash", ["reserved"]);
            expect(released !== null).toBe(row.status === (row.countsAsSigned ? "signed" : "reserved"));
            if (released) row.status = "released";
          } else {
            const closed =
              step.do === "fail" ? await fail(db, row.id, "reverted", null) : await release(db, row.id, "dead");
            expect(closed !== null).toBe(isOpen);
            if (isOpen) row.status = step.do === "fail" ? "failed" : "released";
          }
        }
        expect(await auditLedger(db)).toEqual([]);
        const stored = await db.prisma.transaction.findMany({ where: { accountId: payer.accountId, type: "x402" } });
        expect(new Map(stored.map(({ id, status }) => [id, status]))).toEqual(
          new Map(rows.map(({ id, status }) => [id, status])),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("resets the day and month counters in a new month, and refunds nothing to an earlier day", async () => {
    const payer = await newPayer();
    const id = await reserve(db, reservation(payer, 800n, false, 0));
    await db.executeSql(
      `UPDATE budgets SET day = (day - interval '1 month')::date, month = (month - interval '1 month')::date WHERE account_id = '${payer.accountId}';
       UPDATE transactions SET budget_day = (budget_day - interval '1 month')::date WHERE id = '${id}'`,
    );
    for (let i = 0; i < 3; i++) await reserve(db, reservation(payer, 800n, false, 0));
    const before = await db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokens[0] ?? "" } });
    expect(before).toMatchObject({ dayUsedMicroUsd: 2_400n, monthUsedMicroUsd: 2_400n });
    await release(db, id, "dead");
    const after = await db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokens[0] ?? "" } });
    expect(after).toMatchObject({ dayUsedMicroUsd: 2_400n, monthUsedMicroUsd: 2_400n });
  });

  it("refunds nothing to the current month for a payment of the previous month", async () => {
    const payer = await newPayer();
    const old = await reserve(db, reservation(payer, 800n, false, 0));
    await db.executeSql(
      `UPDATE budgets SET day = (day - interval '1 month')::date, month = (month - interval '1 month')::date WHERE account_id = '${payer.accountId}';
       UPDATE transactions SET budget_day = (budget_day - interval '1 month')::date WHERE id = '${old}'`,
    );
    await reserve(db, reservation(payer, 500n, false, 0));
    await release(db, old, "dead");
    const budgets = await db.prisma.budget.findMany({
      where: { id: { in: reservation(payer, 0n, false, 0).budgetIds } },
    });
    expect(budgets.map(({ monthUsedMicroUsd }) => monthUsedMicroUsd)).toEqual([500n, 500n]);
  });

  it("rejects a reservation on a closed budget of the token or the account", async () => {
    for (const index of [0, 1]) {
      const payer = await newPayer();
      const request = reservation(payer, 100n, true, 0);
      await reserve(db, request);
      const closedAt = new Date(Date.now() - 1_000);
      await db.prisma.budget.update({ where: { id: request.budgetIds[index] ?? "" }, data: { closedAt } });
      await expect(reserve(db, request)).rejects.toThrow(UnauthorizedError);
      expect(await db.prisma.transaction.count({ where: { accountId: payer.accountId, type: "x402" } })).toBe(1);
    }
  });

  it("accepts exactly the reservations within the limits out of 200 concurrent ones", async () => {
    const payer = await newPayer();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => reserve(db, reservation(payer, 100n, i % 2 === 0, i % 2))),
    );
    const accepted = outcomes.filter(({ status }) => status === "fulfilled").length;
    // Credit covers 30 of token 0. The wallet covers 40 of token 1, but the account's limit of 60 leaves 30.
    expect(accepted).toBe(60);
    expect(await auditLedger(db)).toEqual([]);
  });
});
