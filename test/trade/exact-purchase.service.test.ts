// @module-tag postgresql
/** Trades of a stated amount to buy: at most the quoted maximum is reserved and leaves the wallet, and the rest remains. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatDecimal } from "../../src/platform/money.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { AERO, connectMarket, DAI, type Market, NATIVE, USDC, WETH } from "./market.ts";
import { type Move, prepareMove, waitForSuccess } from "./other-trader.ts";

const AMOUNT = "{ amount atomic symbol }";
const QUOTE = `query ($sellToken: String!, $buyToken: String!, $buyAmount: Decimal, $sellAmount: Decimal, $slippagePercentage: Float) {
  tradeQuote(sellToken: $sellToken, buyToken: $buyToken, buyAmount: $buyAmount, sellAmount: $sellAmount, slippagePercentage: $slippagePercentage) {
    __typename ... on TradeQuoteSuccess { sold ${AMOUNT} maxSold ${AMOUNT} quoted ${AMOUNT} minBought ${AMOUNT} warnings }
    ... on Error { code message } ... on InvalidRequestError { field } } }`;
const TRADE = `mutation ($input: TradeInput!) { trade(input: $input) { __typename
  ... on TradeSuccess { trade { id status sold ${AMOUNT} requested ${AMOUNT} bought ${AMOUNT} minBought ${AMOUNT}
    transaction { status amount ${AMOUNT} amountUsd } } }
  ... on Error { code message } ... on InvalidRequestError { field } } }`;

const FUNDS = 1_000_000_000n;
const ETHER = 10n ** 18n;

let stack: OwnStack;
let market: Market;
let account: TestAccount;
let owner: string;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"] });
  if (!stack.sandbox) throw new Error("The stack has no sandbox.");
  market = connectMarket(stack.sandbox);
});
beforeEach(async () => {
  account = await stack.account();
  await stack.fund(account, String(FUNDS));
  owner = (await stack.service.deps.wallets.ofAccount(account.accountId)).evmAddress;
  await market.setNative(owner, ETHER);
  return () => market.fault(null);
});
afterAll(() => stack?.stop());

async function quote(input: object) {
  const { json } = await stack.graphql(account.token, QUOTE, { sellToken: "USDC", buyToken: "DAI", ...input });
  expect(json.errors).toBeUndefined();
  return json.data.tradeQuote;
}

async function trade(input: object) {
  const variables = { input: { sellToken: "USDC", buyToken: "DAI", ...input } };
  const { json } = await stack.graphql(account.token, TRADE, variables);
  expect(json.errors).toBeUndefined();
  return json.data.trade;
}

const transactions = () =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId: account.accountId, type: "trade" } });

it("buys the stated amount for at most the quoted maximum, and charges what was sold", async () => {
  const quoted = await quote({ buyAmount: "5" });
  expect(quoted).toMatchObject({ quoted: { amount: expect.stringMatching(/^5\.0*$/) }, minBought: { symbol: "DAI" } });
  expect(BigInt(quoted.maxSold.atomic)).toBe((BigInt(quoted.sold.atomic) * 101n + 99n) / 100n);
  const { trade: done } = await trade({ buyAmount: "5", maxSellAmount: quoted.maxSold.amount });
  expect(done).toMatchObject({ status: "SETTLED", requested: quoted.maxSold, minBought: quoted.minBought });
  const sold = FUNDS - (await market.balance(USDC, owner));
  const bought = await market.balance(DAI, owner);
  expect(bought).toBeGreaterThanOrEqual(5n * ETHER);
  expect(bought).toBeLessThan(5n * ETHER + 10n ** 13n);
  expect(done).toMatchObject({ sold: { atomic: String(sold) }, bought: { atomic: String(bought) } });
  expect(sold).toBeLessThan(BigInt(quoted.maxSold.atomic));
  expect(done.transaction).toMatchObject({ status: "SETTLED", amount: { atomic: String(sold) } });
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it.each([
  ["ETH", "USDC", "3", USDC, 3_000_000n + FUNDS],
  ["ETH", "WETH", "0.25", WETH, ETHER / 4n],
  ["USDC", "ETH", "0.01", NATIVE, null],
])("buys from %s to %s", async (sellToken, buyToken, buyAmount, token, balance) => {
  const { trade: done } = await trade({ sellToken, buyToken, buyAmount });
  expect(done).toMatchObject({ status: "SETTLED" });
  expect(BigInt(done.sold.atomic)).toBeLessThanOrEqual(BigInt(done.requested.atomic));
  if (balance !== null) expect(await market.balance(token, owner)).toBeGreaterThanOrEqual(balance);
  else expect(BigInt(done.bought.atomic)).toBeGreaterThanOrEqual(10n ** 16n);
  if (sellToken === "ETH") {
    // Gas is the rest.
    const left = ETHER - (await market.balance(NATIVE, owner)) - BigInt(done.sold.atomic);
    expect(left).toBeGreaterThan(0n);
    expect(left).toBeLessThan(10n ** 15n);
  }
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

describe("a limit that the caller saw", () => {
  it("tightens the slippage, or nothing is reserved", async () => {
    const quoted = await quote({ buyAmount: "5" });
    const within = BigInt(quoted.sold.atomic) + BigInt(quoted.sold.atomic) / 1_000n;
    const { trade: done } = await trade({ buyAmount: "5", maxSellAmount: formatDecimal(within, 6) });
    expect(BigInt(done.requested.atomic)).toBeLessThanOrEqual(within);
    const refused = await trade({ buyAmount: "5", maxSellAmount: "4.5" });
    expect(refused).toMatchObject({
      code: "TRADE_FAILED",
      message: expect.stringContaining("sells more than 4.5 USDC"),
    });
    expect(await transactions()).toHaveLength(1);
  });

  it("names the field that does not apply", async () => {
    for (const [input, field] of [
      [{ buyAmount: "5", sellAmount: "5" }, "buyAmount"],
      [{ buyAmount: "5", sellAll: true }, "buyAmount"],
      [{}, "sellAmount"],
      [{ buyAmount: "0" }, "buyAmount"],
      [{ buyAmount: "0.0000000000000000001" }, "buyAmount"],
      [{ buyAmount: "5", minBuyAmount: "5" }, "minBuyAmount"],
      [{ sellAmount: "5", maxSellAmount: "5" }, "maxSellAmount"],
      [{ buyAmount: "5", maxSellAmount: "5.0000001" }, "maxSellAmount"],
    ] as const) {
      expect(await trade(input), JSON.stringify(input)).toMatchObject({ __typename: "InvalidRequestError", field });
    }
    expect(await quote({ buyAmount: "5", sellAmount: "5" })).toMatchObject({ field: "buyAmount" });
    expect(await transactions()).toEqual([]);
  });
});

it("reserves the maximum against balance and limits", async () => {
  const quoted = await quote({ buyAmount: "5" });
  const poor = await stack.account();
  const evm = (await stack.service.deps.wallets.ofAccount(poor.accountId)).evmAddress;
  await market.setNative(evm, ETHER);
  await stack.fund(poor, String(BigInt(quoted.maxSold.atomic) - 1n));
  const variables = { input: { sellToken: "USDC", buyToken: "DAI", buyAmount: "5" } };
  expect((await stack.graphql(poor.token, TRADE, variables)).json.data.trade).toMatchObject({
    __typename: "InsufficientBalanceError",
  });
  expect(await market.balance(USDC, evm)).toBe(BigInt(quoted.maxSold.atomic) - 1n);
  expect(await quote({ buyAmount: "5000000000000" })).toMatchObject({ __typename: "UnsupportedTokenError" });
});

it("repeats with the same key without a second trade, and refuses another amount under it", async () => {
  const first = await trade({ buyAmount: "5", idempotencyKey: "five" });
  expect((await trade({ buyAmount: "5", idempotencyKey: "five" })).trade.id).toBe(first.trade.id);
  expect(await trade({ buyAmount: "6", idempotencyKey: "five" })).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  expect(await transactions()).toHaveLength(1);
});

it.each(["more-than-asked", "low-minimum", "spender", "recipient", "other-buy-token", "token-call", "more-value"])(
  "signs nothing if the exchange %s",
  async (fault) => {
    await market.fault(fault);
    expect(await trade({ buyAmount: "5" })).toMatchObject({ code: "TRADE_FAILED" });
    expect(await market.balance(USDC, owner)).toBe(FUNDS);
    expect(await market.nonce(owner)).toBe(0);
    expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  },
);

describe("concurrent purchases", () => {
  const PURCHASES = 12;
  const FITTING = 4;
  const purchase = { buyAmount: "3", slippagePercentage: 5 };

  /** Starts all purchases of a trader; `codes` has the code of each that has ended, or "ok". */
  function race(token: string) {
    const codes: string[] = [];
    const run = async () => {
      const variables = { input: { sellToken: "USDC", buyToken: "DAI", ...purchase } };
      const { json } = await stack.graphql(token, TRADE, variables);
      codes.push(json.data.trade.code ?? "ok");
    };
    return { codes, ended: Promise.all(Array.from({ length: PURCHASES }, run)) };
  }

  /** Returns an account whose limit or balance covers four and a half purchases, and that amount. */
  async function createTrader(scarce: "daily limit" | "balance") {
    const quoted = await quote(purchase);
    const covered = (BigInt(quoted.maxSold.atomic) * BigInt(2 * FITTING + 1)) / 2n;
    const trader = await stack.account(scarce === "balance" ? {} : { limits: { dailyMicroUsd: covered } });
    const fundedAtomic = scarce === "balance" ? covered : FUNDS;
    await stack.fund(trader, String(fundedAtomic));
    const { evmAddress } = await stack.service.deps.wallets.ofAccount(trader.accountId);
    await market.setNative(evmAddress, ETHER);
    return { ...trader, evmAddress, covered, fundedAtomic, maxSoldAtomic: BigInt(quoted.maxSold.atomic) };
  }
  type Trader = Awaited<ReturnType<typeof createTrader>>;

  /** Returns what the ledger counts for a trader in one snapshot: a reservation in full, a settled purchase as charged. */
  async function countedMicroUsd({ accountId, tokenId }: Trader) {
    const [row] = await stack.service.deps.db.query<{ counted: string; used: string }>(
      {
        name: "test-counted",
        text: `SELECT b.day_used_micro_usd::text AS used, coalesce((SELECT sum(CASE status WHEN 'settled' THEN settled_micro_usd
            WHEN 'reserved' THEN amount_micro_usd WHEN 'signed' THEN amount_micro_usd ELSE 0 END)
            FROM transactions WHERE account_id = $1 AND type = 'trade'), 0)::text AS counted FROM budgets b WHERE b.id = $2`,
      },
      [accountId, tokenId],
    );
    expect(row?.used).toBe(row?.counted);
    return BigInt(row?.counted ?? -1);
  }

  /** Checks that the trader was charged exactly what left the wallet, and that it bought the amount each time. */
  async function expectExact(trader: Trader, codes: readonly string[]) {
    const { accountId, evmAddress, covered, fundedAtomic } = trader;
    const count = codes.filter((code) => code === "ok").length;
    const soldAtomic = fundedAtomic - (await market.balance(USDC, evmAddress));
    expect(await countedMicroUsd(trader)).toBe(soldAtomic);
    expect(soldAtomic).toBeLessThanOrEqual(covered);
    expect(await market.balance(DAI, evmAddress)).toBeGreaterThanOrEqual(BigInt(count) * 3n * ETHER);
    const rows = await stack.service.deps.db.prisma.trade.findMany({ where: { accountId, status: "settled" } });
    expect(rows).toHaveLength(count);
    for (const row of rows)
      expect(BigInt(row.soldAtomic?.toFixed(0) ?? 0)).toBeLessThanOrEqual(BigInt(row.sellAmountAtomic.toFixed(0)));
    expect(rows.reduce((sum, row) => sum + BigInt(row.soldAtomic?.toFixed(0) ?? 0), 0n)).toBe(soldAtomic);
    expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  }

  it.each([
    ["daily limit", "SPENDING_LIMIT_EXCEEDED"],
    ["balance", "INSUFFICIENT_BALANCE"],
  ] as const)("reserve their maxima, and exactly those start that the %s covers", async (scarce, code) => {
    const trader = await createTrader(scarce);
    const { codes, ended } = await market.withoutBlocks(async ({ mine, pendingNonce }) => {
      const started = race(trader.token);
      await expect.poll(() => pendingNonce(trader.evmAddress), { timeout: 30_000 }).toBe(2 * FITTING);
      await expect.poll(() => started.codes.length, { timeout: 30_000 }).toBe(PURCHASES - FITTING);
      expect(new Set(started.codes)).toEqual(new Set([code]));
      expect(await countedMicroUsd(trader)).toBe(BigInt(FITTING) * trader.maxSoldAtomic);
      expect(await auditLedger(stack.service.deps.db)).toEqual([]);
      await mine();
      await started.ended;
      return started;
    });
    await ended;
    expect(codes.filter((each) => each === "ok")).toHaveLength(FITTING);
    await expectExact(trader, codes);
  });

  it.each(["daily limit", "balance"] as const)("never count more than the %s while others settle", async (scarce) => {
    const trader = await createTrader(scarce);
    const { codes, ended } = race(trader.token);
    let samples = 0;
    while (codes.length < PURCHASES) {
      expect(await countedMicroUsd(trader)).toBeLessThanOrEqual(trader.covered);
      samples += 1;
      // The embedded database would otherwise leave no time to the purchases.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await ended;
    expect(samples).toBeGreaterThan(3);
    expect(codes.filter((each) => each === "ok").length).toBeGreaterThanOrEqual(FITTING);
    await expectExact(trader, codes);
  });
});

describe("for any amount, slippage and move of the pool", () => {
  const TOKENS = [
    { symbol: "DAI", address: DAI },
    { symbol: "AERO", address: AERO },
  ] as const;
  const purchases = fc.record({
    token: fc.constantFrom(...TOKENS),
    micro: fc.bigInt({ min: 1_000n, max: 10_000_000n }),
    slippagePercentage: fc.constantFrom(0, 0.01, 0.5, 3, 50),
    // Thousands of dollars that another trader moves. Above zero the token becomes more expensive.
    thousands: fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 2_000 })),
    moment: fc.constantFrom("after the quote", "in the block"),
  });

  /** Buys while another trader moves the pool, and returns the result of the mutation. */
  async function tradeWhile({ thousands, moment }: { thousands: number; moment: string }, move: Move, input: object) {
    if (thousands === 0) return await trade(input);
    const { send } = await prepareMove(market, stack.sandbox?.dexUrl ?? "", move);
    if (moment === "after the quote") {
      const { maxSold } = await quote(input);
      await waitForSuccess(market, await send());
      const result = await trade({ ...input, maxSellAmount: maxSold.amount });
      if (result.trade) expect(BigInt(result.trade.requested.atomic)).toBeLessThanOrEqual(BigInt(maxSold.atomic));
      return result;
    }
    return await market.withoutBlocks(async ({ mine, pendingNonce }) => {
      const nonce = await pendingNonce(owner);
      await send();
      const result = trade(input);
      await expect.poll(() => pendingNonce(owner), { timeout: 30_000 }).toBe(nonce + 2);
      await mine();
      return await result;
    });
  }

  it("sells at most the maximum and buys at least the amount, or fails and sells nothing", async () => {
    const outcomes: Record<string, number> = {};
    const check = () =>
      fc.assert(
        fc.asyncProperty(purchases, async ({ token, micro, slippagePercentage, ...moved }) => {
          const input = {
            buyToken: token.symbol,
            buyAmount: `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`,
            slippagePercentage,
          };
          const dollars = { sell: "USDC", sellToken: USDC, buyToken: token.address } as const;
          const tokens = { sell: token.symbol, sellToken: token.address, buyToken: USDC } as const;
          const move = {
            ...(moved.thousands > 0 ? dollars : tokens),
            amount: BigInt(Math.abs(moved.thousands)) * 1_000n,
          };
          const [usdc, before] = [await market.balance(USDC, owner), await market.balance(token.address, owner)];
          const { trade: done, ...error } = await tradeWhile(moved, move, input);
          const sold = usdc - (await market.balance(USDC, owner));
          const bought = (await market.balance(token.address, owner)) - before;
          const budget = await stack.service.deps.db.prisma.budget.findUniqueOrThrow({
            where: { id: account.tokenId },
          });
          expect(budget.dayUsedMicroUsd).toBe(FUNDS - usdc + sold);
          if (done) {
            expect(done).toMatchObject({ status: "SETTLED", sold: { atomic: String(sold) } });
            expect(sold).toBeLessThanOrEqual(BigInt(done.requested.atomic));
            expect(bought).toBeGreaterThanOrEqual(micro * 10n ** 12n);
          } else {
            expect(error).toMatchObject({ code: "TRADE_FAILED" });
            expect(error.message).toMatch(moved.moment === "in the block" ? /Nothing was sold/ : /The price moved/);
            // The price rose by more than the tolerance.
            expect(moved.thousands).toBeGreaterThan(0);
            expect([sold, bought]).toEqual([0n, 0n]);
          }
          const outcome = `${moved.moment}: ${done ? "settled" : "failed"}`;
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }),
        {
          numRuns: 14,
          examples: [
            [
              {
                token: TOKENS[0],
                micro: 5_000_000n,
                slippagePercentage: 0.5,
                thousands: 2_000,
                moment: "in the block",
              },
            ],
            [{ token: TOKENS[0], micro: 5_000_000n, slippagePercentage: 50, thousands: 2_000, moment: "in the block" }],
            [{ token: TOKENS[1], micro: 5_000_000n, slippagePercentage: 0, thousands: -100, moment: "in the block" }],
            [{ token: TOKENS[1], micro: 5_000_000n, slippagePercentage: 3, thousands: 9, moment: "after the quote" }],
            [{ token: TOKENS[1], micro: 5_000_000n, slippagePercentage: 0, thousands: 9, moment: "after the quote" }],
          ],
        },
      );
    // The order of two transactions in a block is not certain, so the examples may need another round.
    for (let round = 0; round < 3 && Object.keys(outcomes).length < 4; round++) await check();
    expect(Object.keys(outcomes).toSorted()).toEqual([
      "after the quote: failed",
      "after the quote: settled",
      "in the block: failed",
      "in the block: settled",
    ]);
    expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  }, 120_000);
});
