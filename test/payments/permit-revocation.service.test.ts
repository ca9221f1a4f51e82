// @module-tag postgresql
/** Invariant: an `upto` payment remains counted until nothing can be drawn under its permit any more. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import type { PaymentDeps } from "../../src/payments/deps.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { EvmChain } from "../../src/wallet/chain.ts";
import { signTransaction } from "../../src/wallet/evm/transactions.ts";
import { makeDue, reconcileNow } from "../e2e/reconcile.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { advanceChainTime, withChainSnapshot } from "../support/usdc.ts";
import { createPermitSeller, type SellerPermit } from "./permit-seller.ts";

const CAP = 50_000n;
const FUNDS = 1_000_000n;
const DAILY = 100_000n;
const UNLIMITED_SELLERS = { perSellerWei: 10n ** 18n, totalWei: 10n ** 18n };

let sandbox: TestSandbox;
let network: SandboxNetwork;
let satchel: Satchel;
let service: Service;
let payer: Payer;
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
    UPTO_SPENDERS: "",
    FACILITATOR_URLS: sandbox.facilitatorUrl,
  });
  await service.deps.facilitatorSigners.refresh();
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});
beforeEach(async () => {
  payer = await satchel.payer({ usdcAtomic: FUNDS, accountLimits: { dailyMicroUsd: DAILY } });
});

async function sign(options?: { host?: string; validitySeconds?: number }): Promise<SellerPermit> {
  const { status, code, permit } = await seller.requestPermit(service, payer, CAP, options);
  if (!permit) throw new Error(`The payment was refused: ${status} ${code}`);
  return permit;
}

async function signAndDraw(drawnAtomic: bigint): Promise<SellerPermit> {
  const permit = await sign();
  await permit.submit();
  if (drawnAtomic > 0n) await seller.draw(permit.owner, drawnAtomic);
  return permit;
}

/** Makes everything final and reconciles. */
async function settleStep(): Promise<void> {
  await seller.finalize();
  await reconcileNow(service);
}

/** Calls `act`, which may advance the chain's clock. */
async function withLaterTime(act: () => Promise<void>): Promise<void> {
  await withChainSnapshot(network, act);
  // anvil no longer has the states of the blocks before the snapshot.
  await seller.finalize();
  await seller.finalize();
}

const readRow = (id: string) => service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
const listRevocations = (transactionId: string) =>
  service.deps.db.prisma.permitRevocation.findMany({ where: { transactionId }, orderBy: { createdAt: "asc" } });

/** Returns dependencies whose EVM chain has other methods. */
function withChain(changes: Partial<EvmChain>): PaymentDeps {
  const evm = (name: Parameters<PaymentDeps["chains"]["evm"]>[0]) => ({ ...service.deps.chains.evm(name), ...changes });
  return { ...service.deps, chains: { ...service.deps.chains, evm } };
}

async function reconcileWith(deps: PaymentDeps): Promise<void> {
  await makeDue(service.deps.db);
  await reconcileAllDue(deps);
}

describe("a seller that draws a little of each permit and the rest later", () => {
  it.each([
    ["with revocations", 10n ** 18n, 4],
    ["without funds for revocations", 0n, 2],
  ])("never collects more than the daily limit, %s", async (_case, perAccountWei, signedCount) => {
    const { deps } = service;
    const revocationFees = { perAccountWei, ...UNLIMITED_SELLERS };
    const limited = { ...deps, settings: { ...deps.settings, revocationFees } };
    const owner = payer.evmAddress;
    const permits: SellerPermit[] = [];
    for (let count = 0; count < 4; count++) {
      const { permit } = await seller.requestPermit(service, payer, CAP);
      if (!permit) continue;
      permits.push(permit);
      await permit.submit();
      await seller.draw(owner, 1_000n);
      for (let step = 0; step < 3; step++) {
        await seller.finalize();
        await reconcileWith(limited);
      }
      // The rest, after the ledger has seen the first draw as final.
      await seller.draw(owner, await seller.readAllowance(owner));
    }
    const left = FUNDS - (await seller.readBalance(owner));
    expect(left).toBeLessThanOrEqual(DAILY);
    expect(permits).toHaveLength(signedCount);
    for (let step = 0; step < 4; step++) await settleStep();
    const settled = await deps.db.prisma.transaction.aggregate({
      where: { accountId: payer.accountId, type: "x402", status: "settled" },
      _sum: { settledMicroUsd: true },
    });
    expect(settled._sum.settledMicroUsd).toBe(left);
    expect(await auditLedger(deps.db)).toEqual([]);
  });

  it("can pay the whole limit again after the revocations, and not before", async () => {
    const first = await signAndDraw(1_000n);
    await reconcileNow(service);
    await signAndDraw(1_000n);
    await reconcileNow(service);
    expect((await seller.requestPermit(service, payer, CAP)).code).toBe("spending_limit_exceeded");
    for (let step = 0; step < 4; step++) await settleStep();
    // The second permit replaced the allowance of the first, which therefore needed no revocation.
    expect(await readRow(first.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
    expect(await listRevocations(first.paymentId)).toEqual([]);
    expect(await seller.readAllowance(payer.evmAddress)).toBe(0n);
    expect((await seller.requestPermit(service, payer, CAP)).status).toBe(200);
  });
});

describe("the revocation of a permit", () => {
  it("follows the first final draw, and settles the payment with the exact draws once it is final", async () => {
    const permit = await signAndDraw(1_000n);
    await reconcileNow(service);
    // A draw that is not final could still be replaced.
    expect(await listRevocations(permit.paymentId)).toEqual([]);
    await settleStep();
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    expect(metrics).toContain("satchel_permit_revocations_pending 1\n");
    expect(metrics).toMatch(/^satchel_open_permits_micro_usd [1-9]\d+$/m);
    const [revocation] = await listRevocations(permit.paymentId);
    expect(revocation).toMatchObject({ status: "signed", feeWei: null, accountId: payer.accountId });
    expect((await readRow(permit.paymentId)).permitSlot).not.toBeNull();
    expect((await seller.requestPermit(service, payer, 1_000n)).code).toBe("permit_outstanding");
    await reconcileNow(service);
    expect(await seller.readAllowance(permit.owner)).toBe(0n);
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "signed", permitSlot: null });
    const [mined] = await listRevocations(permit.paymentId);
    expect(mined?.status).toBe("mined");
    expect(BigInt(mined?.feeWei?.toFixed(0) ?? 0)).toBeGreaterThan(21_000n);
    await settleStep();
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });

  it("counts a draw that precedes it", async () => {
    const permit = await signAndDraw(1_000n);
    await seller.finalize();
    const deps = withChain({
      async broadcast(signed) {
        await seller.draw(permit.owner, 2_000n);
        return await service.deps.chains.evm("base-sepolia").broadcast(signed);
      },
    });
    await reconcileWith(deps);
    for (let step = 0; step < 2; step++) await settleStep();
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 3_000n });
  });

  it("waits for the deadline if nothing was drawn, and then releases the payment", async () => {
    await withLaterTime(async () => {
      const permit = await signAndDraw(0n);
      await settleStep();
      expect(await listRevocations(permit.paymentId)).toEqual([]);
      await advanceChainTime(network, 100);
      for (let step = 0; step < 3; step++) await settleStep();
      expect((await readRow(permit.paymentId)).status).toBe("released");
      expect(await seller.readAllowance(permit.owner)).toBe(0n);
    });
  });

  it("is not sent for an unsubmitted permit, which is released after its deadline", async () => {
    await withLaterTime(async () => {
      const permit = await sign();
      await settleStep();
      expect((await readRow(permit.paymentId)).status).toBe("signed");
      await advanceChainTime(network, 100);
      await settleStep();
      expect((await readRow(permit.paymentId)).status).toBe("released");
      expect(await listRevocations(permit.paymentId)).toEqual([]);
    });
  });

  it("waits while an unsubmitted permit may use the nonce, and both payments remain counted", async () => {
    const older = await signAndDraw(1_000n);
    await reconcileNow(service);
    const newer = await sign();
    await settleStep();
    expect(await listRevocations(older.paymentId)).toEqual([]);
    expect((await readRow(older.paymentId)).status).toBe("signed");
    expect((await seller.requestPermit(service, payer, 1n)).status).not.toBe(200);
    // Both allowances can be drawn completely, one after the other.
    await seller.draw(older.owner, CAP - 1_000n);
    await newer.submit();
    await seller.draw(older.owner, CAP);
    for (let step = 0; step < 2; step++) await settleStep();
    for (const { paymentId } of [older, newer]) {
      expect(await readRow(paymentId)).toMatchObject({ status: "settled", settledMicroUsd: CAP });
    }
  });

  it("is sent once by several nodes, and sent again after a crash before its broadcast", async () => {
    const permit = await signAndDraw(1_000n);
    await seller.finalize();
    const crashing = withChain({ broadcast: () => Promise.reject(new Error("The process ended.")) });
    await makeDue(service.deps.db);
    await Promise.all([1, 2, 3].map(() => reconcileAllDue(crashing)));
    await reconcileWith(crashing);
    expect(await listRevocations(permit.paymentId)).toHaveLength(1);
    expect(await seller.readAllowance(permit.owner)).toBe(CAP - 1_000n);
    for (let step = 0; step < 3; step++) await settleStep();
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
    expect(await listRevocations(permit.paymentId)).toMatchObject([{ status: "mined" }]);
  });

  it("is replaced by another one if its transaction can no longer be mined", async () => {
    const permit = await signAndDraw(1_000n);
    await seller.finalize();
    await reconcileWith(withChain({ broadcast: () => Promise.reject(new Error("The process ended.")) }));
    const { db, wallets, chains, vault } = service.deps;
    // A withdrawal uses the nonce of the treasury.
    const treasury = await wallets.treasury();
    const chain = chains.evm("base-sepolia");
    const call = { from: treasury.evmAddress, to: treasury.evmAddress, data: "0x" } as const;
    await chain.broadcast((await signTransaction(vault, treasury, await chain.prepareCall(call))).rawTransaction);
    for (let step = 0; step < 5; step++) await settleStep();
    expect((await listRevocations(permit.paymentId)).map(({ status }) => status)).toEqual(["dropped", "mined"]);
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
    expect(await db.prisma.permitRevocation.count({ where: { status: "signed" } })).toBe(0);
  });
});

describe("the daily fee limits of revocations", () => {
  it.each([
    ["account", { perAccountWei: 1n, ...UNLIMITED_SELLERS }],
    ["seller", { perAccountWei: 10n ** 18n, perSellerWei: 1n, totalWei: 10n ** 18n }],
    ["network", { perAccountWei: 10n ** 18n, perSellerWei: 10n ** 18n, totalWei: 1n }],
  ])("leave the payment counted when those of the %s are reached, until they allow it", async (_of, limits) => {
    const permit = await signAndDraw(1_000n);
    const capped = { ...service.deps, settings: { ...service.deps.settings, revocationFees: limits } };
    for (let step = 0; step < 3; step++) {
      await seller.finalize();
      await reconcileWith(capped);
    }
    expect(await listRevocations(permit.paymentId)).toEqual([]);
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "signed", permitSlot: null });
    const spending = await service.deps.db.prisma.budget.findFirstOrThrow({
      where: { accountId: payer.accountId, dailyLimitMicroUsd: DAILY },
    });
    expect(spending.dayUsedMicroUsd).toBe(CAP);
    for (let step = 0; step < 3; step++) await settleStep();
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
  });

  it("count fees of the current day only, and pending ones with their maximum", async () => {
    const permit = await signAndDraw(1_000n);
    for (let step = 0; step < 2; step++) await settleStep();
    const [first] = await listRevocations(permit.paymentId);
    const feeWei = BigInt(first?.feeWei?.toFixed(0) ?? 0);
    const limits = { perAccountWei: feeWei + 1n, ...UNLIMITED_SELLERS };
    const capped = { ...service.deps, settings: { ...service.deps.settings, revocationFees: limits } };
    await settleStep();
    const next = await signAndDraw(1_000n);
    await seller.finalize();
    await reconcileWith(capped);
    expect(await listRevocations(next.paymentId)).toEqual([]);
    const yesterday = new Date(Date.now() - 86_400_000);
    await service.deps.db.prisma.permitRevocation.updateMany({
      where: { accountId: payer.accountId },
      data: { createdAt: yesterday },
    });
    await reconcileWith({
      ...capped,
      settings: { ...capped.settings, revocationFees: { perAccountWei: 10n ** 16n, ...UNLIMITED_SELLERS } },
    });
    expect(await listRevocations(next.paymentId)).toHaveLength(1);
  });

  it("bound the fees of a replaced revocation together with the others of the day", async () => {
    const permit = await signAndDraw(1_000n);
    await seller.finalize();
    await reconcileWith(withChain({ broadcast: () => Promise.reject(new Error("The process ended.")) }));
    const { db, settings } = service.deps;
    const [pending] = await listRevocations(permit.paymentId);
    if (!pending) throw new Error("There is no revocation.");
    const others = BigInt(pending.maxFeeWei.toFixed(0)) * 10n;
    await db.prisma.permitRevocation.update({ where: { id: pending.id }, data: { sentAt: new Date(0) } });
    await db.prisma.permitRevocation.create({
      data: { ...pending, id: "rev_other", status: "mined", feeWei: others.toString(), nextCheckAt: null },
    });
    const follow = async (perAccountWei: bigint) => {
      const deps = withChain({ broadcast: () => Promise.reject(new Error("The process ended.")) });
      const revocationFees = { perAccountWei, ...UNLIMITED_SELLERS };
      await reconcileWith({ ...deps, settings: { ...settings, revocationFees } });
      const row = await db.prisma.permitRevocation.findUniqueOrThrow({ where: { id: pending.id } });
      return row.txHashes.length;
    };
    expect(await follow(others)).toBe(1);
    expect(await follow(others * 2n)).toBe(2);
    for (let step = 0; step < 3; step++) await settleStep();
    expect(await readRow(permit.paymentId)).toMatchObject({ status: "settled", settledMicroUsd: 1_000n });
  });
});
