// @module-tag postgresql
/** Many trades of one wallet at once: no nonce is used twice or left out, the sums are right, and limits hold exactly. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { DAI, type Market, marketOf, NATIVE, USDC } from "./market.ts";

let stack: OwnStack;
let market: Market;

beforeAll(async () => {
  stack = await startStack({ networks: ["base"] });
  if (!stack.sandbox) throw new Error("no sandbox");
  market = marketOf(stack.sandbox);
});
afterAll(() => stack?.stop());

async function trader(limits = {}): Promise<{ account: TestAccount; wallet: string }> {
  const account = await stack.account({ limits });
  await stack.fund(account, "100000000");
  const { evmAddress: wallet } = await stack.service.deps.wallets.ofAccount(account.accountId);
  return { account, wallet };
}

const stepsOf = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.evmTransaction.findMany({ where: { trade: { accountId } }, orderBy: { nonce: "asc" } });

it("twenty at once, of tokens and of the coin", async () => {
  const { account, wallet } = await trader();
  const trades = Array.from({ length: 20 }, (_, n) =>
    n % 4 === 3
      ? { sellToken: "ETH", buyToken: "DAI", sellAmount: "0.001" }
      : { sellToken: "USDC", buyToken: "DAI", sellAmount: 2 },
  );
  const answers = await Promise.all(
    trades.map((body) => stack.rest(account.token, "POST", "/api/trade", { ...body, slippagePercentage: 5 })),
  );
  expect(answers.map(({ status, text }) => [status, status === 200 ? "" : text])).toEqual(trades.map(() => [200, ""]));
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

it("twenty at once against a limit: exactly what fits", async () => {
  const { account, wallet } = await trader({ dailyMicroUsd: 21_000_000n });
  const body = { sellToken: "USDC", buyToken: "DAI", sellAmount: 3, slippagePercentage: 5 };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => stack.rest(account.token, "POST", "/api/trade", body)),
  );
  const codes = answers.map(({ status, json }) => (status === 200 ? "ok" : json.error)).toSorted();
  expect(codes).toEqual([...Array(7).fill("ok"), ...Array(13).fill("spending_limit_exceeded")]);
  expect(await market.balance(USDC, wallet)).toBe(79_000_000n);
  expect((await stepsOf(account)).map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 14 }, (_, n) => n));
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("twenty at once against what the wallet holds, sale and fee together", async () => {
  const { account, wallet } = await trader();
  await market.setNative(wallet, 10n ** 18n);
  const body = { sellToken: "ETH", buyToken: "DAI", sellAmount: "0.3", slippagePercentage: 5 };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => stack.rest(account.token, "POST", "/api/trade", body)),
  );
  const codes = answers.map(({ status, json }) => (status === 200 ? "ok" : json.error)).toSorted();
  expect(codes).toEqual([...Array(17).fill("insufficient_balance"), ...Array(3).fill("ok")]);
  expect(await market.balance(NATIVE, wallet)).toBeLessThan(10n ** 17n);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});
