/** A malicious exchange, in its responses or on chain, gets at most the sold amount and no remaining allowance. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
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
afterEach(() => market.fault(null));
afterAll(() => stack?.stop());

const FUNDS = 1_000_000_000n;
const SOLD = 50_000_000n;

async function createTrader(): Promise<{ account: TestAccount; wallet: string }> {
  const account = await stack.account();
  await stack.fund(account, String(FUNDS));
  const { evmAddress: wallet } = await stack.service.deps.wallets.ofAccount(account.accountId);
  await market.fund(wallet, "DAI", 10n ** 20n);
  return { account, wallet };
}

const sell = ({ token }: TestAccount, sellToken: string, sellAmount: number | string, buyToken = "WETH") =>
  stack.rest(token, "POST", "/api/trade", { sellToken, buyToken, sellAmount });

const rowsOf = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId, type: "trade" } });

describe("rejects before signing", () => {
  it.each([
    "low-minimum",
    "spender",
    "settler-spender",
    "token-call",
    "recipient",
    "other-buy-token",
    "more-than-asked",
    "more-value",
  ])("%s", async (fault) => {
    const { account, wallet } = await createTrader();
    await market.fault(fault);
    const { status, json, text } = await sell(account, "USDC", 50);
    expect([status, json.error, json.txHash], text).toEqual([500, "trade_failed", undefined]);
    expect(json.message).toContain("Nothing was signed");
    expect([await market.nonce(wallet), await market.balance(USDC, wallet), await rowsOf(account)]).toEqual([
      0,
      FUNDS,
      [],
    ]);
  });

  it.each(["stale-price"])("%s, by simulation", async (fault) => {
    const { account, wallet } = await createTrader();
    await market.fault(fault);
    const { status, json } = await sell(account, "USDC", 50);
    expect([status, json.error, json.txHash]).toEqual([500, "trade_failed", undefined]);
    expect([await market.nonce(wallet), await market.balance(USDC, wallet)]).toEqual([0, FUNDS]);
    expect((await rowsOf(account)).map((row) => row.status)).toEqual(["released"]);
  });

  it.each(["recipient", "other-buy-token", "low-minimum", "spender"])("%s, for the native coin", async (fault) => {
    const { account, wallet } = await createTrader();
    await market.fault(fault);
    const { status, json } = await sell(account, "ETH", "0.01", "USDC");
    expect([status, json.error]).toEqual([500, "trade_failed"]);
    expect([await market.nonce(wallet), await market.balance(NATIVE, wallet)]).toEqual([0, 10n ** 18n]);
  });
});

describe("on chain", () => {
  it.each([
    ["reverts", 0n, "failed"],
    ["pays-nothing", SOLD, "settled"],
    ["pays-less", SOLD, "settled"],
    ["pays-stranger", SOLD, "settled"],
    ["pays-other-token", SOLD, "settled"],
    ["takes-half", SOLD / 2n, "settled"],
  ])("%s loses %s of the sold amount, and the ledger row is %s", async (fault, lost, ledgerStatus) => {
    const { account, wallet } = await createTrader();
    await market.fault(fault);
    const { status, json, text } = await sell(account, "USDC", 50);
    if (fault === "takes-half") expect([status, json.sellAmount], text).toEqual([200, "25"]);
    else expect([status, json.error, /^0x[0-9a-f]{64}$/.test(json.txHash)], text).toEqual([500, "trade_failed", true]);
    expect(FUNDS - (await market.balance(USDC, wallet))).toBe(lost);
    expect(await market.balance(DAI, wallet)).toBeGreaterThanOrEqual(10n ** 20n);
    await vi.waitFor(async () => expect(await market.allowance(USDC, wallet)).toBe(0n), { timeout: 20_000 });
    const [row] = await rowsOf(account);
    expect([row?.status, row?.settledMicroUsd ?? 0n]).toEqual([ledgerStatus, lost]);
    const budget = await stack.service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: account.tokenId } });
    expect(budget.dayUsedMicroUsd).toBe(lost);
    expect(await auditLedger(stack.service.deps.db)).toEqual([]);
  });

  it("a reverted swap of the native coin costs only the fee", async () => {
    const { account, wallet } = await createTrader();
    await market.fault("reverts");
    const { status, json } = await sell(account, "ETH", "0.1", "USDC");
    expect([status, json.error]).toEqual([500, "trade_failed"]);
    expect(10n ** 18n - (await market.balance(NATIVE, wallet))).toBeLessThan(10n ** 16n);
    const hold = await stack.service.deps.db.prisma.walletHold.findFirst({ where: { asset: "native" } });
    expect(hold?.outstandingAtomic.toFixed(0)).toBe("0");
  });

  it("returns the same failure and hash for the key of a failed trade", async () => {
    const { account } = await createTrader();
    await market.fault("reverts");
    const body = { sellToken: "USDC", buyToken: "WETH", sellAmount: 50 };
    const requestTrade = () =>
      stack.rest(account.token, "POST", "/api/trade", body, { "idempotency-key": "fails-once" });
    const first = await requestTrade();
    await market.fault(null);
    const second = await requestTrade();
    expect([second.status, second.json.txHash, second.json.id]).toEqual([500, first.json.txHash, first.json.id]);
    expect(await rowsOf(account)).toHaveLength(1);
  });
});
