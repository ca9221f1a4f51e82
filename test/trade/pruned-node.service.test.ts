/** Invariant: a mined trade is settled even if the node has pruned the balances that show the bought amount. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { readOutcome } from "../../src/trade/outcome.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { startRejectingRpc } from "../wallet/rpc-proxy.ts";
import { connectMarket, type Market, NATIVE, USDC, WETH } from "./market.ts";

const FUNDS = 100_000_000n;
const SOLD = 30_000_000n;
const STATES: readonly string[] = ["eth_call", "eth_getBalance", "eth_getTransactionCount"];

let sandbox: TestSandbox;
let market: Market;
let satchel: Satchel;
let pruned: Awaited<ReturnType<typeof startRejectingRpc>>;
let service: Service;
let payer: Payer;

beforeAll(async () => {
  sandbox = await openSandbox(["base"]);
  market = connectMarket(sandbox);
  const env = { DEX_URL: sandbox.dexUrl ?? "", DEX_API_KEY: "any", DEFAULT_NETWORK: "base" };
  satchel = await createSatchel({ sandbox, postgresql: null, env });
  payer = await satchel.payer({ usdcAtomic: FUNDS });
  // Serves state by block tag but not by block number.
  pruned = await startRejectingRpc(
    market.rpcUrl,
    ({ method, params }) => STATES.includes(method) && String(params[1]).startsWith("0x"),
  );
  service = await satchel.open({ RPC_URL_BASE: pruned.url });
});
afterAll(async () => {
  await service?.stop();
  await pruned?.close();
  await satchel?.remove();
  await sandbox?.stop();
});

it("settles a sale for the native coin with the unwrapped amount, or with an unknown one", async () => {
  const before = await market.balance(NATIVE, payer.evmAddress);
  const response = await fetch(`${service.baseUrl}/api/trade`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    body: JSON.stringify({ sellToken: "USDC", buyToken: "ETH", sellAmount: 30 }),
  });
  const { status } = (await response.json()) as { status: string };
  expect([response.status, status]).toEqual([200, "settled"]);
  const { prisma } = service.deps.db;
  const { steps, ...trade } = await prisma.trade.findFirstOrThrow({
    where: { accountId: payer.accountId },
    include: { steps: true },
  });
  const received = (await market.balance(NATIVE, payer.evmAddress)) - before;
  const bought = BigInt(trade.boughtAtomic?.toFixed(0) ?? 0);
  expect(bought).toBeGreaterThan(received);
  expect(bought).toBeGreaterThanOrEqual(BigInt(trade.minBuyAtomic.toFixed(0)));
  expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
  const ledger = await prisma.transaction.findFirstOrThrow({ where: { id: trade.transactionId } });
  expect([ledger.status, ledger.settledMicroUsd]).toEqual(["settled", SOLD]);
  expect(await prisma.walletHold.findFirst({ where: { outstandingAtomic: { gt: 0 } } })).toBeNull();
  expect(await auditLedger(service.deps.db)).toEqual([]);

  const swap = steps.find(({ purpose }) => purpose === "swap");
  if (!swap) throw new Error("The trade has no swap.");
  const { rpc } = service.deps.chains.evm("base");
  const receipt = await rpc.client.getTransactionReceipt({ hash: swap.txHash as `0x${string}` });
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() !== WETH.toLowerCase());
  const outcome = await readOutcome(rpc, trade, swap, { ...receipt, logs }, payer.evmAddress);
  expect(outcome).toEqual({ soldAtomic: SOLD, boughtAtomic: null });
});
