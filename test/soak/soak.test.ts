/**
 * `npm run soak`: agents run all kinds of payments concurrently while their nodes are killed one after the other. Afterwards
 * all payments must become final, and the ledger must match chains and sellers exactly. `SOAK_MINUTES` sets the duration.
 */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { failOrphanedCalls } from "../../src/gateway/fail-orphaned-calls.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import { resumeTrades } from "../../src/trade/resume-trades.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { finalizeChains, makeDue } from "../e2e/reconcile.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { advanceChainTime } from "../support/usdc.ts";
import { AGENT_TASKS, type AgentTask, MODELS } from "./agent-tasks.ts";
import { comparePurchases, compareTransfers, compareWallets } from "./compare-ledger.ts";

const SOAK_MS = Number(process.env["SOAK_MINUTES"] ?? 5) * 60_000;
const ENDING_MS = 5 * 60_000;
const AGENT_COUNT = 6;
/** Two nodes if they can share a database server. */
const NODE_COUNT = postgresqlUrl === null ? 1 : 2;
const LIFE_MS = [3_000, 12_000] as const;
const FUNDS = 40_000_000n;
const DAY_LIMIT_MICRO_USD = 25_000_000n;

let sandbox: TestSandbox;
let satchel: Satchel;
const payers: Payer[] = [];
const nodes: (SatchelProcess | null)[] = [];
const problems: string[] = [];

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia", "base", "solana-devnet"]);
  const providers = MODELS.map((name) => ({
    name,
    baseUrl: `${sandbox.llmUrl}/${name}/v1`,
    ...(name === "key" ? { kind: "key", apiKey: "sandbox-llm-key" } : { kind: "x402" }),
  }));
  satchel = await createSatchel({
    sandbox,
    postgresql: postgresqlUrl,
    env: {
      GATEWAY_PROVIDERS: JSON.stringify(providers),
      DEX_URL: sandbox.dexUrl ?? "",
      DEX_API_KEY: "any",
      RECONCILE_INTERVAL_MS: "1500",
    },
  });
  await satchel.fundTreasury(FUNDS);
  const tokenLimits = { dailyMicroUsd: DAY_LIMIT_MICRO_USD };
  for (const creditMicroUsd of [300_000n, 0n, 0n]) {
    payers.push(await satchel.payer({ usdcAtomic: FUNDS, creditMicroUsd, tokenLimits }));
  }
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node?.kill()));
  await satchel?.remove();
  await sandbox?.stop();
});

/** Kills a node after a random time, as in a power cut, and starts another in its place. Returns the number of kills. */
async function killNodes(endMs: number): Promise<number> {
  let kills = 0;
  while (Date.now() < endMs) {
    await pause(randomInt(...LIFE_MS));
    await killNode(kills % NODE_COUNT);
    nodes[kills++ % NODE_COUNT] = await satchel.start();
  }
  return kills;
}

async function killNode(index: number): Promise<void> {
  const node = nodes[index];
  nodes[index] = null;
  await node?.kill();
  problems.push(...(node?.output().match(/^\{"level":"(?:error|fatal)".*$/gm) ?? []));
}

/** Runs tasks one after the other until the end time. A broken connection is an expected outcome. */
async function runAgent(endMs: number, done: { task: AgentTask; what: string; outcome: string }[]): Promise<void> {
  const kinds = Object.keys(AGENT_TASKS);
  while (Date.now() < endMs) {
    const node = nodes[randomInt(NODE_COUNT)];
    if (!node) {
      await pause(50);
      continue;
    }
    const what = kinds[randomInt(kinds.length)] as string;
    const payer = payers[randomInt(payers.length)] as Payer;
    const task = { number: done.length + 1, idempotencyKey: randomUUID(), payer, baseUrl: node.baseUrl, sandbox };
    const entry = { task, what, outcome: "in flight" };
    done.push(entry);
    entry.outcome = (await AGENT_TASKS[what]?.(task).catch(() => "broken off")) ?? "";
  }
}

/** Runs the recurring jobs as over two hours, until no payment is outstanding. */
async function settleEverything({ deps }: Service): Promise<void> {
  for (const name of ["base-sepolia", "base"] as const) {
    await advanceChainTime(sandbox.networks[name] as SandboxNetwork, 7_200);
  }
  const { transaction, gatewayCall } = deps.db.prisma;
  const open = { status: { in: ["reserved", "signed"] } };
  await vi.waitFor(
    async () => {
      await makeDue(deps.db);
      await finalizeChains({ deps });
      await reconcileAllDue(deps);
      await resumeTrades(deps);
      await gatewayCall.updateMany({ data: { createdAt: new Date(Date.now() - 7_200_000) } });
      await failOrphanedCalls(deps);
      expect(await transaction.groupBy({ by: ["type", "network", "status"], where: open, _count: true })).toEqual([]);
    },
    { timeout: ENDING_MS, interval: 1_000 },
  );
}

it(
  "loses no payment and pays nothing twice when nodes are killed",
  async () => {
    for (let index = 0; index < NODE_COUNT; index++) nodes[index] = await satchel.start();
    const done: { task: AgentTask; what: string; outcome: string }[] = [];
    const endMs = Date.now() + SOAK_MS;
    const [kills] = await Promise.all([
      killNodes(endMs),
      ...Array.from({ length: AGENT_COUNT }, () => runAgent(endMs, done)),
    ]);
    for (let index = 0; index < NODE_COUNT; index++) await killNode(index);

    const tally = new Map<string, number>();
    for (const { what, outcome } of done) {
      tally.set(`${what}: ${outcome}`, (tally.get(`${what}: ${outcome}`) ?? 0) + 1);
    }
    const outcomes = [...tally].sort().map(([outcome, times]) => `\n${String(times).padStart(6)} ${outcome}`);
    process.stdout.write(`${done.length} tasks, ${kills} kills${outcomes.join("")}\n`);
    expect(problems).toEqual([]);
    // Every kind of task must have run, as a run without them would prove nothing.
    expect([...new Set(done.map(({ what }) => what))].sort()).toEqual(Object.keys(AGENT_TASKS).sort());

    const service = await satchel.open();
    try {
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await settleEverything(service);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await compareWallets(service, sandbox, payers, FUNDS);
      const sent = done.filter(({ what }) => what === "send").map(({ task }) => task);
      await compareTransfers(service, sandbox, sent);
      await comparePurchases(sandbox, done.length);
    } finally {
      await service.stop();
    }
  },
  SOAK_MS + 2 * ENDING_MS,
);
