// @module-tag postgresql
/** A process killed anywhere in a trade: afterwards it is carried out once, or given back, and no nonce has two transactions. */
import { keccak256, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { resumeTrades } from "../../src/trade/resume-trades.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openDeafRpc } from "../support/deaf-rpc.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { layStopPoints, type StopPoints } from "../support/stop-points.ts";
import { rpc } from "../support/usdc.ts";
import { type ForgetfulRpc, openForgetfulRpc } from "./forgetful-rpc.ts";
import { DAI, type Market, marketOf, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;
const MOVED = "BEFORE UPDATE ON evm_transactions FOR EACH ROW";

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed`, () => {
  let sandbox: TestSandbox;
  let market: Market;
  let satchel: Satchel;
  let points: StopPoints;
  let running: SatchelProcess | null = null;

  beforeAll(async () => {
    sandbox = await openSandbox(["base"]);
    market = marketOf(sandbox);
    satchel = await createSatchel({
      sandbox,
      postgresql: server,
      env: { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" },
    });
    points = await layStopPoints(satchel, {
      server,
      points: {
        reserved: "BEFORE INSERT ON trades FOR EACH ROW",
        committed: `${MOVED} WHEN (OLD.status = 'reserved' AND NEW.status = 'signed' AND NEW.purpose = 'approve')`,
        approved: `${MOVED} WHEN (OLD.status = 'reserved' AND NEW.status = 'signed' AND NEW.purpose = 'swap')`,
        sent: `${MOVED} WHEN (NEW.status = 'mined' AND NEW.purpose = 'swap' AND OLD.status = 'signed')`,
        settled: "BEFORE UPDATE ON trades FOR EACH ROW WHEN (NEW.status = 'settled')",
      },
    });
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    // A test that failed half way must not stop the next one where it stands.
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

  /** What the repeated job does once everything is due, until nothing moves any more. */
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
      await resumeTrades(deps);
    }
  }

  const endLeases = ({ deps }: Service) =>
    deps.db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } });

  it("after it was reserved: it is given back, and the same key trades", async () => {
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
  ])("after it was %s: the job carries it out once, and the same key answers it", async (point, minedBefore) => {
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

  it("while the network swallows what it sends: the same bytes go out again", async () => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    const deaf = await openDeafRpc(market.rpcUrl);
    running = await satchel.start({ RPC_URL_BASE: deaf.url });
    const call = trade(running.baseUrl, payer, "swallowed").catch(() => null);
    await deaf.reached;
    await running.kill();
    await deaf.close();
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

  describe("or with a node that loses what it is sent", () => {
    let lossy: ForgetfulRpc;
    let service: Service;
    let payer: Payer;

    beforeEach(async () => {
      payer = await satchel.payer({ usdcAtomic: FUNDS });
      lossy = await openForgetfulRpc(market.rpcUrl);
      service = await satchel.open({ RPC_URL_BASE: lossy.url, TRADE_WAIT_MS: "200", TRADE_STUCK_MS: "100" });
    });
    afterEach(async () => {
      await service.stop();
      await lossy.close();
    });

    async function begin(): Promise<string> {
      const answer = await trade(service.baseUrl, payer, `lost-${payer.accountId}`);
      const json = (await answer.json()) as { id: string; status: string; success: boolean };
      expect([answer.status, json.status, json.success], JSON.stringify(json)).toEqual([200, "submitted", true]);
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

    it("what is stuck is sent again with higher fees, under its nonce", async () => {
      await begin();
      const fees = lossy.forgotten
        .map((raw) => parseTransaction(raw))
        .filter(({ nonce }) => nonce === 0 || nonce === undefined);
      expect(new Set(fees.map(({ maxFeePerGas }) => maxFeePerGas)).size).toBeGreaterThan(1);
      lossy.heal();
      const done = await end("settled");
      expect(done?.steps[0]?.replacedHashes.length).toBeGreaterThan(0);
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    });

    it("and when its first form is mined all the same, that is what counts", async () => {
      await begin();
      const [first] = lossy.forgotten;
      await rpc(market.rpcUrl, "eth_sendRawTransaction", [first]);
      lossy.heal();
      const done = await end("settled");
      expect(done?.steps[0]).toMatchObject({ status: "mined", txHash: keccak256(first ?? "0x") });
      expect(await market.nonce(payer.evmAddress)).toBe(2);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    });

    it("and what waited too long is called off, and given back", async () => {
      const tradeId = await begin();
      await service.deps.db.prisma.evmTransaction.updateMany({ where: { tradeId }, data: { createdAt: new Date(0) } });
      await resume(service);
      lossy.heal();
      // The approval is called off while it was stuck, the swap once it is the wallet's next.
      const done = await end("failed");
      expect(done?.steps[0]?.status).toBe("cancelled");
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS);
      expect(await market.allowance(USDC, payer.evmAddress)).toBe(0n);
      const where = { accountId: payer.accountId, type: "trade" };
      expect((await service.deps.db.prisma.transaction.findFirst({ where }))?.status).toBe("failed");
    });
  });
});
