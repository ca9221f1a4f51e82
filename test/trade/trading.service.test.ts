// @module-tag postgresql
/** Trading through the REST routes on a real chain: balances change as quoted, and no allowance remains. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { formatDecimal } from "../../src/platform/money.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { findChainDifferences } from "../support/chain-differences.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { AERO, connectMarket, DAI, type Market, NATIVE, OLD, PEBBLE, USDC, WETH } from "./market.ts";

let stack: OwnStack;
let market: Market;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"], env: { DEX_TIMEOUT_MS: "5000" } });
  if (!stack.sandbox) throw new Error("No sandbox is running.");
  market = connectMarket(stack.sandbox);
});
afterEach(() => market.fault(null));
afterAll(() => stack?.stop());

async function createTrader(
  usdcAtomic = 1_000_000_000n,
  limits = {},
): Promise<{ account: TestAccount; wallet: string }> {
  const account = await stack.account({ limits });
  await stack.fund(account, String(usdcAtomic));
  const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
  return { account, wallet: evmAddress };
}

const USUAL = { sellToken: "USDC", buyToken: "WETH", sellAmount: 10 };
const post = (account: TestAccount, body: object | string, headers = {}) =>
  stack.rest(account.token, "POST", "/api/trade", body, headers);
const quoteOf = (account: TestAccount, terms: { sellToken: string; buyToken: string; sellAmount: string | number }) => {
  const query = new URLSearchParams({ ...terms, sellAmount: String(terms.sellAmount) });
  return stack.rest(account.token, "GET", `/api/trade/quote?${query}`);
};
const ledger = (accountId: string) =>
  stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId, type: "trade" },
    orderBy: { createdAt: "asc" },
  });

describe("trades", () => {
  it.each([
    ["a token for a token", "USDC", "DAI", USDC, DAI, "25.5", 25_500_000n],
    ["a token for the native coin", "USDC", "ETH", USDC, NATIVE, "30", 30_000_000n],
    ["the native coin for a token", "ETH", "AERO", NATIVE, AERO, "0.01", 10n ** 16n],
    ["a token by its address", USDC, PEBBLE, USDC, PEBBLE, "5", 5_000_000n],
    ["a token whose metadata are bytes32", USDC.toLowerCase(), OLD, USDC, OLD, "7.25", 7_250_000n],
    ["the native coin for its wrapped token", "ETH", "WETH", NATIVE, WETH, "0.001", 10n ** 15n],
  ])("%s", async (_what, sellToken, buyToken, sell, buy, sellAmount, sellAtomic) => {
    const { account, wallet } = await createTrader();
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

it("counts the sale of a bought token at the exchange's price", async () => {
  const { account, wallet } = await createTrader(0n, { dailyMicroUsd: 50_000_000n });
  await market.fund(wallet, "DAI", 100n * 10n ** 18n);
  const { status, json, text } = await post(account, {
    sellToken: "DAI",
    buyToken: "WETH",
    sellAmount: "40.000000000000000001",
  });
  expect(status, text).toBe(200);
  expect(json.sellAmount).toBe("40.000000000000000001");
  expect(await market.balance(DAI, wallet)).toBe(100n * 10n ** 18n - 40_000_000_000_000_000_001n);
  const [sale] = await ledger(account.accountId);
  expect(Number(sale?.settledMicroUsd)).toBeGreaterThan(39_900_000);
  expect(Number(sale?.settledMicroUsd)).toBeLessThan(40_000_001);
  const { json: page } = await stack.rest(account.token, "GET", "/api/transactions?type=trade");
  expect(page.transactions).toMatchObject([{ amount: "40.000000000000000001", asset: DAI, type: "trade" }]);
  const more = await post(account, { sellToken: "DAI", buyToken: "USDC", sellAmount: 30 });
  expect([more.status, more.json.error, more.json.period]).toEqual([402, "spending_limit_exceeded", "day"]);
});

it("unwraps the native coin without an approval", async () => {
  const { account, wallet } = await createTrader(0n);
  await market.fund(wallet, "WETH", 10n ** 18n);
  const { status, json, text } = await post(account, { sellToken: "WETH", buyToken: "ETH", sellAmount: 0.25 });
  expect(status, text).toBe(200);
  expect([json.buyAmount, json.sellAmount]).toEqual(["0.25", "0.25"]);
  expect(await market.balance(WETH, wallet)).toBe(75n * 10n ** 16n);
});

it("parses a JSON number exactly and in any notation", async () => {
  const { account, wallet } = await createTrader();
  await market.fund(wallet, "DAI", 10n ** 21n);
  const body = (amount: string) => `{"sellToken":"DAI","buyToken":"USDC","sellAmount":${amount}}`;
  const exact = await post(account, body("12.345678901234567891"));
  expect([exact.status, exact.json.sellAmount]).toEqual([200, "12.345678901234567891"]);
  const powers = await post(account, body("1.25e1"));
  expect([powers.status, powers.json.sellAmount]).toEqual([200, "12.5"]);
  const tooFine = await post(account, body("1.0000000000000000001"));
  expect([tooFine.status, tooFine.json.error, tooFine.json.field]).toEqual([400, "invalid_request", "sellAmount"]);
});

it("executes one trade for repeated requests with a key", async () => {
  const { account, wallet } = await createTrader();
  const key = { "idempotency-key": "trade-once" };
  const body = { sellToken: "USDC", buyToken: "WETH", sellAmount: 10 };
  const responses = await Promise.all(Array.from({ length: 8 }, () => post(account, body, key)));
  const [done] = responses.filter(({ status }) => status === 200);
  for (const { status, json } of responses) expect([200, 409], JSON.stringify(json)).toContain(status);
  const again = await post(account, body, key);
  expect(again.json).toEqual(done?.json);
  expect((await post(account, { ...body, sellAmount: 11 }, key)).json.error).toBe("idempotency_key_reused");
  expect(await market.balance(USDC, wallet)).toBe(990_000_000n);
});

describe("rejects", () => {
  it.each<[string, object, number, string, string | undefined]>([
    ["no token", { sellToken: undefined }, 400, "invalid_request", "sellToken"],
    ["no amount", { sellAmount: undefined }, 400, "invalid_request", "sellAmount"],
    ["more than the wallet and the ledger can hold", { sellAmount: 1e15 }, 402, "insufficient_balance", undefined],
    ["more than the wallet and any market can hold", { sellAmount: 1e50 }, 402, "insufficient_balance", undefined],
    ["more than any token can have", { sellAmount: "1e60" }, 400, "invalid_request", "sellAmount"],
    ["nothing", { sellAmount: 0 }, 400, "invalid_request", "sellAmount"],
    ["a negative amount", { sellAmount: -1 }, 400, "invalid_request", "sellAmount"],
    ["an amount that is not a number", { sellAmount: "ten" }, 400, "invalid_request", "sellAmount"],
    ["more decimals than the token has", { sellAmount: 0.0000001 }, 400, "invalid_request", "sellAmount"],
    ["too much slippage", { slippagePercentage: 50.01 }, 400, "invalid_request", "slippagePercentage"],
    ["negative slippage", { slippagePercentage: -1 }, 400, "invalid_request", "slippagePercentage"],
    ["slippage with three decimals", { slippagePercentage: 0.001 }, 400, "invalid_request", "slippagePercentage"],
    ["a token for itself", { buyToken: "usdc" }, 400, "invalid_request", "buyToken"],
    [
      "an address with an invalid checksum",
      { buyToken: DAI.replace("A6F0", "a6f0") },
      400,
      "invalid_request",
      "buyToken",
    ],
    ["an unknown symbol", { buyToken: "DOGE" }, 400, "unsupported_token", "buyToken"],
    ["a minimum that is not a number", { minBuyAmount: "all" }, 400, "invalid_request", "minBuyAmount"],
    ["a negative minimum", { minBuyAmount: -1 }, 400, "invalid_request", "minBuyAmount"],
    ["a minimum with too many decimals", { minBuyAmount: "1e-19" }, 400, "invalid_request", "minBuyAmount"],
    ["a price below the minimum", { minBuyAmount: 1_000 }, 500, "trade_failed", undefined],
    ["an address without a token", { buyToken: `0x${"12".repeat(20)}` }, 400, "unsupported_token", "buyToken"],
    ["another network", { network: "base-sepolia" }, 400, "unsupported_network", "network"],
    ["an unknown network", { network: "mars" }, 400, "unsupported_network", "network"],
    ["more than the wallet's balance", { sellAmount: 1000.000001 }, 402, "insufficient_balance", undefined],
  ])("%s", async (_case, change, status, error, field) => {
    const { account, wallet } = await createTrader();
    const response = await post(account, { ...USUAL, ...change });
    expect([response.status, response.json.error, response.json.field], response.text).toEqual([status, error, field]);
    expect(response.json.message).toBe(response.json.error_description);
    expect(await market.nonce(wallet)).toBe(0);
    expect((await ledger(account.accountId)).filter((row) => row.status !== "released")).toEqual([]);
  });

  it("a sale above 1,000,000,000 US dollars: by the limit, else by the value", async () => {
    const { account, wallet } = await createTrader(0n, { dailyMicroUsd: 50_000_000n });
    await market.fund(wallet, "DAI", 10n ** 36n);
    const huge = { sellToken: "USDC", buyToken: "DAI", sellAmount: 2e9 };
    await market.fund(wallet, "USDC", 4n * 10n ** 15n);
    const limited = await post(account, huge);
    expect([limited.status, limited.json.error], limited.text).toEqual([402, "spending_limit_exceeded"]);
    const rich = await createTrader(0n);
    await market.fund(rich.wallet, "USDC", 4n * 10n ** 15n);
    const response = await post(rich.account, huge);
    expect([response.status, response.json.error, response.json.field]).toEqual([400, "invalid_request", "sellAmount"]);
    expect(await ledger(rich.account.accountId)).toEqual([]);
  });

  it("a sale of the whole native balance, which leaves nothing for its fee", async () => {
    const { account, wallet } = await createTrader();
    await market.setNative(wallet, 10n ** 18n);
    const { status, json } = await post(account, { sellToken: "ETH", buyToken: "USDC", sellAmount: 1 });
    expect([status, json.error, json.currency, json.remaining]).toEqual([402, "insufficient_balance", "ETH", "1"]);
  });

  it("a token limited to payees, a token of another network, and an unauthenticated request", async () => {
    const narrow = await stack.account({ token: { allowedPayees: ["0x00000000000000000000000000000000000c0ffe"] } });
    expect((await post(narrow, USUAL)).json.error).toBe("forbidden");
    const elsewhere = await stack.account({ token: { networks: ["base-sepolia"] } });
    expect((await post(elsewhere, USUAL)).json.error).toBe("forbidden");
    expect((await stack.rest(null, "POST", "/api/trade", USUAL)).status).toBe(401);
    expect((await stack.rest(null, "GET", "/api/trade/quote?sellToken=USDC&buyToken=DAI&sellAmount=1")).status).toBe(
      401,
    );
  });

  it.each([
    ["no-liquidity", 400, "unsupported_token"],
    ["pair-not-supported", 400, "unsupported_token"],
    ["sell-token-restricted", 400, "unsupported_token", "sellToken"],
    ["buy-token-restricted", 400, "unsupported_token", "buyToken"],
    ["taker-restricted", 400, "invalid_request"],
    ["invalid-input", 400, "invalid_request", "sellAmount"],
    ["insufficient-balance", 402, "insufficient_balance"],
    ["wrong-key", 503, "trading_not_configured"],
    ["error-500", 500, "dex_unavailable"],
    ["rate-limited", 500, "dex_unavailable"],
    ["garbage", 500, "dex_unavailable"],
    ["hangs", 500, "dex_unavailable"],
  ])("a trade and a quote while the exchange has the fault %s", async (fault, status, error, field?: string) => {
    const { account } = await createTrader();
    await market.fault(fault);
    const response = await post(account, USUAL);
    expect([response.status, response.json.error, response.json.field]).toEqual([status, error, field]);
    const quote = await quoteOf(account, USUAL);
    expect([quote.status, quote.json.error, quote.json.field]).toEqual([status, error, field]);
    expect(await ledger(account.accountId)).toEqual([]);
  });
});

describe("quotes", () => {
  it("returns the indicative price of a trade", async () => {
    const { account } = await createTrader(0n);
    const path = "/api/trade/quote?sellToken=USDC&buyToken=WETH&sellAmount=300&slippagePercentage=0.5";
    const { status, json, headers, text } = await stack.rest(account.token, "GET", path);
    expect(status, text).toBe(200);
    expect(json).toMatchObject({
      sellToken: { symbol: "USDC", address: USDC, decimals: 6 },
      buyToken: { symbol: "WETH", address: WETH, decimals: 18 },
      sellAmount: "300",
      slippagePercentage: 0.5,
      network: "base",
      route: [{ source: "Sandbox_Pools", percentage: 100 }],
    });
    expect(Number(json.buyAmount)).toBeCloseTo(0.1, 3);
    expect(Number(json.price) * 300).toBeCloseTo(Number(json.buyAmount), 12);
    expect(Number(json.minBuyAmount) / Number(json.buyAmount)).toBeCloseTo(0.995, 9);
    expect(json.fees.map(({ type }: { type: string }) => type)).toEqual(["exchange", "network"]);
    expect(Date.parse(json.expiresAt)).toBeGreaterThan(Date.now());
    expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["1000", "999"]);
  });

  it.each([
    ["1e-5", "DAI", "0.00001"],
    ["1.5E+1", "USDC", "15"],
    ["12.345678901234567891", "DAI", "12.345678901234567891"],
    ["2.5000000000", "USDC", "2.5"],
  ])("reads %s of %s like a trade, over REST and GraphQL", async (written, sellToken, plain) => {
    const { account, wallet } = await createTrader();
    await market.fund(wallet, "DAI", 10n ** 20n);
    const terms = { sellToken, buyToken: "WETH", sellAmount: written };
    const quote = await quoteOf(account, terms);
    expect(quote.json.sellAmount, quote.text).toBe(plain);
    const trade = await post(account, `{"sellToken":"${sellToken}","buyToken":"WETH","sellAmount":${written}}`);
    expect(trade.json.sellAmount, trade.text).toBe(plain);
    const document = `query ($sellToken: String!, $buyToken: String!, $sellAmount: Decimal!) {
      tradeQuote(sellToken: $sellToken, buyToken: $buyToken, sellAmount: $sellAmount) {
        ... on TradeQuoteSuccess { sold { atomic decimals } } ... on Error { message } } }`;
    const { json, text } = await stack.graphql(account.token, document, terms);
    expect(json.data?.tradeQuote.sold, text).toBeDefined();
    const { atomic, decimals } = json.data.tradeQuote.sold;
    expect(formatDecimal(BigInt(atomic), decimals)).toBe(plain);
  });

  it("states price impact, taxes and warnings", async () => {
    const { account } = await createTrader(0n);
    const small = await quoteOf(account, { sellToken: "USDC", buyToken: "WETH", sellAmount: 300 });
    expect(small.json).toMatchObject({ sellTaxPercentage: 0, buyTaxPercentage: 0, warnings: ["insufficient_balance"] });
    expect(small.json.priceImpactPercentage).toBeLessThan(0.1);
    const poor = await createTrader(0n);
    await market.setNative(poor.wallet, 0n);
    const large = await quoteOf(poor.account, { sellToken: "USDC", buyToken: PEBBLE, sellAmount: 2e6 });
    // Half of the pool: the constant product halves the price.
    expect(large.json.priceImpactPercentage).toBeCloseTo(50, 0);
    expect(large.json.warnings).toEqual([
      "high_price_impact",
      "unlisted_token",
      "insufficient_balance",
      "network_fee_in_usdc",
    ]);
  });

  it("rejects an empty slippage", async () => {
    const { account } = await createTrader(0n);
    const path = "/api/trade/quote?sellToken=USDC&buyToken=WETH&sellAmount=300&slippagePercentage=";
    const { status, json } = await stack.rest(account.token, "GET", path);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", "slippagePercentage"]);
  });

  it("lists tokens without a credential", async () => {
    const { status, json, headers } = await stack.rest(null, "GET", "/api/trade/tokens");
    expect(status).toBe(200);
    expect(json.network).toBe("base");
    expect(json.tokens.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      "USDC",
      "ETH",
      "WETH",
      "cbETH",
      "DAI",
      "AERO",
    ]);
    expect(headers.get("ratelimit-limit")).toBe("1000");
    expect(Number(headers.get("ratelimit-reset"))).toBeLessThanOrEqual(60);
  });
});

interface HoldingNode {
  readonly isListed: boolean;
  readonly valueUsd: string | null;
  readonly token: { readonly symbol: string };
  readonly balance: { readonly atomic: string };
}

describe("holdings", () => {
  const HOLDINGS = `{ viewer { wallet { balance(network: "base") { holdings { edges { node {
    isListed valueUsd token { symbol address } balance { atomic } } } } } } } }`;

  it("lists traded and known tokens with their values, and no others", async () => {
    const { account, wallet } = await createTrader(100_000_000n);
    await market.fund(wallet, "OLD", 10n ** 18n);
    await market.fund(wallet, "AERO", 4n * 10n ** 18n);
    expect((await post(account, { sellToken: "USDC", buyToken: PEBBLE, sellAmount: 20 })).status).toBe(200);
    const { json, text } = await stack.graphql(account.token, HOLDINGS);
    const edges: { node: HoldingNode }[] = json.data?.viewer.wallet.balance.holdings.edges ?? [];
    const held = new Map(edges.map(({ node }) => [node.token.symbol, node]));
    expect([...held.keys()].toSorted(), text).toEqual(["AERO", "ETH", "PEBBLE", "USDC"]);
    expect(held.get("PEBBLE")).toMatchObject({ isListed: false });
    expect(held.get("PEBBLE")?.balance.atomic).toBe(String(await market.balance(PEBBLE, wallet)));
    expect(Number(held.get("PEBBLE")?.valueUsd)).toBeCloseTo(20, 0);
    expect(Number(held.get("AERO")?.valueUsd)).toBeCloseTo(5, 0);
    expect(held.get("USDC")).toMatchObject({ isListed: true, valueUsd: "80.00", balance: { atomic: "80000000" } });
    const balance = await stack.rest(account.token, "GET", "/api/balance?network=base");
    expect(balance.json.tokens.map(({ symbol }: { symbol: string }) => symbol).toSorted()).toEqual(
      [...held.keys()].toSorted(),
    );
    const pebble = balance.json.tokens.find(({ symbol }: { symbol: string }) => symbol === "PEBBLE");
    expect(pebble).toMatchObject({ name: "PEBBLE", decimals: 9, isListed: false });
    expect(pebble.address.toLowerCase()).toBe(PEBBLE.toLowerCase());
  });

  it("lists balances without values while the exchange does not respond", async () => {
    const { account } = await createTrader(1_000_000n);
    await market.fault("error-500");
    const { json, text } = await stack.graphql(account.token, HOLDINGS);
    const edges: { node: HoldingNode }[] = json.data?.viewer.wallet.balance.holdings.edges ?? [];
    const values = edges.map(({ node }) => [node.token.symbol, node.valueUsd]);
    expect(values.toSorted(), text).toEqual([
      ["ETH", null],
      ["USDC", "1.00"],
    ]);
  });
});

it("counts malformed requests and rejects further ones before validation", async () => {
  const { account } = await createTrader(0n);
  const malformed = ["{", "text", {}, { ...USUAL, sellAmount: "much" }, "x".repeat(1_100_000)];
  const statuses = [];
  for (let n = 0; n < 30; n++) statuses.push((await post(account, malformed[n % 5] ?? "")).status);
  expect(new Set(statuses)).toEqual(new Set([400, 413]));
  for (const body of ["{", USUAL]) {
    const { status, json, headers } = await post(account, body);
    expect([status, json.error]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const quote = await stack.rest(account.token, "GET", "/api/trade/quote?sellToken=USDC");
  expect([quote.status, quote.headers.get("ratelimit-remaining")]).toEqual([400, "999"]);
  const otherTrader = await createTrader(0n);
  const refused = await post(otherTrader.account, {});
  expect([refused.status, refused.headers.get("ratelimit-remaining")]).toEqual([400, "29"]);
});

it("does not count requests of a credential that may not trade", async () => {
  const { account } = await createTrader(0n);
  const { prisma } = stack.service.deps.db;
  const tokens = { accountId: account.accountId };
  await prisma.apiToken.updateMany({ where: tokens, data: { allowedHosts: ["merchant.example"] } });
  for (let n = 0; n < 31; n++) {
    const { status, json, headers } = await post(account, n % 2 ? USUAL : "{");
    expect([status, json.error, headers.get("ratelimit-remaining")]).toEqual([403, "forbidden", null]);
  }
  await prisma.apiToken.updateMany({ where: tokens, data: { allowedHosts: [] } });
  const { status, headers } = await post(account, {});
  expect([status, headers.get("ratelimit-remaining")]).toEqual([400, "29"]);
});

it("shares thirty requests a minute with sendTokens and reports the limit", async () => {
  const { account } = await createTrader(0n);
  const send = `mutation { sendTokens(input: { network: "base", to: "0x00000000000000000000000000000000000c0ffe", amount: "1" }) { __typename } }`;
  for (let n = 0; n < 10; n++) await stack.graphql(account.token, send);
  const responses = await Promise.all(
    Array.from({ length: 21 }, () => post(account, { sellToken: "USDC", buyToken: "DOGE", sellAmount: 1 })),
  );
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  const headers = refused[0]?.headers;
  expect([headers?.get("ratelimit-limit"), headers?.get("ratelimit-remaining")]).toEqual(["30", "0"]);
  expect(Number(headers?.get("retry-after"))).toBeGreaterThan(0);
});

it("leaves transfers on chain that agree with the ledger", async () => {
  const { deps } = stack.service;
  expect(await findChainDifferences(deps)).toEqual([]);
  const assigned = await deps.db.prisma.chainTransfer.groupBy({
    by: ["direction"],
    where: { transactionId: { not: null } },
    _count: true,
  });
  expect(assigned.map(({ direction, _count }) => [direction, _count > 5])).toEqual(
    expect.arrayContaining([
      ["in", true],
      ["out", true],
    ]),
  );
});
