/** A pool whose price changes between quote and block: the trade fails beyond the slippage and settles within it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { callRpc } from "../support/usdc.ts";
import { type LossyRpc, openLossyRpc } from "./lossy-rpc.ts";
import { connectMarket, DAI, HOLDER, type Market, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;
const WHALE = "0x000000000000000000000000000000000000ba1e";

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

/** Buys the same token from another wallet with the exchange's quote. */
async function buyDai(dollars: bigint): Promise<void> {
  const amount = dollars * 10n ** 6n;
  await market.fund(WHALE, "USDC", amount);
  await market.setNative(WHALE, 10n ** 18n);
  const query = new URLSearchParams({
    ...{
      chainId: "8453",
      sellToken: USDC,
      buyToken: DAI,
      sellAmount: String(amount),
      taker: WHALE,
      slippageBps: "5000",
    },
  });
  const headers = { "0x-api-key": "any", "0x-version": "v2" };
  const response = await fetch(`${sandbox.dexUrl}/swap/allowance-holder/quote?${query}`, { headers });
  const { transaction } = (await response.json()) as { transaction: { to: string; data: string } };
  await callRpc(market.rpcUrl, "anvil_impersonateAccount", [WHALE]);
  const approve = `0x095ea7b3${HOLDER.slice(2).toLowerCase().padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
  for (const [to, data] of [
    [USDC, approve],
    [transaction.to, transaction.data],
  ]) {
    const hash = await callRpc(market.rpcUrl, "eth_sendTransaction", [{ from: WHALE, to, data, gas: "0x4c4b40" }]);
    const mined = () => callRpc<{ status: string } | null>(market.rpcUrl, "eth_getTransactionReceipt", [hash]);
    await expect.poll(async () => (await mined())?.status).toBe("0x1");
  }
}

/** Trades 10 dollars while a purchase of `dollars` changes the price before the swap is mined; returns the ended trade. */
async function tradeWhile(dollars: bigint, slippagePercentage: number) {
  const response = await fetch(`${service.baseUrl}/api/trade`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    body: JSON.stringify({ sellToken: "USDC", buyToken: "DAI", sellAmount: 10, slippagePercentage }),
  });
  expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([200, "submitted"]);
  await buyDai(dollars);
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
