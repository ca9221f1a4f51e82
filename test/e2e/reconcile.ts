/** Immediate reconciliation of the ledger with the chains. */
import { vi } from "vitest";
import type { Transaction } from "../../generated/prisma/client.ts";
import type { Service } from "../../src/app/service.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";

/** Makes all unsettled transactions and pending revocations due. */
export async function makeDue({ prisma }: Database): Promise<void> {
  const data = { nextCheckAt: new Date(0) };
  await prisma.transaction.updateMany({ where: { status: { in: ["reserved", "signed"] } }, data });
  await prisma.permitRevocation.updateMany({ where: { status: "signed" }, data });
}

/** Reconciles all unsettled transactions immediately. */
export async function reconcileNow({ deps }: Service): Promise<void> {
  await makeDue(deps.db);
  await deps.reconciler.run();
}

/** Mines blocks on each EVM chain of the sandbox, until everything before is final. */
export async function finalizeChains({ deps }: Pick<Service, "deps">): Promise<void> {
  const networks = deps.chains.networks.map((name) => NETWORKS[name]).filter(({ kind }) => kind === "evm");
  await Promise.all(
    networks.map(async ({ name }) => {
      const { client, network } = deps.chains.evm(name).rpc;
      const blocks = `0x${network.confirmations.toString(16)}`;
      await client.request({ method: "anvil_mine", params: [blocks] } as never);
    }),
  );
}

/** Waits until a transaction is settled on chain and returns its row. */
export async function waitUntilSettled(service: Service, transactionId: string): Promise<Transaction> {
  return await vi.waitFor(
    async () => {
      await finalizeChains(service);
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
