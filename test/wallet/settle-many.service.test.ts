// @module-tag postgresql
/** Payments that settle in one statement must have the same effect as separate settlements. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { createRecorder } from "../../src/payments/recorder.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { release, settleMany } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

const LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: 1_000_000n, monthlyMicroUsd: 1_000_000n };
const RULES = { scopes: [], networks: ["base"], allowedHosts: [], allowedPayees: [], expiresAt: null };
const BALANCE = 1_000_000n;

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

async function newPayer() {
  const { db } = fresh;
  const deps = { db, vault: createLocalVault(), freeCreditMicroUsd: BALANCE };
  const { id } = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: LIMITS });
  await db.prisma.account.update({ where: { id }, data: { x402EnabledAt: new Date() } });
  const { token } = await storeApiToken(db, id, { name: "t", limits: LIMITS, ...RULES });
  const wallet = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: id } });
  return { accountId: id, tokenId: token.id, walletId: wallet.id };
}

type Payer = Awaited<ReturnType<typeof newPayer>>;

function pay({ accountId, tokenId, walletId }: Payer, amount: bigint, fromCredit: boolean): Promise<string> {
  return reserve(fresh.db, {
    accountId,
    type: "gateway",
    network: "base",
    asset: "0xusdc",
    amountAtomic: amount,
    amountMicroUsd: amount,
    budgetIds: [accountId, tokenId],
    source: fromCredit
      ? { kind: "credit", walletId }
      : { kind: "wallet", walletId, balanceAtomic: BALANCE, readAfter: new Date() },
    scheme: null,
    payTo: "0xshop",
    ...PLAIN_TERMS,
  });
}

const charge = (id: string, amount: bigint) => ({ id, txHash: null, chargedAtomic: amount, chargedMicroUsd: amount });
const budgetOf = ({ tokenId }: Payer) => fresh.db.prisma.budget.findUniqueOrThrow({ where: { id: tokenId } });

it("charges several accounts, from credit and wallets, and refunds the uncharged amount to each", async () => {
  const { db } = fresh;
  const payers = await Promise.all(Array.from({ length: 3 }, newPayer));
  const payments: { payer: Payer; id: string; charged: bigint; fromCredit: boolean }[] = [];
  for (const [at, payer] of payers.entries()) {
    for (let n = 0; n < 4; n++) {
      const fromCredit = n % 2 === 0;
      payments.push({ payer, id: await pay(payer, 100n, fromCredit), charged: BigInt(at * 10 + n), fromCredit });
    }
  }
  const [released] = payments;
  await release(db, released?.id ?? "", "It ended before.");
  const closed = await settleMany(
    db,
    payments.map(({ id, charged }) => charge(id, charged)),
  );
  expect([...closed.keys()].toSorted()).toEqual(
    payments
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const payer of payers) {
    const own = payments.filter((one) => one.payer === payer && one !== released);
    const sum = (of: typeof own) => of.reduce((total, { charged }) => total + charged, 0n);
    expect(await budgetOf(payer)).toMatchObject({ dayUsedMicroUsd: sum(own), monthUsedMicroUsd: sum(own) });
    const credit = await db.prisma.credit.findUniqueOrThrow({ where: { accountId: payer.accountId } });
    expect(credit.availableMicroUsd).toBe(BALANCE - sum(own.filter(({ fromCredit }) => fromCredit)));
    const [hold] = await db.prisma.walletHold.findMany({ where: { walletId: payer.walletId } });
    expect(hold?.outstandingAtomic.toFixed(0)).toBe("0");
    expect(hold?.settledAt).not.toBeNull();
  }
  expect(await auditLedger(db)).toEqual([]);
});

it("refunds each payment to the day of its reservation when a batch covers several days", async () => {
  const { db } = fresh;
  const payer = await newPayer();
  const [old, recent] = [await pay(payer, 300n, true), await pay(payer, 500n, true)];
  await db.executeSql(
    `UPDATE transactions SET budget_day = (budget_day - interval '1 month')::date WHERE id = '${old}'`,
  );
  await settleMany(db, [charge(old, 100n), charge(recent, 450n)]);
  expect(await budgetOf(payer)).toMatchObject({ dayUsedMicroUsd: 750n, monthUsedMicroUsd: 750n });
});

it("settles the other payments of a batch if one of them cannot be written", async () => {
  const { db } = fresh;
  const payer = await newPayer();
  const ids = [await pay(payer, 100n, true), await pay(payer, 100n, true)];
  const recorder = createRecorder(db);
  const impossible = recorder.recordSettlement(charge(ids[0] ?? "", 2n ** 70n));
  const possible = recorder.recordSettlement(charge(ids[1] ?? "", 7n));
  await expect(impossible).rejects.toThrow();
  expect(await possible).toBe(true);
  expect(await budgetOf(payer)).toMatchObject({ dayUsedMicroUsd: 107n });
});
