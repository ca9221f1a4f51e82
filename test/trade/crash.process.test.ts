// @module-tag postgresql
/** A process killed at any point of a trade: the trade is executed once or released, and no nonce has two transactions. */
import { keccak256, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { followGasPurchases } from "../../src/trade/gas/follow-gas-purchases.ts";
import { resumeTrades } from "../../src/trade/resume-trades.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { findChainDifferences } from "../support/chain-differences.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, type StopPoints } from "../support/stop-points.ts";
import { openUnresponsiveRpc } from "../support/unresponsive-rpc.ts";
import { callRpc } from "../support/usdc.ts";
import { type LossyRpc, openLossyRpc } from "./lossy-rpc.ts";
import { connectMarket, DAI, type Market, NATIVE, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;
const STATUS_CHANGED = "BEFORE UPDATE ON evm_transactions FOR EACH ROW";

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed`, () => {
  let sandbox: TestSandbox;
  let market: Market;
  let satchel: Satchel;
  let points: StopPoints;
  let running: SatchelProcess | null = null;

  beforeAll(async () => {
    sandbox = await openSandbox(["base"]);
    market = connectMarket(sandbox);
    satchel = await createSatchel({
      sandbox,
      postgresql: server,
      env: { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" },
    });
    points = await createStopPoints(satchel, {
      server,
      points: {
        reserved: "BEFORE INSERT ON trades FOR EACH ROW",
        committed: `${STATUS_CHANGED} WHEN (OLD.status = 'reserved' AND NEW.status = 'signed' AND NEW.purpose = 'approve')`,
        approved: `${STATUS_CHANGED} WHEN (OLD.status = 'reserved' AND NEW.status = 'signed' AND NEW.purpose = 'swap')`,
        sent: `${STATUS_CHANGED} WHEN (NEW.status = 'mined' AND NEW.purpose = 'swap' AND OLD.status = 'signed')`,
        settled: "BEFORE UPDATE ON trades FOR EACH ROW WHEN (NEW.status = 'settled')",
        gasSigned: "BEFORE INSERT ON gas_purchases FOR EACH ROW",
        gasMined: `BEFORE UPDATE ON transactions FOR EACH ROW
          WHEN (NEW.status = 'settled' AND OLD.status = 'signed' AND NEW.description LIKE 'Network fee of the trade%')`,
        gasSettled: "BEFORE UPDATE ON gas_purchases FOR EACH ROW WHEN (NEW.status = 'mined')",
        gasBought: "BEFORE INSERT ON evm_transactions FOR EACH ROW",
      },
    });
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    // A stop point left by a failed test must not stop the next test.
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  const trade = (baseUrl: string, { token }: Payer, key: string) =>
    fetch(`${baseUrl}/api/trade`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token, "idempotency-key": key },
      body: JSON.stringify({ sellToken: "USDC", buyToken: "DAI", sellAmount: 10 }),
    });

  async function killWhenStopped(): Promise<void> {
    if (running) await points.killWhenStopped(running);
    running = null;
  }

  const tradesOf = ({ deps }: Service, { accountId }: Payer) =>
    deps.db.prisma.trade.findMany({ where: { accountId }, include: { steps: { orderBy: { nonce: "asc" } } } });

  /** Runs the recurring job with everything due, until nothing changes. */
  async function resume({ deps }: Service): Promise<void> {
    const past = new Date(Date.now() - 1_000);
    for (let round = 0; round < 4; round++) {
      await deps.db.prisma.evmTransaction.updateMany({
        where: { nextCheckAt: { not: null } },
        data: { nextCheckAt: past },
      });
      await deps.db.prisma.transaction.updateMany({
        where: { type: "trade", status: "reserved" },
        data: { nextCheckAt: past },
      });
      await deps.db.prisma.gasPurchase.updateMany({
        where: { nextCheckAt: { not: null } },
        data: { nextCheckAt: past },
      });
      await resumeTrades(deps);
      await followGasPurchases(deps);
    }
  }

  const endLeases = ({ deps }: Service) =>
    deps.db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } });

  it("after the reservation: the trade is released, and the same key trades again", async () => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    await points.stopAt("reserved");
    running = await satchel.start();
    const call = trade(running.baseUrl, payer, "after-reserved").catch(() => null);
    await killWhenStopped();
    expect(await call).toBeNull();
    const service = await satchel.open();
    try {
      await resume(service);
      const where = { accountId: payer.accountId, type: "trade" };
      expect((await service.deps.db.prisma.transaction.findMany({ where })).map(({ status }) => status)).toEqual([
        "released",
      ]);
      expect([await market.nonce(payer.evmAddress), await tradesOf(service, payer)]).toEqual([0, []]);
      await endLeases(service);
      expect((await trade(service.baseUrl, payer, "after-reserved")).status).toBe(200);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  it.each([
    ["committed", 0],
    ["approved", 1],
    ["sent", 2],
    ["settled", 2],
  ])("after it was %s: the job executes it once, and the same key returns it", async (point, minedBefore) => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    await points.stopAt(point);
    running = await satchel.start();
    const call = trade(running.baseUrl, payer, point).catch(() => null);
    await killWhenStopped();
    expect(await call).toBeNull();
    expect(await market.nonce(payer.evmAddress)).toBe(minedBefore);
    const service = await satchel.open();
    try {
      await resume(service);
      const [done, ...others] = await tradesOf(service, payer);
      expect([done?.status, others]).toEqual(["settled", []]);
      expect(done?.steps.map(({ nonce, status }) => [Number(nonce), status])).toEqual([
        [0, "mined"],
        [1, "mined"],
      ]);
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
      expect(await market.balance(DAI, payer.evmAddress)).toBe(BigInt(done?.boughtAtomic?.toFixed(0) ?? 0));
      expect(await market.allowance(USDC, payer.evmAddress)).toBe(0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await endLeases(service);
      const again = await trade(service.baseUrl, payer, point);
      expect([again.status, ((await again.json()) as { id: string }).id]).toEqual([200, done?.id]);
      expect(await market.nonce(payer.evmAddress)).toBe(2);
    } finally {
      await service.stop();
    }
  });

  it("while the network drops its transactions: the same bytes are sent again", async () => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    const unresponsive = await openUnresponsiveRpc(market.rpcUrl);
    running = await satchel.start({ RPC_URL_BASE: unresponsive.url });
    const call = trade(running.baseUrl, payer, "swallowed").catch(() => null);
    await unresponsive.transactionReceived;
    await running.kill();
    await unresponsive.close();
    expect(await call).toBeNull();
    const service = await satchel.open();
    try {
      const [before] = await tradesOf(service, payer);
      const signed = before?.steps[0]?.txHash;
      expect(signed).toMatch(/^0x/);
      await resume(service);
      const [done] = await tradesOf(service, payer);
      expect([done?.status, done?.steps[0]?.txHash]).toEqual(["settled", signed]);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    } finally {
      await service.stop();
    }
  });

  describe("while the treasury sells it gas", () => {
    let treasury: string;
    let payer: Payer;
    let treasuryUsdcAtomic: bigint;

    beforeAll(async () => {
      treasury = await satchel.fundTreasury(1_000_000n);
      await market.setNative(treasury, 10n ** 20n);
    });
    beforeEach(async () => {
      payer = await satchel.payer({ usdcAtomic: FUNDS });
      await market.setNative(payer.evmAddress, 0n);
      treasuryUsdcAtomic = await market.balance(USDC, treasury);
    });

    const purchasesOf = ({ deps }: Service) =>
      deps.db.prisma.gasPurchase.findMany({ where: { accountId: payer.accountId } });
    const ledgerOf = async ({ deps }: Service) => {
      const where = { accountId: payer.accountId, type: "trade" };
      const rows = await deps.db.prisma.transaction.findMany({ where, orderBy: { createdAt: "asc" } });
      return rows.map(({ status }) => status);
    };

    /** Repeats the request: the trade settles, and the wallet has paid the sale and one purchase of gas, which it received once. */
    async function tradeAgain(service: Service, key: string): Promise<void> {
      await endLeases(service);
      const again = await trade(service.baseUrl, payer, key);
      expect([again.status, await again.clone().text()]).toEqual([200, expect.stringContaining('"settled"')]);
      const [purchase, ...others] = await purchasesOf(service);
      expect([purchase?.status, purchase?.nextCheckAt, others]).toEqual(["mined", null, []]);
      const price = BigInt(purchase?.priceAtomic.toFixed(0) ?? 0);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD - price);
      expect(await market.balance(USDC, treasury)).toBe(treasuryUsdcAtomic + price);
      expect(await market.balance(NATIVE, payer.evmAddress)).toBeLessThan(BigInt(purchase?.amountWei.toFixed(0) ?? 0));
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(SOLD + price);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      expect(await findChainDifferences(service.deps)).toEqual([]);
    }

    /** After the restart, the wallet has the native coin of its purchases and no more, and has paid only for it. */
    async function expectAgreement(service: Service): Promise<void> {
      const rows = await purchasesOf(service);
      const sum = (amounts: { toFixed(digits: number): string }[]) =>
        amounts.reduce((total, each) => total + BigInt(each.toFixed(0)), 0n);
      expect(await market.balance(NATIVE, payer.evmAddress)).toBe(sum(rows.map(({ amountWei }) => amountWei)));
      expect(await market.balance(USDC, payer.evmAddress)).toBe(
        FUNDS - sum(rows.map(({ priceAtomic }) => priceAtomic)),
      );
      expect(await auditLedger(service.deps.db)).toEqual([]);
    }

    it.each([
      ["before the purchase is stored", "gasSigned", []],
      ["after the purchase is mined", "gasMined", ["mined"]],
      ["after the purchase is settled", "gasSettled", ["mined"]],
      ["before the swap is committed", "gasBought", ["mined"]],
    ])("%s: the sale is released, and the gas is paid once", async (_case, point, purchases) => {
      await points.stopAt(point);
      running = await satchel.start();
      const call = trade(running.baseUrl, payer, point).catch(() => null);
      await killWhenStopped();
      expect(await call).toBeNull();
      const service = await satchel.open();
      try {
        await resume(service);
        expect((await purchasesOf(service)).map(({ status }) => status)).toEqual(purchases);
        expect(await ledgerOf(service)).toEqual(["released", purchases.length > 0 ? "settled" : "released"]);
        await expectAgreement(service);
        await tradeAgain(service, point);
      } finally {
        await service.stop();
      }
    });

    it("after the purchase is stored and before it is sent: the same bytes are sent", async () => {
      const unresponsive = await openUnresponsiveRpc(market.rpcUrl);
      running = await satchel.start({ RPC_URL_BASE: unresponsive.url });
      const call = trade(running.baseUrl, payer, "gas-swallowed").catch(() => null);
      await unresponsive.transactionReceived;
      await running.kill();
      running = null;
      await unresponsive.close();
      expect(await call).toBeNull();
      const service = await satchel.open();
      try {
        await resume(service);
        const [purchase] = await purchasesOf(service);
        expect([purchase?.status, purchase?.txHashes]).toEqual([
          "mined",
          [keccak256(purchase?.rawTransaction as `0x${string}`)],
        ]);
        expect(await ledgerOf(service)).toEqual(["released", "settled"]);
        await expectAgreement(service);
        await tradeAgain(service, "gas-swallowed");
      } finally {
        await service.stop();
      }
    });

    it("after the swap is sent: the trade settles", async () => {
      await points.stopAt("sent");
      running = await satchel.start();
      const call = trade(running.baseUrl, payer, "gas-sent").catch(() => null);
      await killWhenStopped();
      expect(await call).toBeNull();
      const service = await satchel.open();
      try {
        await resume(service);
        expect((await tradesOf(service, payer)).map(({ status }) => status)).toEqual(["settled"]);
        expect(await ledgerOf(service)).toEqual(["settled", "settled"]);
        await tradeAgain(service, "gas-sent");
      } finally {
        await service.stop();
      }
    });
  });

  describe("or with a node that drops transactions", () => {
    let lossy: LossyRpc;
    let service: Service;
    let payer: Payer;

    beforeEach(async () => {
      payer = await satchel.payer({ usdcAtomic: FUNDS });
      lossy = await openLossyRpc(market.rpcUrl);
      service = await satchel.open({ RPC_URL_BASE: lossy.url, TRADE_WAIT_MS: "200", TRADE_STUCK_MS: "100" });
    });
    afterEach(async () => {
      await service.stop();
      await lossy.close();
    });

    async function begin(): Promise<string> {
      const response = await trade(service.baseUrl, payer, `lost-${payer.accountId}`);
      const json = (await response.json()) as { id: string; status: string; success: boolean };
      expect([response.status, json.status, json.success], JSON.stringify(json)).toEqual([200, "submitted", true]);
      await resume(service);
      return json.id;
    }

    const end = async (status: string) => {
      await vi.waitFor(
        async () => {
          await resume(service);
          expect((await tradesOf(service, payer))[0]?.status).toBe(status);
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(await auditLedger(service.deps.db)).toEqual([]);
      return (await tradesOf(service, payer))[0];
    };

    it("replaces a stuck transaction under its nonce with higher fees", async () => {
      await begin();
      const fees = lossy.dropped
        .map((raw) => parseTransaction(raw))
        .filter(({ nonce }) => nonce === 0 || nonce === undefined);
      expect(new Set(fees.map(({ maxFeePerGas }) => maxFeePerGas)).size).toBeGreaterThan(1);
      lossy.heal();
      const done = await end("settled");
      expect(done?.steps[0]?.replacedHashes.length).toBeGreaterThan(0);
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    });

    it("uses the original transaction if it is mined after a replacement", async () => {
      await begin();
      const [first] = lossy.dropped;
      await callRpc(market.rpcUrl, "eth_sendRawTransaction", [first]);
      lossy.heal();
      const done = await end("settled");
      expect(done?.steps[0]).toMatchObject({ status: "mined", txHash: keccak256(first ?? "0x") });
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    });

    it("cancels and releases a stale trade", async () => {
      const tradeId = await begin();
      await service.deps.db.prisma.evmTransaction.updateMany({ where: { tradeId }, data: { createdAt: new Date(0) } });
      await resume(service);
      lossy.heal();
      // The approval is cancelled while stuck, the swap once its nonce is the wallet's next.
      const done = await end("failed");
      expect(done?.steps[0]?.status).toBe("cancelled");
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS);
      expect(await market.allowance(USDC, payer.evmAddress)).toBe(0n);
      const where = { accountId: payer.accountId, type: "trade" };
      expect((await service.deps.db.prisma.transaction.findFirst({ where }))?.status).toBe("failed");
    });
  });
});
