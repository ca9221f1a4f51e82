/** Trading through the REST routes, on a real chain: what is sold is gone, what is bought is there, nothing is left allowed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Stack, startStack, type TestAccount } from "../support/stack.ts";
import { AERO, DAI, type Market, marketOf, NATIVE, OLD, PEBBLE, USDC, WETH } from "./market.ts";

let stack: Stack;
let market: Market;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"], env: { DEX_TIMEOUT_MS: "1000" } });
  if (!stack.sandbox) throw new Error("no sandbox");
  market = marketOf(stack.sandbox);
});
afterEach(() => market.fault(null));
afterAll(() => stack?.stop());

async function trader(usdcAtomic = 1_000_000_000n, limits = {}): Promise<{ account: TestAccount; wallet: string }> {
  const account = await stack.account({ limits });
  await stack.fund(account, String(usdcAtomic));
  const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
  return { account, wallet: evmAddress };
}

const post = (account: TestAccount, body: object | string, headers = {}) =>
  stack.rest(account.token, "POST", "/api/trade", body, headers);
const ledger = (accountId: string) =>
  stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId, type: "trade" },
    orderBy: { createdAt: "asc" },
  });

describe("trades", () => {
  it.each([
    ["a token for a token", "USDC", "DAI", USDC, DAI, "25.5", 25_500_000n],
    ["a token for the coin", "USDC", "ETH", USDC, NATIVE, "30", 30_000_000n],
    ["the coin for a token", "ETH", "AERO", NATIVE, AERO, "0.01", 10n ** 16n],
    ["a token by its address", USDC, PEBBLE, USDC, PEBBLE, "5", 5_000_000n],
    ["a token whose metadata are bytes32", USDC.toLowerCase(), OLD, USDC, OLD, "7.25", 7_250_000n],
    ["the coin for its token", "ETH", "WETH", NATIVE, WETH, "0.001", 10n ** 15n],
  ])("%s", async (_what, sellToken, buyToken, sell, buy, sellAmount, sellAtomic) => {
    const { account, wallet } = await trader();
    const [sellBefore, buyBefore] = await Promise.all([market.balance(sell, wallet), market.balance(buy, wallet)]);
    const { status, json, text } = await post(account, { sellToken, buyToken, sellAmount: Number(sellAmount) });
    expect(status, text).toBe(200);
    expect(json).toMatchObject({ success: true, status: "settled", network: "base", sellAmount, explorerUrl: null });
    expect(json.sellToken.address.toLowerCase()).toBe(sell.toLowerCase());
    expect(json.buyToken.address.toLowerCase()).toBe(buy.toLowerCase());
    const [sellAfter, buyAfter] = await Promise.all([market.balance(sell, wallet), market.balance(buy, wallet)]);
    const row = await stack.service.deps.db.prisma.trade.findUniqueOrThrow({
      where: { id: json.id },
      include: { steps: { orderBy: { nonce: "asc" } } },
    });
    const bought = BigInt(row.boughtAtomic?.toFixed(0) ?? -1);
    expect(bought).toBeGreaterThanOrEqual(BigInt(row.minBuyAtomic.toFixed(0)));
    if (sell !== NATIVE) expect(sellBefore - sellAfter).toBe(sellAtomic);
    else expect(sellBefore - sellAfter).toBeGreaterThan(sellAtomic);
    if (buy !== NATIVE) expect(buyAfter - buyBefore).toBe(bought);
    else expect(buyAfter - buyBefore).toBeLessThan(bought);
    if (sell !== NATIVE) expect(await market.allowance(sell, wallet)).toBe(0n);
    expect(row.steps.map(({ purpose, status }) => [purpose, status])).toEqual(
      (sell === NATIVE ? ["swap"] : ["approve", "swap"]).map((purpose) => [purpose, "mined"]),
    );
    const [sale] = await ledger(account.accountId);
    expect([sale?.status, sale?.settledAtomic?.toFixed(0), sale?.txHash]).toEqual([
      "settled",
      String(sellAtomic),
      json.txHash,
    ]);
    if (sell === USDC) expect(sale?.settledMicroUsd).toBe(sellAtomic);
    expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  });
});
