/** Immediate reconciliation of the ledger with the chains. */
import { vi } from "vitest";
import type { Transaction } from "../../generated/prisma/client.ts";
import type { Service } from "../../src/app/service.ts";

/** Reconciles all unsettled transactions immediately. */
export async function reconcileNow({ deps }: Service): Promise<void> {
  await deps.db.prisma.transaction.updateMany({
    where: { status: { in: ["reserved", "signed"] } },
    data: { nextCheckAt: new Date(0) },
  });
  await deps.reconciler.run();
}

/** Waits until a transaction is settled on chain and returns its row. */
export async function waitUntilSettled(service: Service, transactionId: string): Promise<Transaction> {
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

/** Returns the payments and transfers of an account, oldest first. */
export async function listPayments({ deps }: Pick<Service, "deps">, accountId: string): Promise<Transaction[]> {
  return await deps.db.prisma.transaction.findMany({
    where: { accountId, direction: "out" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}
