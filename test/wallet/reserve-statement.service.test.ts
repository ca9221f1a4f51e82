// @module-tag postgresql
/** Limits, refusals and unique constraints of the reserve statement. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQLSTATE } from "../../src/platform/database/errors.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { release } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import {
  DuplicateReservationError,
  PermitSlotInUseError,
  PurchaseTokenUsedError,
  reserve,
} from "../../src/wallet/reservation.ts";
import type { Reservation } from "../../src/wallet/reservation-terms.ts";
import { RESERVE_MANY, RESERVE_ONE, reserveParameters } from "../../src/wallet/reserve-statement.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

const CREDIT = 1_000n;
const BALANCE = 2_000n;
const DAILY = 3_000n;

interface Payer {
  readonly accountId: string;
  readonly walletId: string;
}

async function newPayer(): Promise<Payer> {
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: DAILY, monthlyMicroUsd: null };
  const opening = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: CREDIT };
  const { id } = await openAccount(opening, { email: `${randomUUID()}@example.com`, displayName: null, limits });
  await fresh.db.prisma.account.update({ where: { id }, data: { x402EnabledAt: new Date() } });
  const wallet = await fresh.db.prisma.wallet.findUniqueOrThrow({ where: { accountId: id } });
  return { accountId: id, walletId: wallet.id };
}

function payment({ accountId, walletId }: Payer, amount: bigint, kind: Reservation["source"]["kind"]): Reservation {
  return {
    accountId,
    type: "x402",
    network: "base",
    asset: "0xusdc",
    amountAtomic: amount,
    amountMicroUsd: amount,
    budgetIds: [accountId],
    source: kind === "credit" ? { kind, walletId } : { kind, walletId, balanceAtomic: BALANCE, readAfter: null },
    scheme: "exact",
    payTo: "0xshop",
    ...PLAIN_TERMS,
  };
}

describe("a reservation", () => {
  it.each<[string, (payer: Payer) => Reservation[]]>([
    [
      "a budget",
      (payer) => [payment(payer, CREDIT, "credit"), payment(payer, BALANCE, "wallet"), payment(payer, 1n, "wallet")],
    ],
    ["the credit", (payer) => [payment(payer, CREDIT + 1n, "credit"), payment(payer, 1n, "wallet")]],
    ["a balance", (payer) => [payment(payer, BALANCE + 1n, "wallet"), payment(payer, 1n, "credit")]],
  ])("ends with its own SQLSTATE and changes nothing if %s does not cover it", async (_, requested) => {
    const { db } = fresh;
    const [payer, other] = [await newPayer(), await newPayer()];
    const reservations = [payment(other, 1n, "credit"), payment(other, 1n, "wallet"), ...requested(payer)];
    const parameters = reserveParameters(reservations.map((reservation) => ({ id: randomUUID(), reservation })));
    // In the other order `RESERVE_MANY` would skip the accounts: the error arrives before the server releases their locks.
    for (const statement of [RESERVE_MANY, RESERVE_ONE]) {
      await expect(db.query(statement, parameters)).rejects.toMatchObject({ code: SQLSTATE.reservationRefused });
    }
    const accountId = { in: [payer.accountId, other.accountId] };
    expect(await db.prisma.transaction.count({ where: { accountId, type: "x402" } })).toBe(0);
    expect(await db.prisma.budget.count({ where: { accountId, dayUsedMicroUsd: 0n, monthUsedMicroUsd: 0n } })).toBe(2);
    expect(await db.prisma.credit.count({ where: { accountId, availableMicroUsd: CREDIT } })).toBe(2);
    expect(await auditLedger(db)).toEqual([]);
  });

  it.each(["perTransactionLimitMicroUsd", "dailyLimitMicroUsd", "monthlyLimitMicroUsd"])(
    "is accepted for a total of exactly %s, and rejected for one unit more",
    async (limit) => {
      const { db } = fresh;
      const payer = await newPayer();
      const none = { perTransactionLimitMicroUsd: null, dailyLimitMicroUsd: null, monthlyLimitMicroUsd: null };
      await db.prisma.budget.update({ where: { id: payer.accountId }, data: { ...none, [limit]: 100n } });
      const [within, last] = limit === "perTransactionLimitMicroUsd" ? [100n, 100n] : [60n, 40n];
      await reserve(db, payment(payer, within, "credit"));
      await expect(reserve(db, payment(payer, last + 1n, "credit"))).rejects.toBeInstanceOf(SpendingLimitExceededError);
      await reserve(db, payment(payer, last, "credit"));
    },
  );

  it.each<[Reservation["source"]["kind"], bigint]>([
    ["credit", CREDIT],
    ["wallet", BALANCE],
  ])("is accepted for exactly the available %s, and rejected for one unit more", async (kind, available) => {
    const { db } = fresh;
    const payer = await newPayer();
    await reserve(db, payment(payer, 1n, kind));
    await expect(reserve(db, payment(payer, available, kind))).rejects.toBeInstanceOf(InsufficientBalanceError);
    await reserve(db, payment(payer, available - 1n, kind));
  });

  it.each([
    ["Idempotency-Key", "idempotencyKey", DuplicateReservationError],
    ["permit slot", "permitSlot", PermitSlotInUseError],
    ["purchase token", "purchaseTokenId", PurchaseTokenUsedError],
  ])("rejects a second payment with the same %s while the first is outstanding", async (_, field, expectedError) => {
    const { db } = fresh;
    const request = { ...payment(await newPayer(), 1n, "credit"), [field]: randomUUID() };
    const id = await reserve(db, request);
    await expect(reserve(db, request)).rejects.toBeInstanceOf(expectedError);
    await release(db, id, "Never signed.");
    await reserve(db, request);
    expect(await auditLedger(db)).toEqual([]);
  });
});
