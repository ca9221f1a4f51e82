// @module-tag postgresql
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { utcDay, utcMonth } from "../../src/platform/utc.ts";
import { SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

let stack: OwnStack;
beforeAll(async () => {
  // A separate stack: the test changes the clock, which background jobs also read.
  stack = await startStack();
});
afterAll(() => stack?.stop());

async function reservePayment({ accountId, tokenId }: Pick<TestAccount, "accountId" | "tokenId">): Promise<string> {
  const { deps } = stack.service;
  const treasury = await deps.wallets.treasury();
  return await reserve(deps.db, {
    accountId,
    type: "x402",
    network: "base",
    asset: "usdc",
    amountAtomic: 1_000n,
    amountMicroUsd: 1_000n,
    budgetIds: [accountId, tokenId],
    source: { kind: "credit", walletId: treasury.id },
    scheme: "exact",
    payTo: "nobody",
    ...PLAIN_TERMS,
  });
}

it("sets no counter back to an earlier day or month", async () => {
  const { deps } = stack.service;
  const { accountId, tokenId } = await stack.account({ limits: { dailyMicroUsd: 1_000n, monthlyMicroUsd: 1_000n } });
  // The row as left by a statement of the next month, read by a statement that started before midnight and waited for it.
  const later = new Date(Date.now() + 40 * 86_400_000);
  const used = {
    day: new Date(utcDay(later)),
    month: new Date(utcMonth(later)),
    dayUsedMicroUsd: 1_000n,
    monthUsedMicroUsd: 1_000n,
  };
  await deps.db.prisma.budget.update({ where: { id: tokenId }, data: used });
  const reserving = reservePayment({ accountId, tokenId });
  await expect(reserving).rejects.toThrow();
  await expect(reserving).rejects.not.toBeInstanceOf(SpendingLimitExceededError);
  expect(await deps.db.prisma.budget.findUniqueOrThrow({ where: { id: tokenId } })).toMatchObject(used);
});

// PGlite uses this process's clock.
it.skipIf(inject("postgresqlUrl") === null)(
  "names the exceeded limit even if the node's clock is already past midnight",
  async () => {
    const account = await stack.account({ limits: { dailyMicroUsd: 1_000n } });
    await reservePayment(account);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const refused = { period: "day", limitMicroUsd: 1_000n, remainingMicroUsd: 0n, requiredMicroUsd: 1_000n };
    await expect(reservePayment(account)).rejects.toMatchObject(refused);
    // An account created in the meantime can pay immediately.
    await reservePayment(await stack.account({ limits: { dailyMicroUsd: 1_000n } }));
  },
);
