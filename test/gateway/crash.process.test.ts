// @module-tag postgresql
/** A process killed during a paid call: afterwards the call is ended, and each payment is settled or released once. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { failOrphanedCalls } from "../../src/gateway/fail-orphaned-calls.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { finalizeChains } from "../e2e/reconcile.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl as server } from "../support/servers.ts";

const FUNDS = 10_000_000n;
const CASES = [
  ["exact-v1", "wallet", "settled"],
  ["exact-v2", "credit", "settled"],
  ["upto-v2", "wallet", "settled"],
  ["key", "credit", "released"],
  ["key", "wallet", "released"],
] as const;

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;
/** Payers of the interrupted calls, by provider and source of funds. */
const payers = new Map<string, Payer>();

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
  for (const [name, source] of CASES) {
    const funds = source === "wallet" ? { usdcAtomic: FUNDS } : { creditMicroUsd: FUNDS };
    payers.set(`${name} ${source}`, await satchel.payer(funds));
  }
  await killWhileStreaming();
  service = await satchel.open();
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

/** Starts the calls of all cases in one process and kills it during their streams. */
async function killWhileStreaming(): Promise<void> {
  const running = await satchel.start();
  try {
    const readers = await Promise.all(CASES.map(([name, source]) => beginStream(running.baseUrl, name, source)));
    await running.kill();
    for (const reader of readers) await expect(readRest(reader)).rejects.toThrow();
  } finally {
    await running.kill();
  }
}

async function beginStream(baseUrl: string, name: string, source: string) {
  const reply = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${payers.get(`${name} ${source}`)?.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: `sandbox/${name}`,
      messages: [{ role: "user", content: "count" }],
      stream: true,
      sandbox: { delay_ms: 50, pieces: 400 },
    }),
  });
  expect(reply.status).toBe(200);
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).done).toBe(false);
  return reader;
}

/** Reads the data that had already arrived. */
async function readRest(reader: Awaited<ReturnType<typeof beginStream>>): Promise<void> {
  while (!(await reader.read()).done);
}

/** Runs the periodic jobs until no payment is outstanding. */
async function settleAll({ deps }: Service, accountId: string) {
  const { transaction, gatewayCall } = deps.db.prisma;
  return await vi.waitFor(
    async () => {
      const open = { accountId, status: { in: ["reserved", "signed"] } };
      await transaction.updateMany({ where: open, data: { nextCheckAt: new Date(0) } });
      await finalizeChains({ deps });
      await reconcileAllDue(deps);
      // Backdates the calls by two hours, so that they count as orphaned.
      const long = new Date(Date.now() - 7_200_000);
      await gatewayCall.updateMany({ where: { accountId }, data: { createdAt: long } });
      await failOrphanedCalls(deps);
      expect(await transaction.count({ where: open })).toBe(0);
      const rows = await transaction.findMany({ where: { accountId, type: "gateway" } });
      return { rows, calls: await gatewayCall.findMany({ where: { accountId }, include: { transactions: true } }) };
    },
    { timeout: 60_000, interval: 200 },
  );
}

const settlements = async () => {
  const reply = await fetch(`${sandbox.adminUrl}/settlements`);
  return ((await reply.json()) as { settlements: { transaction: string; amountAtomic: string }[] }).settlements;
};

it.each(CASES)("a call at %s paid from %s, killed during its stream, is %s once", async (name, source, status) => {
  const payer = payers.get(`${name} ${source}`) as Payer;
  const { rows, calls } = await settleAll(service, payer.accountId);
  const settled = (await settlements()).filter(({ transaction }) => rows.some(({ txHash }) => txHash === transaction));
  const cost = settled.reduce((sum, { amountAtomic }) => sum + BigInt(amountAtomic), 0n);
  expect(rows.map((row) => [row.status, row.settledMicroUsd ?? 0n])).toEqual([[status, cost]]);
  expect(settled.length).toBe(status === "settled" ? 1 : 0);
  expect(calls).toMatchObject([
    { status: "failed", errorCode: "internal_error", transactions: [{ transactionId: rows[0]?.id }] },
  ]);
  expect(calls[0]?.costMicroUsd ?? 0n).toBe(cost);
  const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
  expect(budget.dayUsedMicroUsd).toBe(cost);
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

it("no provider is paid twice", async () => {
  for (const { accountId } of payers.values()) await settleAll(service, accountId);
  expect(await settlements()).toHaveLength(CASES.filter(([, , status]) => status === "settled").length);
});
