/** Tokens that deduct a fee, change balances or block the wallet, and stuck transactions: the books follow the chain. */
import { type Abi, createPublicClient, encodeDeployData, type Hex, http, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import unusualToken from "../../sandbox/contracts/UnusualToken.json" with { type: "json" };
import { placeContract } from "../../sandbox/evm/contracts.ts";
import type { Service } from "../../src/app/service.ts";
import { resumeTrades } from "../../src/trade/resume-trades.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { type LossyRpc, openLossyRpc } from "./lossy-rpc.ts";
import { connectMarket, type Market, PEBBLE, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;
const BURN_ADDRESS = "0x000000000000000000000000000000000000dEaD";
const PEBBLE_ATOMIC = 10n ** 9n;

let sandbox: TestSandbox;
let market: Market;
let satchel: Satchel;
let service: Service;
let payer: Payer;

beforeAll(async () => {
  sandbox = await openSandbox(["base"]);
  market = connectMarket(sandbox);
  const env = { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" };
  satchel = await createSatchel({ sandbox, postgresql: null, env });
});
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
});

const connect = () => createPublicClient({ transport: http(market.rpcUrl) });

interface Behaviour {
  feeBps?: bigint;
  claimsGross?: boolean;
  detectsSimulation?: boolean;
  percent?: bigint;
  blocked?: string;
}

/** Replaces the code of the token; balances remain. */
async function setToken(behaviour: Behaviour): Promise<void> {
  const {
    feeBps = 0n,
    claimsGross = false,
    detectsSimulation = false,
    percent = 100n,
    blocked = BURN_ADDRESS,
  } = behaviour;
  const args = [feeBps, claimsGross, detectsSimulation, percent, blocked];
  const abi = unusualToken.abi as Abi;
  const creationCode = encodeDeployData({ abi, bytecode: unusualToken.bytecode as Hex, args });
  await placeContract(connect() as never, PEBBLE, creationCode);
}

async function request(path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

const buy = (body: object = {}) =>
  request("/api/trade", { sellToken: "USDC", buyToken: PEBBLE, sellAmount: 10, slippagePercentage: 1, ...body });
const sell = (body: object = {}) =>
  request("/api/trade", { sellToken: PEBBLE, buyToken: "USDC", sellAmount: 100, slippagePercentage: 1, ...body });

async function books() {
  const { prisma } = service.deps.db;
  const where = { accountId: payer.accountId };
  const trades = await prisma.trade.findMany({ where, orderBy: { createdAt: "asc" } });
  const ledger = await prisma.transaction.findMany({
    where: { ...where, type: "trade" },
    orderBy: { createdAt: "asc" },
  });
  const { dayUsedMicroUsd } = await prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
  expect(await auditLedger(service.deps.db)).toEqual([]);
  const amount = (value: { toFixed(digits: number): string } | null) =>
    value === null ? null : BigInt(value.toFixed(0));
  return {
    trades: trades.map(({ status, soldAtomic, boughtAtomic }) => [status, amount(soldAtomic), amount(boughtAtomic)]),
    ledger: ledger.map(({ status, settledAtomic }) => [status, amount(settledAtomic)]),
    dayUsedMicroUsd,
  };
}

describe("a token", () => {
  beforeAll(async () => {
    service = await satchel.open();
  });
  beforeEach(async () => {
    payer = await satchel.payer({ usdcAtomic: FUNDS });
  });
  afterEach(() => setToken({}));
  afterAll(() => service?.stop());

  const expectNothingSigned = async (reason: RegExp, { status, json, text }: Awaited<ReturnType<typeof buy>>) => {
    expect([status, json.error], text).toEqual([500, "trade_failed"]);
    expect(json.message).toMatch(reason);
    expect(json.message).toContain("Nothing was signed.");
    expect(await books()).toEqual({
      trades: [["failed", null, null]],
      ledger: [["released", null]],
      dayUsedMicroUsd: 0n,
    });
    expect(await market.nonce(payer.evmAddress)).toBe(0);
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS);
  };

  it("with a fee above the slippage is refused before signing", async () => {
    await setToken({ feeBps: 500n });
    await expectNothingSigned(/less than the minimum/, await buy());
  });

  it.each([
    ["states", false],
    ["conceals", true],
  ])("whose fee its events %s is bought at the amount that arrived", async (_how, claimsGross) => {
    await setToken({ feeBps: 500n, claimsGross });
    const { status, json, text } = await buy({ slippagePercentage: 10 });
    expect([status, json.status], text).toEqual([200, "settled"]);
    const arrived = await market.balance(PEBBLE, payer.evmAddress);
    expect(json.buyAmount).toBe((Number(arrived) / 1e9).toString());
    expect(await books()).toEqual({
      trades: [["settled", SOLD, arrived]],
      ledger: [["settled", SOLD]],
      dayUsedMicroUsd: SOLD,
    });
  });

  it("that deducts a concealed fee only on chain is reported as paying less than the minimum", async () => {
    await setToken({ feeBps: 500n, claimsGross: true, detectsSimulation: true });
    const { status, json, text } = await buy();
    expect([status, json.error], text).toEqual([500, "trade_failed"]);
    expect(json.message).toMatch(/returned [\d.]+ PEBBLE, less than the minimum/);
    const arrived = await market.balance(PEBBLE, payer.evmAddress);
    expect(await books()).toEqual({
      trades: [["failed", SOLD, arrived]],
      ledger: [["settled", SOLD]],
      dayUsedMicroUsd: SOLD,
    });
  });

  it("with a fee is sold at the amount that left the wallet", async () => {
    await market.fund(payer.evmAddress, "PEBBLE", 100n * PEBBLE_ATOMIC);
    await setToken({ feeBps: 500n });
    const { status, text } = await sell();
    expect(status, text).toBe(200);
    expect(await market.balance(PEBBLE, payer.evmAddress)).toBe(0n);
    const received = (await market.balance(USDC, payer.evmAddress)) - FUNDS;
    expect((await books()).trades).toEqual([["settled", 100n * PEBBLE_ATOMIC, received]]);
  });

  it("that changes balances is listed and sold at the balance on chain", async () => {
    await setToken({});
    expect((await buy()).status).toBe(200);
    const bought = await market.balance(PEBBLE, payer.evmAddress);
    const listed = async () => {
      const { json } = await request("/api/balance?network=base");
      return (json.tokens as { address: string; balance: string }[]).find(
        ({ address }) => address.toLowerCase() === PEBBLE,
      )?.balance;
    };
    for (const percent of [110n, 50n]) {
      await setToken({ percent });
      const balance = await market.balance(PEBBLE, payer.evmAddress);
      expect(balance).toBe((bought * percent) / 100n);
      expect(Number(await listed()) * 1e9).toBeCloseTo(Number(balance), 0);
    }
    const refused = await sell({ sellAmount: Number(bought) / 1e9 });
    expect([refused.status, refused.json.error], refused.text).toEqual([402, "insufficient_balance"]);
    const rest = await market.balance(PEBBLE, payer.evmAddress);
    const sold = await request("/api/trade", {
      sellToken: PEBBLE,
      buyToken: "USDC",
      sellAmount: (Number(rest) / 1e9).toFixed(9),
      slippagePercentage: 1,
    });
    expect(sold.status, sold.text).toBe(200);
    expect(await market.balance(PEBBLE, payer.evmAddress)).toBe(0n);
    expect((await books()).trades.at(-1)?.slice(0, 2)).toEqual(["settled", rest]);
  });

  it("that blocks the wallet as its recipient is refused before signing", async () => {
    await setToken({ blocked: payer.evmAddress });
    await expectNothingSigned(/contract of PEBBLE refuses transfers to the wallet/, await buy());
  });

  it("that blocks the wallet as its sender is refused before signing", async () => {
    await market.fund(payer.evmAddress, "PEBBLE", 100n * PEBBLE_ATOMIC);
    await setToken({ blocked: payer.evmAddress });
    await expectNothingSigned(/contract of PEBBLE refuses transfers from the wallet/, await sell());
    expect(await market.balance(PEBBLE, payer.evmAddress)).toBe(100n * PEBBLE_ATOMIC);
  });

  it("that blocks the wallet only on chain costs nothing but the fee", async () => {
    await setToken({ blocked: payer.evmAddress, detectsSimulation: true });
    const { status, json, text } = await buy();
    expect([status, json.error], text).toEqual([500, "trade_failed"]);
    expect(json.message).toContain("The swap was reverted on chain. Nothing was sold.");
    expect(await books()).toEqual({
      trades: [["failed", null, null]],
      ledger: [["failed", null]],
      dayUsedMicroUsd: 0n,
    });
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS);
    await expect.poll(() => market.allowance(USDC, payer.evmAddress), { timeout: 10_000 }).toBe(0n);
  });
});

describe("the maximum fee", () => {
  let node: LossyRpc;

  beforeEach(async () => {
    payer = await satchel.payer({ usdcAtomic: FUNDS });
    node = await openLossyRpc(market.rpcUrl);
  });
  afterEach(async () => {
    await service?.stop();
    await node?.close();
  });

  const open = async (maxFeePerGasWei: bigint) => {
    service = await satchel.open({
      ...{ RPC_URL_BASE: node.url, TRADE_WAIT_MS: "100", TRADE_STUCK_MS: "100", RECONCILE_INTERVAL_MS: "600000" },
      MAX_FEE_PER_GAS_GWEI: `base=${Number(maxFeePerGasWei) / 1e9}`,
    });
  };
  const currentFee = async () => (await connect().estimateFeesPerGas()).maxFeePerGas;

  it("refuses a trade while the network's fee exceeds it", async () => {
    await open((await currentFee()) / 2n);
    const { status, json, text } = await buy({ buyToken: "DAI" });
    expect([status, json.error], text).toEqual([500, "trade_failed"]);
    expect(json.message).toBe("The network fee exceeds the limit for trades. Nothing was signed. Retry later.");
    expect(await books()).toEqual({ trades: [], ledger: [], dayUsedMicroUsd: 0n });
    expect(node.dropped).toEqual([]);
  });

  it("limits the fees of the transactions that replace a stuck one, and the service reports them", async () => {
    const maximum = (await currentFee()) * 2n;
    await open(maximum);
    const info = vi.spyOn(service.deps.logger, "info");
    const warn = vi.spyOn(service.deps.logger, "warn");
    const { status, json, text } = await buy({ buyToken: "DAI" });
    expect([status, json.status], text).toEqual([200, "submitted"]);
    const resume = async () => {
      const data = { nextCheckAt: new Date(0) };
      await service.deps.db.prisma.evmTransaction.updateMany({ where: { nextCheckAt: { not: null } }, data });
      await resumeTrades(service.deps);
    };
    await vi.waitFor(
      async () => {
        await resume();
        expect(warn).toHaveBeenCalledWith(
          expect.objectContaining({ tradeId: json.id, nonce: "0" }),
          "Stuck transaction not replaced: higher fees exceed MAX_FEE_PER_GAS_GWEI",
        );
      },
      { timeout: 20_000, interval: 110 },
    );
    const fees = node.dropped
      .map((raw) => parseTransaction(raw))
      .flatMap(({ nonce = 0, maxFeePerGas = 0n }) => (nonce === 0 ? [maxFeePerGas] : []));
    expect(new Set(fees).size).toBeGreaterThan(2);
    expect(fees.filter((fee) => fee > maximum)).toEqual([]);
    expect(info).toHaveBeenCalledWith(expect.anything(), "Transaction replaced with higher fees");
    node.heal();
    await vi.waitFor(
      async () => {
        await resume();
        expect((await books()).trades[0]?.slice(0, 2)).toEqual(["settled", SOLD]);
      },
      { timeout: 20_000, interval: 110 },
    );
    expect(await market.nonce(payer.evmAddress)).toBe(2);
  });
});
