// @module-tag postgresql
/** 100 concurrent calls against a limit that allows ten: exactly ten are served, and all sums agree. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type GatewayStack, say, startGatewayStack } from "./gateway-harness.ts";

const CALLS = 100;
let gateway: GatewayStack;

beforeAll(async () => {
  gateway = await startGatewayStack();
});
afterAll(() => gateway?.stop());

/** Returns the maximum reservation of one such call: by the provider's flat price, or by tokens. */
async function getMaxReservation(model: string): Promise<bigint> {
  const account = await gateway.account();
  await gateway.client(account).chat.completions.create({ model, messages: say("Count us"), max_tokens: 16 });
  const [row] = await gateway.ledger(account);
  return row?.amountMicroUsd ?? 0n;
}

describe.each([
  ["exact-v1", "credit"],
  ["exact-v2", "wallet"],
  ["key", "credit"],
  ["key", "wallet"],
] as const)("%s paid from %s", (name, source) => {
  it("serves exactly what the limit allows", async () => {
    const model = `sandbox/${name}`;
    const counted = await getMaxReservation(model);
    // The treasury bears a transaction fee for each call, so the minimum cost applies.
    const highest = name === "key" && source === "wallet" && counted < 10_000n ? 10_000n : counted;
    const allowed = 10n;
    const account = await gateway.account({ limits: { dailyMicroUsd: highest * (allowed + 1n) - 1n } });
    const { prisma } = gateway.service.deps.db;
    if (source === "wallet") {
      await gateway.fund(account, "10000000");
      const { accountId } = account;
      await prisma.transaction.deleteMany({ where: { accountId, type: "credit" } });
      await prisma.credit.update({ where: { accountId }, data: { availableMicroUsd: 0n } });
    }
    const client = gateway.client(account, { maxRetries: 0 });
    const before = (await (await fetch(`${gateway.sandbox.adminUrl}/settlements`)).json()) as Settlements;
    // All calls are in flight together: no reservation is released before the last rejection.
    const hold = randomUUID();
    let rejections = 0;
    const calls = Array.from({ length: CALLS }, () =>
      client.chat.completions
        .create({ model, messages: say("Count us"), max_tokens: 16, ...({ sandbox: { hold } } as object) })
        .finally(() => rejections++),
    );
    const settling = Promise.allSettled(calls);
    await expect.poll(() => rejections, { timeout: 60_000 }).toBe(CALLS - Number(allowed));
    await fetch(`${gateway.sandbox.llmUrl}/holds/${hold}/release`, { method: "POST" });
    const results = await settling;
    const served = results.filter(({ status }) => status === "fulfilled");
    const rejected = results.flatMap((reply) => (reply.status === "rejected" ? [reply.reason] : []));
    expect(BigInt(served.length)).toBe(allowed);
    for (const error of rejected) expect(error).toMatchObject({ status: 402, code: "spending_limit_exceeded" });

    const rows = await gateway.settledLedger(account);
    expect(rows).toHaveLength(served.length);
    const settled = rows.reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
    const completed = (await gateway.calls(account)).filter(({ status }) => status === "completed");
    expect(completed.reduce((sum, call) => sum + (call.costMicroUsd ?? 0n), 0n)).toBe(settled);
    const budget = await prisma.budget.findUniqueOrThrow({ where: { id: account.tokenId } });
    expect(budget.dayUsedMicroUsd).toBe(settled);
    if (name !== "key") {
      const after = (await (await fetch(`${gateway.sandbox.adminUrl}/settlements`)).json()) as Settlements;
      const known = new Set(before.settlements.map(({ transaction }) => transaction));
      const newSettlements = after.settlements.filter(({ transaction }) => !known.has(transaction));
      expect(newSettlements.reduce((sum, { amountAtomic }) => sum + BigInt(amountAtomic), 0n)).toBe(settled);
    } else if (source === "wallet") {
      const { evmAddress } = await gateway.service.deps.wallets.ofAccount(account.accountId);
      const chain = gateway.service.deps.chains.evm("base-sepolia");
      chain.invalidateBalances(evmAddress);
      const left = await chain.tokenBalanceAtomic(rows[0]?.asset ?? "", evmAddress);
      expect(left).toBe(10_000_000n - settled);
    }
    expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
  });
});

interface Settlements {
  readonly settlements: readonly { readonly transaction: string; readonly amountAtomic: string }[];
}
