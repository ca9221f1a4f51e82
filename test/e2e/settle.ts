/** Bringing the ledger up to date now, instead of when its turn comes. */
import { vi } from "vitest";
import type { Transaction } from "../../generated/prisma/client.ts";
import type { Service } from "../../src/app/service.ts";

/** Looks everything unsettled up on chain at once. */
export async function reconcileNow({ deps }: Service): Promise<void> {
  await deps.db.prisma.transaction.updateMany({
    where: { status: { in: ["reserved", "signed"] } },
    data: { nextCheckAt: new Date(0) },
  });
  await deps.reconciler.run();
}

/** The ledger's row once the chain has settled it. */
export async function settled(service: Service, transactionId: string): Promise<Transaction> {
  return await vi.waitFor(
    async () => {
      await reconcileNow(service);
      const row = await service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: transactionId } });
      if (row.status !== "settled") throw new Error(`${row.id} is ${row.status}: ${row.failureReason}`);
      return row;
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** An account's payments and transfers, oldest first. */
export async function paymentsOf({ deps }: Pick<Service, "deps">, accountId: string): Promise<Transaction[]> {
  return await deps.db.prisma.transaction.findMany({
    where: { accountId, direction: "out" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}
