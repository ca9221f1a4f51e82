/** A pool whose price changes between quote and block: the trade fails beyond the slippage and settles within it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { type LossyRpc, openLossyRpc } from "./lossy-rpc.ts";
import { connectMarket, DAI, type Market, USDC } from "./market.ts";
import { buyDai, prepareMove, waitForSuccess } from "./other-trader.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;

let sandbox: TestSandbox;
let market: Market;
let satchel: Satchel;
let node: LossyRpc;
let service: Service;
let payer: Payer;

beforeAll(async () => {
  sandbox = await openSandbox(["base"]);
  market = connectMarket(sandbox);
  const env = { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" };
  satchel = await createSatchel({ sandbox, postgresql: null, env });
});
beforeEach(async () => {
  payer = await satchel.payer({ usdcAtomic: FUNDS });
  // The node drops the first transactions, so the price can change meanwhile.
  node = await openLossyRpc(market.rpcUrl);
  const shortWaits = { TRADE_WAIT_MS: "100", TRADE_STUCK_MS: "100", RECONCILE_INTERVAL_MS: "500" };
  service = await satchel.open({ RPC_URL_BASE: node.url, ...shortWaits });
});
afterEach(async () => {
  await service?.stop();
  await node?.close();
});
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
});

/** Trades 10 dollars while a purchase of `dollars` changes the price before the swap is mined; returns the ended trade. */
async function tradeWhile(dollars: bigint, slippagePercentage: number) {
  const response = await fetch(`${service.baseUrl}/api/trade`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    body: JSON.stringify({ sellToken: "USDC", buyToken: "DAI", sellAmount: 10, slippagePercentage }),
  });
  expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([200, "submitted"]);
  const move = await prepareMove(market, sandbox.dexUrl ?? "", buyDai(dollars));
  await waitForSuccess(market, await move.send());
  node.heal();
  const { prisma } = service.deps.db;
  return await vi.waitFor(
    async () => {
      // Makes the recurring job due at once.
      await prisma.evmTransaction.updateMany({
        where: { nextCheckAt: { not: null } },
        data: { nextCheckAt: new Date(0) },
      });
      const trade = await prisma.trade.findFirstOrThrow({ where: { accountId: payer.accountId } });
      expect(["settled", "failed"]).toContain(trade.status);
      expect(await prisma.evmTransaction.count({ where: { tradeId: trade.id, status: "signed" } })).toBe(0);
      return trade;
    },
    { timeout: 30_000, interval: 200 },
  );
}

it("fails beyond the slippage and costs no tokens", async () => {
  const trade = await tradeWhile(2_000_000n, 1);
  expect([trade.status, trade.failureReason]).toEqual(["failed", "The swap was reverted on chain. Nothing was sold."]);
  expect([await market.balance(USDC, payer.evmAddress), await market.balance(DAI, payer.evmAddress)]).toEqual([
    FUNDS,
    0n,
  ]);
  await expect.poll(() => market.allowance(USDC, payer.evmAddress)).toBe(0n);
  const ledger = await service.deps.db.prisma.transaction.findFirstOrThrow({ where: { id: trade.transactionId } });
  expect([ledger.status, ledger.settledMicroUsd]).toEqual(["failed", null]);
  const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
  expect(budget.dayUsedMicroUsd).toBe(0n);
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

it("settles within the slippage for at least its minimum", async () => {
  const trade = await tradeWhile(10_000n, 5);
  expect(trade.status).toBe("settled");
  const bought = await market.balance(DAI, payer.evmAddress);
  expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
  expect(bought).toBeGreaterThanOrEqual(BigInt(trade.minBuyAtomic.toFixed(0)));
  expect(bought).toBeLessThan(BigInt(trade.buyAmountAtomic.toFixed(0)));
  expect(await auditLedger(service.deps.db)).toEqual([]);
});
