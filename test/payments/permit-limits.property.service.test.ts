// @module-tag postgresql
/**
 * Property: what left a wallet and what can still be collected from it never exceed the daily limit. Both are read from the
 * chain, not from the ledger. Histories have random permits, partial and later draws, time, revocations and two nodes. Some
 * reconciliations break off at a random call.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import type { PaymentDeps } from "../../src/payments/deps.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { EvmChain } from "../../src/wallet/chain.ts";
import { makeDue, reconcileNow } from "../e2e/reconcile.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { advanceChainTime, withChainSnapshot } from "../support/usdc.ts";
import { createPermitSeller, type SellerPermit } from "./permit-seller.ts";

const FUNDS = 1_000_000n;
const DAILY = 100_000n;
/** Number of random histories; a long run sets `PROPERTY_RUNS`. */
const RUNS = Number(process.env["PROPERTY_RUNS"] ?? 6);
const SEED = Number(process.env["PROPERTY_SEED"] ?? Date.now() % 1_000_000);

let sandbox: TestSandbox;
let network: SandboxNetwork;
let satchel: Satchel;
let service: Service;
let seller: ReturnType<typeof createPermitSeller>;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  network = sandbox.networks["base-sepolia"] as SandboxNetwork;
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  await satchel.fundTreasury(0n);
  seller = createPermitSeller(network);
  service = await satchel.open({
    REVOCATION_FEE_PER_SELLER_GWEI: "1000000000",
    REVOCATION_FEE_TOTAL_GWEI: "1000000000",
    REVOCATION_FEE_PER_ACCOUNT_GWEI: "1000000000",
  });
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

/** Calls at which a reconciliation can break off. */
const CRASH_POINTS = ["permitState", "allowance", "prepareCall", "broadcast", "transactionState"] as const;

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pay" as const), cap: fc.bigInt(1n, 60_000n) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("submit" as const), permit: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("draw" as const), percent: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("finalize" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("reconcile" as const), nodes: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("crash" as const), at: fc.constantFrom(...CRASH_POINTS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("race" as const), percent: fc.integer({ min: 1, max: 100 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Returns the dependencies of a node whose EVM chain has other methods. */
function withChain(changes: Partial<EvmChain>): PaymentDeps {
  const evm = (name: Parameters<PaymentDeps["chains"]["evm"]>[0]) => ({ ...service.deps.chains.evm(name), ...changes });
  return { ...service.deps, chains: { ...service.deps.chains, evm } };
}

async function runHistory(payer: Payer, steps: readonly Step[]): Promise<void> {
  const owner = payer.evmAddress;
  const permits: SellerPermit[] = [];
  const readLeft = async () => FUNDS - (await seller.readBalance(owner));

  async function drawPercent(percent: number): Promise<void> {
    const amountAtomic = ((await seller.readAllowance(owner)) * BigInt(percent)) / 100n;
    // The balance can be lower than the allowance of a permit that no reservation covers.
    if (amountAtomic > 0n) await seller.draw(owner, amountAtomic);
  }

  async function reconcileOn(nodes: readonly PaymentDeps[]): Promise<void> {
    await makeDue(service.deps.db);
    await Promise.all(nodes.map(reconcileAllDue));
  }

  async function apply(next: Step): Promise<void> {
    switch (next.do) {
      case "pay": {
        const { status, code, permit } = await seller.requestPermit(service, payer, next.cap);
        if (permit) permits.push(permit);
        else expect(["spending_limit_exceeded", "permit_outstanding"], `${status}`).toContain(code);
        return;
      }
      case "submit":
        // A permit whose nonce is used or whose deadline has passed reverts.
        return await permits[next.permit % permits.length]?.submit().catch(() => {});
      case "draw":
        return await drawPercent(next.percent);
      case "wait":
        return await advanceChainTime(network, next.seconds);
      case "finalize":
        return void (await seller.finalize());
      case "reconcile":
        return await reconcileOn(Array.from({ length: next.nodes }, () => withChain({})));
      case "crash":
        return await reconcileOn([withChain({ [next.at]: () => Promise.reject(new Error("The process ended.")) })]);
      case "race": {
        // The spender draws just before the revocation is mined.
        const broadcast: EvmChain["broadcast"] = async (signed) => {
          await drawPercent(next.percent);
          return await service.deps.chains.evm("base-sepolia").broadcast(signed);
        };
        return await reconcileOn([withChain({ broadcast })]);
      }
    }
  }

  /** The allowance, and each permit that the token would accept next. */
  async function readCollectable(): Promise<bigint> {
    const [allowance, nonce, time] = await Promise.all([
      seller.readAllowance(owner),
      seller.readNonce(owner),
      seller.readTime(),
    ]);
    const unsubmitted = permits.filter((permit) => permit.nonce === nonce && permit.deadline >= time);
    return unsubmitted.reduce((sum, { valueAtomic }) => sum + valueAtomic, allowance);
  }

  for (const next of steps) {
    await apply(next);
    expect((await readLeft()) + (await readCollectable())).toBeLessThanOrEqual(DAILY);
  }
  // In the end everything closes, with exactly what left the wallet. Each revert leaves the chain's clock a little behind.
  await advanceChainTime(network, 1_800);
  for (let round = 0; round < 5 * permits.length + 5; round++) {
    await seller.finalize();
    await reconcileNow(service);
    const open = { accountId: payer.accountId, status: { in: ["reserved", "signed"] } };
    if ((await service.deps.db.prisma.transaction.count({ where: open })) === 0) break;
  }
  const rows = await service.deps.db.prisma.transaction.findMany({
    where: { accountId: payer.accountId, type: "x402" },
  });
  expect(rows.filter(({ status }) => status === "reserved" || status === "signed")).toEqual([]);
  expect(rows.reduce((sum, { settledMicroUsd }) => sum + (settledMicroUsd ?? 0n), 0n)).toBe(await readLeft());
  expect(await readCollectable()).toBe(0n);
  expect(await auditLedger(service.deps.db)).toEqual([]);
}

it(`holds for ${RUNS} random histories (PROPERTY_SEED=${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      // Outside the snapshot: the sandbox counts the nonces of its own transactions.
      const payer = await satchel.payer({ usdcAtomic: FUNDS, accountLimits: { dailyMicroUsd: DAILY } });
      await withChainSnapshot(network, async () => {
        // After a revert anvil has no states of the blocks before the snapshot.
        await seller.finalize();
        await seller.finalize();
        await runHistory(payer, steps);
      });
    }),
    // Each step costs calls of a chain: a failure is reported as found, with its seed.
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 300_000);
