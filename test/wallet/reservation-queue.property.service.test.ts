// @module-tag postgresql
/** Batched reservations must have the same outcomes as the same reservations in some serial order. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Database } from "../../src/platform/database/connection.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import {
  InsufficientBalanceError,
  SpendingLimitExceededError,
  X402TurnedOffError,
} from "../../src/wallet/refusal-reason.ts";
import { DuplicateReservationError, reserve } from "../../src/wallet/reservation.ts";
import type { Reservation } from "../../src/wallet/reservation-terms.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createLocalVault } from "../support/vault.ts";

const CREDIT = 1_000n;
const BALANCE = 700n;
const DAILY = 1_500n;

let fresh: TestDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  db = fresh.db;
});
afterAll(() => fresh.close());

interface Payer {
  readonly accountId: string;
  readonly walletId: string;
}

async function newPayer(): Promise<Payer> {
  const limits = { perTransactionMicroUsd: 800n, dailyMicroUsd: DAILY, monthlyMicroUsd: null };
  const deps = { db, vault: createLocalVault(), freeCreditMicroUsd: CREDIT };
  const { id } = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits });
  await db.prisma.account.update({ where: { id }, data: { x402EnabledAt: new Date() } });
  const wallet = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: id } });
  return { accountId: id, walletId: wallet.id };
}

function reservation(
  { accountId, walletId }: Payer,
  amount: bigint,
  { fromCredit = true, idempotencyKey = null }: { fromCredit?: boolean; idempotencyKey?: string | null } = {},
): Reservation {
  return {
    accountId,
    type: "x402",
    network: "base",
    asset: "0xusdc",
    amountAtomic: amount,
    amountMicroUsd: amount,
    budgetIds: [accountId],
    source: fromCredit
      ? { kind: "credit", walletId }
      : { kind: "wallet", walletId, balanceAtomic: BALANCE, readAfter: new Date() },
    scheme: "exact",
    resource: null,
    payTo: "0xshop",
    description: null,
    authorization: { quoted: 'a "word", a {brace} and a \\' },
    nonce: null,
    permitSlot: null,
    purchaseTokenId: null,
    validBefore: null,
    idempotencyKey,
  };
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe("concurrent reservations", () => {
  it("never exceed a limit, and are refused only if they would exceed it after all others", async () => {
    const requests = fc.array(fc.record({ payer: fc.nat(3), amount: fc.bigInt(0n, 900n), fromCredit: fc.boolean() }), {
      minLength: 2,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const payers = await Promise.all(Array.from({ length: 4 }, newPayer));
        const outcomes = await Promise.all(
          all.map(async ({ payer, amount, fromCredit }) => {
            const requester = payers[payer] as Payer;
            const id = await reserve(db, reservation(requester, amount, { fromCredit })).catch((error: unknown) => {
              const isRefusal =
                error instanceof SpendingLimitExceededError || error instanceof InsufficientBalanceError;
              if (!isRefusal) throw error;
              return null;
            });
            return { payer, amount, fromCredit, id };
          }),
        );
        for (let payer = 0; payer < payers.length; payer++) {
          const own = outcomes.filter((outcome) => outcome.payer === payer);
          const accepted = own.filter(({ id }) => id !== null);
          const used = sum(accepted.map(({ amount }) => amount));
          const credit = sum(accepted.filter(({ fromCredit }) => fromCredit).map(({ amount }) => amount));
          expect(used).toBeLessThanOrEqual(DAILY);
          expect(credit).toBeLessThanOrEqual(CREDIT);
          expect(used - credit).toBeLessThanOrEqual(BALANCE);
          for (const { amount, fromCredit } of own.filter(({ id }) => id === null)) {
            const isAvailable = fromCredit ? credit + amount <= CREDIT : used - credit + amount <= BALANCE;
            expect(isAvailable && amount <= 800n && used + amount <= DAILY).toBe(false);
          }
        }
        const stored = await db.prisma.transaction.findMany({
          where: { type: "x402", accountId: { in: payers.map(({ accountId }) => accountId) } },
          select: { id: true },
        });
        const ids = outcomes.flatMap(({ id }) => id ?? []);
        expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(ids));
        expect(await auditLedger(db)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it("fail with their own errors without affecting the others", async () => {
    const [good, overLimit, disabled] = [await newPayer(), await newPayer(), await newPayer()];
    await db.prisma.account.update({ where: { id: disabled.accountId }, data: { x402EnabledAt: null } });
    const key = { idempotencyKey: randomUUID() };
    const outcomes = await Promise.allSettled([
      reserve(db, reservation(good, 1n, key)),
      reserve(db, reservation(overLimit, 801n)),
      reserve(db, reservation(good, 2n)),
      reserve(db, reservation(disabled, 1n)),
      reserve(db, reservation(good, 1n, key)),
    ]);
    expect(outcomes.map(({ status }) => status).filter((status) => status === "fulfilled")).toHaveLength(2);
    const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
    expect(outcomes[2]?.status).toBe("fulfilled");
    expect(reasons[1]).toBeInstanceOf(SpendingLimitExceededError);
    expect(reasons[3]).toBeInstanceOf(X402TurnedOffError);
    expect(reasons[0] ?? reasons[4]).toBeInstanceOf(DuplicateReservationError);
    const [row] = await db.prisma.transaction.findMany({ where: { accountId: good.accountId, type: "x402" } });
    expect(row?.authorization).toEqual(reservation(good, 1n).authorization);
    expect(await auditLedger(db)).toEqual([]);
  });

  it("report a duplicate key even if the key contains the name of another unique index", async () => {
    const payer = await newPayer();
    for (const idempotencyKey of ["the-purchase_token_id", "the-permit_slot"]) {
      await reserve(db, reservation(payer, 1n, { idempotencyKey }));
      const repeated = reserve(db, reservation(payer, 1n, { idempotencyKey }));
      await expect(repeated).rejects.toBeInstanceOf(DuplicateReservationError);
    }
  });

  it("share one statement", async () => {
    const payers = await Promise.all(Array.from({ length: 20 }, newPayer));
    let statements = 0;
    const countingDb: Database = {
      ...db,
      query: (statement, values) => {
        statements++;
        return db.query(statement, values);
      },
    };
    await Promise.all(payers.map((payer) => reserve(countingDb, reservation(payer, 1n))));
    expect(statements).toBe(1);
  });

  it("fail without a retry if the outcome of the statement is unknown", async () => {
    const payers = await Promise.all(Array.from({ length: 3 }, newPayer));
    let statements = 0;
    const failingDb: Database = {
      ...db,
      query: async (statement, values) => {
        statements++;
        await db.query(statement, values);
        throw new Error("Connection terminated unexpectedly");
      },
    };
    const outcomes = await Promise.allSettled(payers.map((payer) => reserve(failingDb, reservation(payer, 1n))));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(statements).toBe(1);
  });
});

// PGlite has one connection, so no other connection can lock a row.
it.skipIf(inject("postgresqlUrl") === null)(
  "a locked account does not delay reservations of other accounts",
  async () => {
    const [lockedPayer, otherPayer] = [await newPayer(), await newPayer()];
    const lockClient = new pg.Client({ connectionString: fresh.databaseUrl ?? "" });
    await lockClient.connect();
    await lockClient.query("BEGIN");
    await lockClient.query("SELECT id FROM accounts WHERE id = $1 FOR UPDATE", [lockedPayer.accountId]);
    let isLocked = true;
    const pending = reserve(db, reservation(lockedPayer, 1n)).then((id) => ({ id, whileLocked: isLocked }));
    expect(await reserve(db, reservation(otherPayer, 1n))).toMatch(/^tx_/);
    isLocked = false;
    await lockClient.query("COMMIT");
    await lockClient.end();
    expect(await pending).toMatchObject({ whileLocked: false });
  },
);
