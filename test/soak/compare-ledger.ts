/** Compares the ledger with the records of chains, sellers and recipients of transfers. */
import { expect } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { Payer } from "../support/satchel.ts";
import { readUsdcBalance } from "../support/usdc.ts";
import { type AgentTask, createPricedPath, createRecipientAddress, selectNetwork } from "./agent-tasks.ts";

/** Expects that the amount spent by each wallet on each chain equals the settled amount in the ledger. */
export async function compareWallets(service: Service, sandbox: TestSandbox, payers: readonly Payer[], funds: bigint) {
  for (const payer of payers) {
    for (const [network, chain] of Object.entries(sandbox.networks) as [string, SandboxNetwork][]) {
      const owner = chain.chainId === undefined ? payer.solanaAddress : payer.evmAddress;
      const rows = await service.deps.db.prisma.transaction.findMany({
        where: { accountId: payer.accountId, network, status: "settled", direction: "out", paidFromCredit: false },
      });
      const settled = rows.reduce((sum, { settledAtomic }) => sum + BigInt(settledAtomic?.toFixed(0) ?? 0), 0n);
      expect([network, owner, funds - (await readUsdcBalance(chain, owner))]).toEqual([network, owner, settled]);
    }
  }
}

/** Expects that each recipient's balance equals the settled amount in the ledger. */
export async function compareTransfers(service: Service, sandbox: TestSandbox, sent: readonly AgentTask[]) {
  for (const { number, payer, idempotencyKey } of sent) {
    const rows = await service.deps.db.prisma.transaction.findMany({
      where: { accountId: payer.accountId, idempotencyKey },
    });
    const settled = rows.reduce((sum, { settledAtomic }) => sum + BigInt(settledAtomic?.toFixed(0) ?? 0), 0n);
    const chain = sandbox.networks[selectNetwork(number)] as SandboxNetwork;
    expect([number, await readUsdcBalance(chain, createRecipientAddress(number))]).toEqual([number, settled]);
  }
}

/** Expects that no seller received two distinct payments for one purchase. */
export async function comparePurchases(sandbox: TestSandbox, tasks: number) {
  for (let number = 1; number <= tasks; number++) {
    const { distinctPayments } = await sandbox.observed(createPricedPath(number));
    expect([number, distinctPayments.length <= 1]).toEqual([number, true]);
  }
}
