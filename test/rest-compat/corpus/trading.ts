/** Swaps, their quotes and the list of tokens. */

import type { SwapTerms } from "../../../src/trade/dex.ts";
import type { TestAccount } from "../../support/stack.ts";
import { connectMarket, USDC } from "../../trade/market.ts";
import { createScopedAccount, exhaust, recordEvent, reopenKey, type Scenario } from "./scenario.ts";

const TRADE = "POST /api/trade";
const QUOTE = "GET /api/trade/quote";
const TOKENS = "GET /api/trade/tokens";
/** The market's prices and the network's fees change with each block. */
const volatile = ["buyAmount", "minBuyAmount", "price", "amount", "amountAtomic", "priceImpactPercentage"];

export async function recordTrading(scenario: Scenario): Promise<void> {
  const { stack, send, bare, sendToBare } = scenario;
  const market = connectMarket(stack.sandbox);
  const createTrader = async (usdcAtomic = "1000000000", limits = {}): Promise<TestAccount> => {
    const account = await stack.account({ limits });
    await stack.fund(account, usdcAtomic);
    return account;
  };
  const trader = await createTrader();
  const { token } = trader;
  const body = { sellToken: "USDC", buyToken: "WETH", sellAmount: 10, slippagePercentage: 1, network: "base" };
  const key = { "idempotency-key": "traded-once" };
  await send(TRADE, "200 settled", { token, body, headers: key, volatile });
  await recordEvent(scenario, trader, "trade.settled", volatile);
  for (const status of ["pending", "approving", "submitted"]) {
    await stack.service.deps.db.prisma.trade.updateMany({ where: { accountId: trader.accountId }, data: { status } });
    await send(TRADE, `200 ${status}`, { token, body, headers: key, volatile });
  }
  await stack.service.deps.db.prisma.trade.updateMany({
    where: { accountId: trader.accountId },
    data: { status: "settled" },
  });
  await send(TRADE, "422 another request with the key", { token, body: { ...body, sellAmount: 11 }, headers: key });
  await reopenKey(stack, trader, key["idempotency-key"]);
  await send(TRADE, "409 the key's first request is in flight", { token, body, headers: key });
  const cases: Record<string, object> = {
    "400 no token": { sellToken: undefined },
    "400 amount": { sellAmount: -1 },
    "400 slippage": { slippagePercentage: 51 },
    "400 a token for itself": { buyToken: "usdc" },
    "400 unknown symbol": { buyToken: "DOGE" },
    "400 address without a token": { buyToken: `0x${"12".repeat(20)}` },
    "400 network": { network: "base-sepolia" },
    "402 balance": { sellAmount: 5_000 },
  };
  for (const [name, change] of Object.entries(cases))
    await send(TRADE, name, { token, body: { ...body, ...change }, volatile });
  await send(TRADE, "413 too large", {
    token,
    body: JSON.stringify({ fill: "x".repeat(2 ** 20) }),
    headers: { "content-type": "application/json" },
  });
  const limited = await createTrader("1000000000", { dailyMicroUsd: 1_000_000n });
  await send(TRADE, "402 limit", { token: limited.token, body });
  const payees = await stack.account({ token: { allowedPayees: [`0x${"34".repeat(20)}`] } });
  await send(TRADE, "403 payees", { token: payees.token, body });
  const scoped = await createScopedAccount(stack, []);
  await send(TRADE, "403 scope", { token: scoped.token, body });
  const quote = { sellToken: "USDC", buyToken: "WETH", sellAmount: "300", slippagePercentage: "0.5" };
  await send(QUOTE, "200", { token, query: quote, volatile });
  const { dex } = stack.service.deps.trading;
  const fee = { amountAtomic: 1_000n, token: USDC } as const;
  const fees = [
    { ...fee, kind: "integrator" as const },
    { ...fee, kind: "gas" as const },
  ];
  Object.assign(stack.service.deps.trading, {
    dex: { ...dex, price: async (terms: SwapTerms) => ({ ...(await dex?.price(terms)), fees }) },
  });
  await send(QUOTE, "200 other fees", { token, query: quote, volatile });
  Object.assign(stack.service.deps.trading, { dex });
  await send(QUOTE, "400 amount", { token, query: { ...quote, sellAmount: "much" } });
  await send(QUOTE, "400 token", { token, query: { ...quote, buyToken: "DOGE" } });
  await send(QUOTE, "400 network", { token, query: { ...quote, network: "solana" } });
  for (const [fault, route, request] of [
    ["error-500", TRADE, { body }],
    ["error-500", QUOTE, { query: quote }],
    ["no-liquidity", TRADE, { body }],
    ["no-liquidity", QUOTE, { query: quote }],
  ] as const) {
    await market.fault(fault);
    await send(route, `exchange with the fault ${fault}`, { token, ...request });
  }
  const unlucky = await createTrader();
  await market.fault("reverts");
  await send(TRADE, "500 reverted", { token: unlucky.token, body, volatile });
  await market.fault(null);
  await recordEvent(scenario, unlucky, "trade.failed", volatile);
  await send(TOKENS, "200", { token });
  await send(TOKENS, "200 without a credential");

  const offline = await bare.account();
  const unlisted = `0x${"12".repeat(20)}`;
  await sendToBare(TRADE, "500 the network does not respond", {
    token: offline.token,
    body: { ...body, buyToken: unlisted },
  });
  await sendToBare(QUOTE, "500 the network does not respond", {
    token: offline.token,
    query: { ...quote, buyToken: unlisted },
  });
  const { trading } = bare.service.deps;
  const { dex: bareDex } = trading;
  Object.assign(trading, { dex: null });
  await sendToBare(TRADE, "503 trading is not configured", { token: offline.token, body });
  await sendToBare(QUOTE, "503 trading is not configured", { token: offline.token, query: quote });
  Object.assign(trading, { dex: bareDex });

  await exhaust(stack, "send", unlucky.accountId, 30).catch(() => {});
  await send(TRADE, "429", { token: unlucky.token, body });
  await exhaust(stack, "trade-quote", unlucky.accountId, 1_000);
  await send(QUOTE, "429", { token: unlucky.token, query: quote });
  await exhaust(stack, "trade-tokens", unlucky.accountId, 1_000);
  await send(TOKENS, "429", { token: unlucky.token });
}
