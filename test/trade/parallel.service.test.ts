// @module-tag postgresql
/** Concurrent trades of one wallet: nonces are consecutive, sums are correct, and limits are exact. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { connectMarket, DAI, type Market, NATIVE, USDC } from "./market.ts";

let stack: OwnStack;
let market: Market;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"] });
  if (!stack.sandbox) throw new Error("No sandbox is running.");
  market = connectMarket(stack.sandbox);
});
afterAll(() => stack?.stop());

async function createTrader(limits = {}): Promise<{ account: TestAccount; wallet: string }> {
  const account = await stack.account({ limits });
  await stack.fund(account, "100000000");
  const { evmAddress: wallet } = await stack.service.deps.wallets.ofAccount(account.accountId);
  return { account, wallet };
}

const stepsOf = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.evmTransaction.findMany({ where: { trade: { accountId } }, orderBy: { nonce: "asc" } });

it("executes twenty concurrent trades of tokens and of the native coin", async () => {
  const { account, wallet } = await createTrader();
  const trades = Array.from({ length: 20 }, (_, n) =>
    n % 4 === 3
      ? { sellToken: "ETH", buyToken: "DAI", sellAmount: "0.001" }
      : { sellToken: "USDC", buyToken: "DAI", sellAmount: 2 },
  );
  const responses = await Promise.all(
    trades.map((body) => stack.rest(account.token, "POST", "/api/trade", { ...body, slippagePercentage: 5 })),
  );
  expect(responses.map(({ status, text }) => [status, status === 200 ? "" : text])).toEqual(
    trades.map(() => [200, ""]),
  );
  const steps = await stepsOf(account);
  expect(steps.map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 15 * 2 + 5 }, (_, n) => n));
  expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(["mined"]));
  expect(await market.nonce(wallet)).toBe(steps.length);
  expect(await market.balance(USDC, wallet)).toBe(70_000_000n);
  expect(await market.allowance(USDC, wallet)).toBe(0n);
  const rows = await stack.service.deps.db.prisma.trade.findMany({ where: { accountId: account.accountId } });
  const bought = rows.reduce((sum, row) => sum + BigInt(row.boughtAtomic?.toFixed(0) ?? 0), 0n);
  expect(await market.balance(DAI, wallet)).toBe(bought);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("executes exactly the concurrent trades that fit a limit", async () => {
  const { account, wallet } = await createTrader({ dailyMicroUsd: 21_000_000n });
  const body = { sellToken: "USDC", buyToken: "DAI", sellAmount: 3, slippagePercentage: 5 };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => stack.rest(account.token, "POST", "/api/trade", body)),
  );
  const codes = responses.map(({ status, json }) => (status === 200 ? "ok" : json.error)).toSorted();
  expect(codes).toEqual([...Array(7).fill("ok"), ...Array(13).fill("spending_limit_exceeded")]);
  expect(await market.balance(USDC, wallet)).toBe(79_000_000n);
  expect((await stepsOf(account)).map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 14 }, (_, n) => n));
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("executes exactly the concurrent trades that the balance covers with their fees", async () => {
  const { account, wallet } = await createTrader();
  await market.setNative(wallet, 10n ** 18n);
  const body = { sellToken: "ETH", buyToken: "DAI", sellAmount: "0.3", slippagePercentage: 5 };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => stack.rest(account.token, "POST", "/api/trade", body)),
  );
  const codes = responses.map(({ status, json }) => (status === 200 ? "ok" : json.error)).toSorted();
  expect(codes).toEqual([...Array(17).fill("insufficient_balance"), ...Array(3).fill("ok")]);
  expect(await market.balance(NATIVE, wallet)).toBeLessThan(10n ** 17n);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});
