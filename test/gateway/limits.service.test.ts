// @module-tag postgresql
/** 100 calls at the same moment against a limit that allows ten: what fits is served, and every sum agrees. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openRoom, type Room, say } from "./room.ts";

const CALLS = 100;
let room: Room;

beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room?.stop());

/** What one such call reserves at most: by the provider's flat price, or by tokens. */
async function highestOf(model: string): Promise<bigint> {
  const account = await room.account();
  await room.client(account).chat.completions.create({ model, messages: say("Count us"), max_tokens: 16 });
  const [row] = await room.ledger(account);
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
    const counted = await highestOf(model);
    // A transaction of the treasury for each call: it costs no less.
    const highest = name === "key" && source === "wallet" && counted < 10_000n ? 10_000n : counted;
    const allowed = 10n;
    const account = await room.account({ limits: { dailyMicroUsd: highest * (allowed + 1n) - 1n } });
    const { prisma } = room.service.deps.db;
    if (source === "wallet") {
      await room.fund(account, "10000000");
      const { accountId } = account;
      await prisma.transaction.deleteMany({ where: { accountId, type: "credit" } });
      await prisma.credit.update({ where: { accountId }, data: { availableMicroUsd: 0n } });
    }
    const client = room.client(account, { maxRetries: 0 });
    const before = (await (await fetch(`${room.sandbox.adminUrl}/settlements`)).json()) as Settlements;
    const answers = await Promise.allSettled(
      Array.from({ length: CALLS }, () =>
        client.chat.completions.create({
          model,
          messages: say("Count us"),
          max_tokens: 16,
          // All of them are under way together: nothing is given back before the last is refused.
          ...({ sandbox: { delay_ms: 6_000 } } as object),
        }),
      ),
    );
    const served = answers.filter(({ status }) => status === "fulfilled");
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(BigInt(served.length)).toBe(allowed);
    for (const error of refused) expect(error).toMatchObject({ status: 402, code: "spending_limit_exceeded" });

    const rows = await room.settledLedger(account);
    expect(rows).toHaveLength(served.length);
    const settled = rows.reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
    const calls = (await room.calls(account)).filter(({ status }) => status === "completed");
    expect(calls.reduce((sum, call) => sum + (call.costMicroUsd ?? 0n), 0n)).toBe(settled);
    const budget = await prisma.budget.findUniqueOrThrow({ where: { id: account.tokenId } });
    expect(budget.dayUsedMicroUsd).toBe(settled);
    if (name !== "key") {
      const after = (await (await fetch(`${room.sandbox.adminUrl}/settlements`)).json()) as Settlements;
      const known = new Set(before.settlements.map(({ transaction }) => transaction));
      const taken = after.settlements.filter(({ transaction }) => !known.has(transaction));
      expect(taken.reduce((sum, { amountAtomic }) => sum + BigInt(amountAtomic), 0n)).toBe(settled);
    } else if (source === "wallet") {
      const { evmAddress } = await room.service.deps.wallets.ofAccount(account.accountId);
      const chain = room.service.deps.chains.evm("base-sepolia");
      chain.forgetBalances(evmAddress);
      const left = await chain.tokenBalanceAtomic(rows[0]?.asset ?? "", evmAddress);
      expect(left).toBe(10_000_000n - settled);
    }
    expect(await auditLedger(room.service.deps.db)).toEqual([]);
  });
});

interface Settlements {
  readonly settlements: readonly { readonly transaction: string; readonly amountAtomic: string }[];
}
