// @module-tag postgresql
/** A process killed in the middle of a paid call: afterwards the call is ended, and each payment settled or released once. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { endLostCalls } from "../../src/gateway/end-lost-calls.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import type { Service } from "../../src/service/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";

const FUNDS = 10_000_000n;
let sandbox: TestSandbox;
let satchel: Satchel;
let running: SatchelProcess | null = null;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  const at = (path: string) => ({ baseUrl: `${sandbox.llmUrl}/${path}/v1` });
  const providers = [
    ...["exact-v1", "exact-v2", "upto-v2"].map((name) => ({ name, ...at(name), kind: "x402" })),
    { name: "key", ...at("key"), kind: "key", apiKey: "sandbox-llm-key" },
  ];
  satchel = await createSatchel({
    sandbox,
    postgresql: server,
    env: { GATEWAY_PROVIDERS: JSON.stringify(providers) },
  });
  await satchel.fundTreasury(FUNDS);
});
afterEach(async () => {
  await running?.kill();
  running = null;
});
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
});

/** What the repeated jobs do once everything is due, until nothing is outstanding any more. */
async function settleAll({ deps }: Service, accountId: string) {
  const { transaction, gatewayCall } = deps.db.prisma;
  return await vi.waitFor(
    async () => {
      const open = { accountId, status: { in: ["reserved", "signed"] } };
      await transaction.updateMany({ where: open, data: { nextCheckAt: new Date(0) } });
      await reconcileAllDue(deps);
      // Hours later: what nobody can be answering any more.
      const long = new Date(Date.now() - 7_200_000);
      await gatewayCall.updateMany({ where: { accountId }, data: { createdAt: long } });
      await endLostCalls(deps);
      expect(await transaction.count({ where: open })).toBe(0);
      const rows = await transaction.findMany({ where: { accountId, type: "gateway" } });
      return { rows, calls: await gatewayCall.findMany({ where: { accountId }, include: { transactions: true } }) };
    },
    { timeout: 20_000, interval: 200 },
  );
}

const settled = async () => {
  const answer = await fetch(`${sandbox.adminUrl}/settlements`);
  const { settlements } = (await answer.json()) as { settlements: { transaction: string; amountAtomic: string }[] };
  return settlements;
};

it.each([
  ["exact-v1", "wallet", "settled"],
  ["exact-v2", "credit", "settled"],
  ["upto-v2", "wallet", "settled"],
  ["key", "credit", "released"],
  ["key", "wallet", "released"],
])("at %s, paid from %s, in the middle of its stream: %s once", async (name, source, status) => {
  const payer = await satchel.payer(source === "wallet" ? { usdcAtomic: FUNDS } : { creditMicroUsd: FUNDS });
  running = await satchel.start();
  const before = (await settled()).length;
  const answer = await fetch(`${running.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${payer.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: `sandbox/${name}`,
      messages: [{ role: "user", content: "count" }],
      stream: true,
      sandbox: { delay_ms: 50, pieces: 400 },
    }),
  });
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await running.kill();
  running = null;
  await expect(reader?.read().then(() => reader.read())).rejects.toThrow();

  const service = await satchel.open();
  try {
    const { rows, calls } = await settleAll(service, payer.accountId);
    const taken = (await settled()).slice(before);
    const cost = taken.reduce((sum, { amountAtomic }) => sum + BigInt(amountAtomic), 0n);
    expect(rows.map((row) => [row.status, row.settledMicroUsd ?? 0n])).toEqual([[status, cost]]);
    expect(taken.length).toBe(status === "settled" ? 1 : 0);
    expect(calls).toMatchObject([
      { status: "failed", errorCode: "interrupted", transactions: [{ transactionId: rows[0]?.id }] },
    ]);
    expect(calls[0]?.costMicroUsd ?? 0n).toBe(cost);
    const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
    expect(budget.dayUsedMicroUsd).toBe(cost);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  } finally {
    await service.stop();
  }
});
