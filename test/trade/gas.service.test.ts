// @module-tag postgresql
/** Trades of wallets without native coin: the treasury sells it for USDC, within all limits, and the books agree with the chain. */
import { encodeFunctionData, parseAbi, parseSignature } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { buyGas } from "../../src/trade/gas/buy-gas.ts";
import { followGasPurchases } from "../../src/trade/gas/follow-gas-purchases.ts";
import type { GasLimits } from "../../src/trade/gas/gas-limits.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { findChainDifferences } from "../support/chain-differences.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { callRpc } from "../support/usdc.ts";
import { type LossyRpc, openLossyRpc } from "./lossy-rpc.ts";
import { connectMarket, type Market, NATIVE, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;
const OTHER = "0x000000000000000000000000000000000000ba1e";

let sandbox: TestSandbox;
let market: Market;
let satchel: Satchel;
let treasury: string;

beforeAll(async () => {
  sandbox = await openSandbox(["base"]);
  market = connectMarket(sandbox);
  const env = { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" };
  satchel = await createSatchel({ sandbox, postgresql: null, env });
  treasury = await satchel.fundTreasury(1_000_000n);
  await market.setNative(treasury, 10n ** 20n);
});
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
});

/** Creates an account with USDC and without native coin. */
async function createPayer(options: { usdcAtomic?: bigint; dailyMicroUsd?: bigint } = {}): Promise<Payer> {
  const { usdcAtomic = FUNDS, dailyMicroUsd } = options;
  const payer = await satchel.payer({ usdcAtomic, ...(dailyMicroUsd ? { accountLimits: { dailyMicroUsd } } : {}) });
  await market.setNative(payer.evmAddress, 0n);
  return payer;
}

const setLimits = ({ deps }: Service, limits: Partial<GasLimits>) =>
  Object.assign(deps.trading.gas, { limits: { ...deps.trading.gas.limits, ...limits } });
const ledgerOf = ({ deps }: Service, { accountId }: Payer) =>
  deps.db.prisma.transaction.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } });
const purchasesOf = ({ deps }: Service, { accountId }: Payer) =>
  deps.db.prisma.gasPurchase.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } });

async function trade({ baseUrl }: Service, { token }: Payer, body: object = {}) {
  const response = await fetch(`${baseUrl}/api/trade`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": token },
    body: JSON.stringify({ sellToken: "USDC", buyToken: "DAI", sellAmount: 10, slippagePercentage: 5, ...body }),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

describe("with a sound node", () => {
  let service: Service;

  beforeAll(async () => {
    service = await satchel.open();
  });
  afterEach(() => market.fault(null));
  afterAll(() => service?.stop());

  it("trades and pays for the gas, which counts against the limits", async () => {
    const payer = await createPayer();
    const treasuryBefore = [await market.balance(USDC, treasury), await market.balance(NATIVE, treasury)] as const;
    const { status, json, text } = await trade(service, payer);
    expect([status, json.status], text).toEqual([200, "settled"]);
    const [purchase, ...others] = await purchasesOf(service, payer);
    expect([purchase?.status, others]).toEqual(["mined", []]);
    const price = BigInt(purchase?.priceAtomic.toFixed(0) ?? 0);
    const bought = BigInt(purchase?.amountWei.toFixed(0) ?? 0);
    expect(json.networkFeeCharge).toBe((Number(price) / 1e6).toString());
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD - price);
    expect((await market.balance(USDC, treasury)) - treasuryBefore[0]).toBe(price);
    expect(treasuryBefore[1] - (await market.balance(NATIVE, treasury))).toBeGreaterThanOrEqual(bought);
    // What the trade did not use remains in the wallet.
    expect(await market.balance(NATIVE, payer.evmAddress)).toBeLessThan(bought);
    const rows = await ledgerOf(service, payer);
    expect(rows.map(({ type, status: state, settledMicroUsd }) => [type, state, settledMicroUsd])).toEqual([
      ["trade", "settled", SOLD],
      ["trade", "settled", price],
    ]);
    const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
    expect(budget.dayUsedMicroUsd).toBe(SOLD + price);
    expect(await auditLedger(service.deps.db)).toEqual([]);
    expect(await findChainDifferences(service.deps)).toEqual([]);
  });

  it.each([
    ["a limit covers only the sale", { dailyMicroUsd: SOLD }, 10, "spending_limit_exceeded", "USD"],
    ["the USDC covers only the sale", { usdcAtomic: SOLD }, 10, "insufficient_balance", "USD"],
  ])("sells and pays nothing if %s", async (_case, options, sellAmount, error, currency) => {
    const payer = await createPayer(options);
    const { status, json } = await trade(service, payer, { sellAmount });
    expect([status, json.error, json.currency]).toEqual([402, error, currency]);
    expect((await ledgerOf(service, payer)).map((row) => row.status)).toEqual(["released"]);
    expect([await purchasesOf(service, payer), await market.nonce(payer.evmAddress)]).toEqual([[], 0]);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });

  it.each<[string, Partial<GasLimits>, number, string]>([
    ["of the account", { perAccountWei: 10n ** 9n }, 402, "insufficient_balance"],
    ["of all accounts", { totalWei: 10n ** 9n }, 402, "insufficient_balance"],
    ["of zero", { totalWei: 0n }, 402, "insufficient_balance"],
    ["of one trade", { perTradeMicroUsd: 1n }, 500, "trade_failed"],
  ])("sells nothing beyond the limit %s", async (_limit, limits, status, error) => {
    const { limits: former } = service.deps.trading.gas;
    setLimits(service, limits);
    try {
      const payer = await createPayer();
      const response = await trade(service, payer);
      expect([response.status, response.json.error], response.text).toEqual([status, error]);
      if (status === 402) expect(response.json.currency).toBe("ETH");
      expect((await ledgerOf(service, payer)).filter((row) => row.status !== "released")).toEqual([]);
      expect([await purchasesOf(service, payer), await market.balance(USDC, payer.evmAddress)]).toEqual([[], FUNDS]);
    } finally {
      setLimits(service, former);
    }
  });

  it("executes concurrent trades, and the limit of purchases is exact", async () => {
    const payer = await createPayer();
    const responses = await Promise.all(Array.from({ length: 6 }, () => trade(service, payer)));
    expect(responses.map(({ status, text }) => (status === 200 ? "" : text))).toEqual(Array(6).fill(""));
    const paid = (await purchasesOf(service, payer)).reduce((sum, row) => sum + BigInt(row.priceAtomic.toFixed(0)), 0n);
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - 6n * SOLD - paid);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });

  it("leaves the gas of a failed swap to the wallet, which has paid for it", async () => {
    const payer = await createPayer();
    await market.fault("reverts");
    expect((await trade(service, payer)).json.error).toBe("trade_failed");
    await market.fault(null);
    const [purchase] = await purchasesOf(service, payer);
    expect((await ledgerOf(service, payer)).map((row) => row.status)).toEqual(["failed", "settled"]);
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - BigInt(purchase?.priceAtomic.toFixed(0) ?? 0));
    expect(await market.balance(NATIVE, payer.evmAddress)).toBeGreaterThan(0n);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });
});

describe("with a node that drops transactions", () => {
  let node: LossyRpc;
  let service: Service;

  beforeEach(async () => {
    node = await openLossyRpc(market.rpcUrl);
    service = await satchel.open({ RPC_URL_BASE: node.url, TRADE_STUCK_MS: "600000", RECONCILE_INTERVAL_MS: "600000" });
    Object.assign(service.deps.trading.gas, { waitMs: 1_000 });
  });
  afterEach(async () => {
    // A purchase that one test leaves must not compete for its nonce with those of another.
    const where = { nextCheckAt: { not: null } };
    await service?.deps.db.prisma.gasPurchase.updateMany({ where, data: { nextCheckAt: null } });
    await service?.stop();
    await node?.close();
  });

  /** Makes a trade whose purchase of gas is dropped, so that the sale is released. Returns its payer and the purchase. */
  async function loseGas() {
    const payer = await createPayer();
    const response = await trade(service, payer);
    expect([response.status, response.json.error]).toEqual([500, "trade_failed"]);
    expect((await ledgerOf(service, payer)).map((row) => row.status)).toEqual(["released", "signed"]);
    const [purchase] = await purchasesOf(service, payer);
    if (!purchase) throw new Error("There is no purchase.");
    return { payer, purchase };
  }

  async function follow(payer: Payer, status: string, ledger: string): Promise<void> {
    const { prisma } = service.deps.db;
    await vi.waitFor(
      async () => {
        await prisma.gasPurchase.updateMany({
          where: { nextCheckAt: { not: null } },
          data: { nextCheckAt: new Date(0) },
        });
        await followGasPurchases(service.deps);
        const [row] = await purchasesOf(service, payer);
        expect([row?.status, row?.nextCheckAt]).toEqual([status, null]);
      },
      { timeout: 60_000, interval: 100 },
    );
    const rows = (await ledgerOf(service, payer)).slice(0, 2);
    expect(rows.map((row) => row.status)).toEqual(["released", ledger]);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  }

  const mine = async (seconds: number, blocks = 20) => {
    await callRpc(market.rpcUrl, "evm_increaseTime", [seconds]);
    for (let n = 0; n < blocks; n++) await callRpc(market.rpcUrl, "evm_mine", []);
  };
  const sendFrom = async (from: string, to: string, data: string) => {
    await market.setNative(OTHER, 10n ** 18n);
    await callRpc(market.rpcUrl, "anvil_impersonateAccount", [from]);
    const hash = await callRpc(market.rpcUrl, "eth_sendTransaction", [{ from, to, data, gas: "0x4c4b40" }]);
    const receipt = () => callRpc<{ status: string } | null>(market.rpcUrl, "eth_getTransactionReceipt", [hash]);
    await expect.poll(async () => (await receipt())?.status).toBe("0x1");
    await callRpc(market.rpcUrl, "anvil_stopImpersonatingAccount", [from]);
  };

  it("pays once if the network mines the purchase later, also for a trade that is repeated before", async () => {
    const { payer, purchase } = await loseGas();
    expect((await trade(service, payer)).json.error).toBe("trade_failed");
    expect(await purchasesOf(service, payer)).toHaveLength(1);
    node.heal();
    await follow(payer, "mined", "settled");
    const amounts = [purchase.amountWei, purchase.priceAtomic].map((each) => BigInt(each.toFixed(0)));
    expect(await market.balance(NATIVE, payer.evmAddress)).toBe(amounts[0]);
    expect(FUNDS - (await market.balance(USDC, payer.evmAddress))).toBe(amounts[1]);
    expect((await trade(service, payer)).status).toBe(200);
    expect(await purchasesOf(service, payer)).toHaveLength(1);
  });

  it("buys no gas for a trade whose reservation has ended, and none beyond the limit of one trade", async () => {
    const { payer, purchase } = await loseGas();
    const { dex, gas } = service.deps.trading;
    if (!dex) throw new Error("There is no exchange.");
    const viewer = { accountId: payer.accountId, budgetIds: [payer.tokenId] } as never;
    const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n };
    const need = { tradeId: purchase.tradeId, amountWei: 10n ** 12n, fees, dex };
    await expect(buyGas(service.deps, viewer, need)).rejects.toThrow("timed out");
    await service.deps.db.prisma.trade.update({ where: { id: purchase.tradeId }, data: { status: "pending" } });
    Object.assign(gas, { limits: { ...gas.limits, perTradeMicroUsd: BigInt(purchase.priceAtomic.toFixed(0)) } });
    await expect(buyGas(service.deps, viewer, need)).rejects.toThrow("exceeds the maximum");
    expect(await purchasesOf(service, payer)).toHaveLength(1);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });

  it("replaces a stuck purchase during a freeze and at the limits, since later transactions wait for its nonce", async () => {
    const { prisma } = service.deps.db;
    const { payer, purchase } = await loseGas();
    node.heal();
    await callRpc(market.rpcUrl, "evm_setAutomine", [false]);
    try {
      await callRpc(market.rpcUrl, "eth_sendRawTransaction", [purchase.rawTransaction]);
      const frozen = { frozenAt: new Date(), frozenBy: "owner" };
      await prisma.account.update({ where: { id: payer.accountId }, data: frozen });
      setLimits(service, { perAccountWei: 1n, totalWei: 1n });
      const due = new Date(0);
      const where = { id: purchase.id };
      await prisma.gasPurchase.update({ where, data: { sentAt: due } });
      const countTransactions = async () => {
        await prisma.gasPurchase.update({ where, data: { nextCheckAt: due } });
        await followGasPurchases(service.deps);
        return (await prisma.gasPurchase.findUniqueOrThrow({ where })).txHashes.length;
      };
      // The first run of the service's own job may be following the purchase.
      await expect.poll(countTransactions, { timeout: 30_000 }).toBe(2);
      const [replaced] = await purchasesOf(service, payer);
      expect(replaced?.txHashes).toEqual([...purchase.txHashes, expect.any(String)]);
      expect(BigInt(replaced?.maxFeeWei.toFixed(0) ?? 0)).toBeGreaterThan(BigInt(purchase.maxFeeWei.toFixed(0)));
    } finally {
      await callRpc(market.rpcUrl, "evm_setAutomine", [true]);
      await callRpc(market.rpcUrl, "evm_mine", []);
    }
    await follow(payer, "mined", "settled");
  });

  /** Uses the treasury's next nonce for another transaction, as another node may. */
  const useNonceOfTreasury = () => sendFrom(treasury, OTHER, "0x");

  it("sends a purchase again within the trade if another node has used its nonce", async () => {
    Object.assign(service.deps.trading.gas, { waitMs: 60_000 });
    const payer = await createPayer();
    const response = trade(service, payer);
    await expect.poll(() => node.dropped.length, { timeout: 30_000 }).toBe(1);
    await useNonceOfTreasury();
    node.heal();
    const { status, text } = await response;
    expect(status, text).toBe(200);
    const [purchase, ...others] = await purchasesOf(service, payer);
    expect([purchase?.status, purchase?.txHashes.length, others]).toEqual(["mined", 2, []]);
    const price = BigInt(purchase?.priceAtomic.toFixed(0) ?? 0);
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD - price);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });

  it("discloses the signed authorization to the node only after the purchase is stored", async () => {
    /** Returns the methods of the requests that contain the nonce of the authorization. */
    const disclosedBy = async (payer: Payer) => {
      const row = (await ledgerOf(service, payer))[1];
      const nonce = row?.nonce?.slice(2) ?? "none";
      return node.requests
        .filter(({ params }) => JSON.stringify(params ?? []).includes(nonce))
        .map((each) => each.method);
    };
    const { limits } = service.deps.trading.gas;
    setLimits(service, { perAccountWei: 10n ** 9n });
    const refused = await createPayer();
    expect((await trade(service, refused)).status).toBe(402);
    expect((await ledgerOf(service, refused)).map((row) => row.status)).toEqual(["released", "released"]);
    expect(await disclosedBy(refused)).toEqual([]);
    setLimits(service, limits);
    const { payer } = await loseGas();
    expect(new Set(await disclosedBy(payer))).toEqual(new Set(["eth_sendRawTransaction"]));
  });

  it("ends a purchase whose second transaction succeeded after the first one reverted", async () => {
    const { payer, purchase } = await loseGas();
    const { evmAddress } = payer;
    const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
    const transfer = (from: string, to: string) =>
      sendFrom(from, USDC, encodeFunctionData({ abi, functionName: "transfer", args: [to as `0x${string}`, FUNDS] }));
    await market.setNative(evmAddress, 10n ** 18n);
    await transfer(evmAddress, OTHER);
    const nonce = await market.nonce(treasury);
    await callRpc(market.rpcUrl, "eth_sendRawTransaction", [purchase.rawTransaction]);
    await expect.poll(() => market.nonce(treasury)).toBe(nonce + 1);
    await transfer(OTHER, evmAddress);
    // The node has not the block of the first transaction, so another one is signed.
    node.hideReceipts();
    const data = { sentAt: new Date(Date.now() - 10_000), nextCheckAt: new Date(0) };
    await service.deps.db.prisma.gasPurchase.update({ where: { id: purchase.id }, data });
    await followGasPurchases(service.deps);
    expect((await purchasesOf(service, payer))[0]?.txHashes).toHaveLength(2);
    node.heal();
    await follow(payer, "mined", "settled");
    expect(await market.balance(USDC, evmAddress)).toBe(FUNDS - BigInt(purchase.priceAtomic.toFixed(0)));
  });

  it("sends no second transaction while a node does not know the receipt of the first", async () => {
    const { payer, purchase } = await loseGas();
    node.hideReceipts();
    await callRpc(market.rpcUrl, "eth_sendRawTransaction", [purchase.rawTransaction]);
    const { prisma } = service.deps.db;
    const nonce = await market.nonce(treasury);
    // Later than a transaction is usually mined, and before it counts as stuck.
    const data = { sentAt: new Date(Date.now() - 10_000), nextCheckAt: new Date(0) };
    await prisma.gasPurchase.update({ where: { id: purchase.id }, data });
    await followGasPurchases(service.deps);
    expect(await market.nonce(treasury)).toBe(nonce);
    expect((await purchasesOf(service, payer))[0]?.txHashes).toEqual(purchase.txHashes);
    node.heal();
    await follow(payer, "mined", "settled");
    expect(await market.balance(NATIVE, payer.evmAddress)).toBe(BigInt(purchase.amountWei.toFixed(0)));
  });

  it("sends nothing again for a frozen account whose nonce another node has used", async () => {
    const { prisma } = service.deps.db;
    const { payer, purchase } = await loseGas();
    await useNonceOfTreasury();
    const frozen = { frozenAt: new Date(), frozenBy: "owner" };
    await prisma.account.update({ where: { id: payer.accountId }, data: frozen });
    node.heal();
    const nonce = await market.nonce(treasury);
    await mine(1);
    const data = { sentAt: new Date(Date.now() - 10_000), nextCheckAt: new Date(0) };
    await prisma.gasPurchase.update({ where: { id: purchase.id }, data });
    await followGasPurchases(service.deps);
    const [dropped] = await purchasesOf(service, payer);
    expect([dropped?.status, dropped?.txHashes]).toEqual(["dropped", purchase.txHashes]);
    expect(await market.nonce(treasury)).toBe(nonce);
  });

  it("pays the native coin once if another transaction collected the USDC", async () => {
    const { payer, purchase } = await loseGas();
    const [, fee] = await ledgerOf(service, payer);
    const { authorization } = (fee?.authorization ?? {}) as never as { authorization: Record<string, string> };
    const { r, s, yParity } = parseSignature(fee?.signature as `0x${string}`);
    const { from, to, valueAtomic, validAfter, validBefore, nonce } = authorization;
    const abi = parseAbi([
      "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    ]);
    const amounts = [valueAtomic, validAfter, validBefore].map((each) => BigInt(each ?? 0));
    const args = [from, to, ...amounts, nonce, 27 + yParity, r, s] as never;
    await sendFrom(OTHER, USDC, encodeFunctionData({ abi, functionName: "transferWithAuthorization", args }));
    await mine(1);
    node.heal();
    await callRpc(market.rpcUrl, "eth_sendRawTransaction", [purchase.rawTransaction]);
    await mine(1);
    await follow(payer, "mined", "settled");
    expect(await market.balance(NATIVE, payer.evmAddress)).toBe(BigInt(purchase.amountWei.toFixed(0)));
    expect(FUNDS - (await market.balance(USDC, payer.evmAddress))).toBe(BigInt(purchase.priceAtomic.toFixed(0)));
  });

  it("pays neither side of a purchase that expires, is frozen, or whose USDC has left the wallet", async () => {
    const { prisma } = service.deps.db;
    const lost = await loseGas();
    const frozen = await loseGas();
    const drained = await loseGas();
    const freeze = (frozenAt: Date | null) =>
      prisma.account.update({
        where: { id: frozen.payer.accountId },
        data: { frozenAt, frozenBy: frozenAt && "owner" },
      });
    await freeze(new Date());
    await prisma.gasPurchase.updateMany({ where: { id: frozen.purchase.id }, data: { nextCheckAt: new Date(0) } });
    const sent = node.dropped.length;
    await followGasPurchases(service.deps);
    expect(node.dropped.filter((raw) => raw === frozen.purchase.rawTransaction)).toHaveLength(1);
    expect(node.dropped.length).toBeGreaterThanOrEqual(sent);
    await freeze(null);
    const { evmAddress } = drained.payer;
    await market.setNative(evmAddress, 10n ** 18n);
    const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
    const args = [OTHER, FUNDS] as const;
    await sendFrom(evmAddress, USDC, encodeFunctionData({ abi, functionName: "transfer", args }));
    const before = await market.balance(NATIVE, evmAddress);
    await callRpc(market.rpcUrl, "eth_sendRawTransaction", [drained.purchase.rawTransaction]);
    await mine(400);
    await follow(drained.payer, "reverted", "failed");
    expect(await market.balance(NATIVE, evmAddress)).toBe(before);
    const [ended] = await purchasesOf(service, drained.payer);
    expect(BigInt(ended?.feeWei?.toFixed(0) ?? 0)).toBeGreaterThan(0n);
    for (const { payer } of [lost, frozen]) {
      await follow(payer, "dropped", "failed");
      const budget = await prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS);
      expect(await market.balance(NATIVE, payer.evmAddress)).toBe(0n);
    }
  });
});
