// @module-tag postgresql
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reserveFromWallet } from "../../src/payments/reserve-from-wallet.ts";
import type { Chains } from "../../src/wallet/chain.ts";
import { settle } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { InsufficientBalanceError } from "../../src/wallet/refusal-reason.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

it("rejects a payment that exceeds the on-chain balance when the cached balance predates a settlement", async () => {
  const { db } = fresh;
  const opening = { db, vault: createLocalVault(), freeCreditMicroUsd: 0n };
  const account = await openAccount(opening, {
    email: `${randomUUID()}@example.com`,
    displayName: null,
    limits: NO_LIMITS,
  });
  const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: account.id } });
  // A stub chain that caches the balance: a settled charge is visible only after the cache is invalidated.
  let onChainAtomic = 100n;
  let cachedAtomic: bigint | null = null;
  const chain = {
    tokenBalanceAtomic: async () => (cachedAtomic ??= onChainAtomic),
    invalidateBalances: () => {
      cachedAtomic = null;
    },
  };
  const chains = { any: () => chain } as unknown as Chains;
  const send = (amountAtomic: bigint) =>
    reserveFromWallet(
      { db, chains },
      { id: walletId, address: "0xpayer" },
      {
        accountId: account.id,
        type: "transfer",
        network: "base",
        asset: "0xusdc",
        amountAtomic,
        amountMicroUsd: amountAtomic,
        budgetIds: [account.id],
        scheme: null,
        payTo: "0xpayee",
        ...PLAIN_TERMS,
      },
    );

  const first = await send(70n);
  onChainAtomic -= 70n;
  await settle(db, first, { txHash: "0xhash", chargedAtomic: 70n, chargedMicroUsd: 70n });
  // The cached balance is still 100, and no payment is outstanding.
  await expect(send(31n)).rejects.toThrow(InsufficientBalanceError);
  await send(30n);
  await expect(send(1n)).rejects.toThrow(InsufficientBalanceError);
});

it("reads the balance again, once, before a refusal for funds", async () => {
  const { db } = fresh;
  const opening = { db, vault: createLocalVault(), freeCreditMicroUsd: 0n };
  const account = await openAccount(opening, {
    email: `${randomUUID()}@example.com`,
    displayName: null,
    limits: NO_LIMITS,
  });
  const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: account.id } });
  // Each read of the chain returns the next balance. The last deposit is visible only to the third read.
  const balances = [0n, 50n, 50n, 90n];
  let reads = 0;
  let cachedAtomic: bigint | null = null;
  const chain = {
    tokenBalanceAtomic: async () => (cachedAtomic ??= balances[reads++] ?? 0n),
    invalidateBalances: () => {
      cachedAtomic = null;
    },
  };
  const send = (amountAtomic: bigint) =>
    reserveFromWallet(
      { db, chains: { any: () => chain } as unknown as Chains },
      { id: walletId, address: "0xpayer" },
      {
        accountId: account.id,
        type: "transfer",
        network: "base",
        asset: "0xusdc",
        amountAtomic,
        amountMicroUsd: amountAtomic,
        budgetIds: [account.id],
        scheme: null,
        payTo: "0xpayee",
        ...PLAIN_TERMS,
      },
    );
  // The cached balance predates a deposit.
  await send(40n);
  expect(reads).toBe(2);
  // One further read of the chain, then the refusal is final.
  await expect(send(11n)).rejects.toThrow(InsufficientBalanceError);
  expect(reads).toBe(3);
  await send(50n);
  expect(reads).toBe(4);
});
