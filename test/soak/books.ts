/** The ledger held against what the far ends know: chains, shops and those who were sent money. */
import { expect } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { Payer } from "../support/satchel.ts";
import { usdcOf } from "../support/usdc.ts";
import { type Errand, pricedPath, sendsOn, strangerOf } from "./errands.ts";

/** What left each wallet on each chain is what the ledger says was settled from it, to the last unit. */
export async function compareWallets(service: Service, sandbox: TestSandbox, payers: readonly Payer[], funds: bigint) {
  for (const payer of payers) {
    for (const [network, chain] of Object.entries(sandbox.networks) as [string, SandboxNetwork][]) {
      const owner = chain.chainId === undefined ? payer.solanaAddress : payer.evmAddress;
      const rows = await service.deps.db.prisma.transaction.findMany({
        where: { accountId: payer.accountId, network, status: "settled", direction: "out", paidFromCredit: false },
      });
      const settled = rows.reduce((sum, { settledAtomic }) => sum + BigInt(settledAtomic?.toFixed(0) ?? 0), 0n);
      expect([network, owner, funds - (await usdcOf(chain, owner))]).toEqual([network, owner, settled]);
    }
  }
}

/** Whom money was sent to has it once, or not at all where the ledger says so. */
export async function compareTransfers(service: Service, sandbox: TestSandbox, sent: readonly Errand[]) {
  for (const { number, payer, idempotencyKey } of sent) {
    const rows = await service.deps.db.prisma.transaction.findMany({
      where: { accountId: payer.accountId, idempotencyKey },
    });
    const settled = rows.reduce((sum, { settledAtomic }) => sum + BigInt(settledAtomic?.toFixed(0) ?? 0), 0n);
    const chain = sandbox.networks[sendsOn(number)] as SandboxNetwork;
    expect([number, await usdcOf(chain, strangerOf(number))]).toEqual([number, settled]);
  }
}

/** No shop has seen two payments for what was asked for once. */
export async function comparePurchases(sandbox: TestSandbox, errands: number) {
  for (let number = 1; number <= errands; number++) {
    const { distinctPayments } = await sandbox.observed(pricedPath(number));
    expect([number, distinctPayments.length <= 1]).toEqual([number, true]);
  }
}
