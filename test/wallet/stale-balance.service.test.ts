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
  let readCount = 0;
  const chain = {
    async tokenBalanceAtomic() {
      if (cachedAtomic === null) readCount += 1;
      cachedAtomic ??= onChainAtomic;
      return cachedAtomic;
    },
    invalidateBalances: () => {
      cachedAtomic = null;
    },
  };
  /** Returns the number of reads of the chain since the last call. */
  const reads = () => {
    const count = readCount;
    readCount = 0;
    return count;
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
  // A deposit after the balance was cached: a refusal for funds reads the chain again, once.
  reads();
  onChainAtomic += 50n;
  await send(50n);
  expect(reads()).toBe(1);
  await expect(send(1n)).rejects.toThrow(InsufficientBalanceError);
  expect(reads()).toBe(1);
});
