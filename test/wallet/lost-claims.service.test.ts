// @module-tag postgresql
/** Requests that lost their idempotency key to another request while they were stalled. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type ClaimFence,
  claimIdempotencyKey,
  type IdempotencyClaim,
  IdempotencyInFlightError,
} from "../../src/platform/idempotency/claim.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { createLocalVault } from "../support/vault.ts";

let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
beforeEach(async () => {
  accountId = await openPayer();
});
afterAll(async () => {
  expect(await auditLedger(fresh.db)).toEqual([]);
  await fresh.close();
});

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };

async function openPayer(): Promise<string> {
  const opening = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 1_000_000n };
  const account = await openAccount(opening, {
    email: `${randomUUID()}@example.com`,
    displayName: null,
    limits: NO_LIMITS,
  });
  return account.id;
}

/** Reserves one unit of credit under a claim, without an idempotency key in the ledger. */
const reserveWith = (claim: ClaimFence | null, payer = accountId) =>
  reserve(fresh.db, {
    accountId: payer,
    type: "transfer",
    network: "base",
    asset: "0xusdc",
    amountAtomic: 1n,
    amountMicroUsd: 1n,
    budgetIds: [payer],
    source: { kind: "credit", walletId: "treasury" },
    scheme: null,
    payTo: "0xpayee",
    ...PLAIN_TERMS,
    claim,
  });
const claim = (key: string) => claimIdempotencyKey(fresh.db, accountId, key, []);
const countPayments = () => fresh.db.prisma.transaction.count({ where: { accountId, direction: "out" } });
/** Ends a lease, as if its process had been stalled for longer. */
const expireLease = (key: string) =>
  fresh.db.prisma.idempotencyRecord.updateMany({ where: { accountId, key }, data: { leasedUntil: new Date(0) } });

it("reserves nothing once another request has the key", async () => {
  const first = await claim("a");
  await expireLease("a");
  // An expired lease that no other request acquired is still held.
  await reserveWith(first.fence);
  const second = await claim("a");
  await expect(reserveWith(first.fence)).rejects.toThrow(IdempotencyInFlightError);
  await reserveWith(second.fence);
  expect(await countPayments()).toBe(2);
});

it.each(["completed", "discarded"])("reserves nothing once another request has %s the key", async (outcome) => {
  const first = await claim("b");
  await expireLease("b");
  const second = await claim("b");
  await (outcome === "completed" ? second.complete({ paid: 1 }) : second.discard());
  await expect(reserveWith(first.fence)).rejects.toThrow(IdempotencyInFlightError);
  expect(await countPayments()).toBe(0);
});

it("does not affect other reservations of the same batch", async () => {
  const first = await claim("c");
  await expireLease("c");
  await claim("c");
  const others = await Promise.all([openPayer(), openPayer()]);
  const results = await Promise.allSettled([
    reserveWith(first.fence),
    ...others.map((payer) => reserveWith(null, payer)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

it("reserves with the latest claim only, in any order of stalls, takeovers and reservations", async () => {
  const Step = fc.constantFrom<"take over" | "reserve">("take over", "reserve");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(Step, fc.nat()), { maxLength: 12 }), async (steps) => {
      const key = randomUUID();
      const before = await countPayments();
      const claims: IdempotencyClaim[] = [await claim(key)];
      let expected = 0;
      for (const [step, at] of steps) {
        if (step === "take over") {
          await expireLease(key);
          claims.push(await claim(key));
          continue;
        }
        const index = at % claims.length;
        const isLatest = index === claims.length - 1;
        const reserving = reserveWith((claims[index] as IdempotencyClaim).fence);
        if (isLatest) await reserving;
        else await expect(reserving).rejects.toThrow(IdempotencyInFlightError);
        if (isLatest) expected++;
      }
      expect((await countPayments()) - before).toBe(expected);
      await Promise.all(claims.map((each) => each.discard()));
    }),
    { numRuns: 15 },
  );
});

it("reserves at most once when a takeover and the stalled request race", async () => {
  for (let round = 0; round < 20; round++) {
    const key = randomUUID();
    const before = await countPayments();
    const first = await claim(key);
    await expireLease(key);
    const stalled = reserveWith(first.fence);
    // The second request reserves only if it finds no payment of the first, as requests under a key do.
    const second = claim(key).then(async ({ fence }) => {
      if ((await countPayments()) === before) await reserveWith(fence);
    });
    await Promise.allSettled([stalled, second]);
    expect((await countPayments()) - before).toBe(1);
  }
});
