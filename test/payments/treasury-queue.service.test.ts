// @module-tag postgresql
/** Treasury queue: transfers relayed one at a time, their cost and their order. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { runInTreasuryQueue } from "../../src/wallet/treasury-queue.ts";
import { completion, openScriptedProvider, PRICED, type ScriptedProvider } from "../gateway/scripted-provider.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { advanceChainTime, readUsdcBalance } from "../support/usdc.ts";

const TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
let provider: ScriptedProvider;
let stack: OwnStack;
let agent: TestAccount;
let withdrawer: TestAccount;

beforeAll(async () => {
  provider = await openScriptedProvider();
  provider.script((response) => void response.writeHead(200).end(completion("yes")));
  const dust = { ...PRICED, promptUsdPerToken: "0", completionUsdPerToken: "0", requestUsd: "0.000001" };
  const models = [
    { id: "own/one", ...PRICED },
    { id: "own/dust", ...dust },
  ];
  const own = { name: "own", baseUrl: provider.url, kind: "key", models };
  stack = await startStack({
    networks: ["base-sepolia"],
    env: () => ({ GATEWAY_PROVIDERS: JSON.stringify([own]), FREE_CREDIT_USD: "0" }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});
beforeEach(async () => {
  [agent, withdrawer] = [await stack.account(), await stack.account()];
  await stack.fund(agent, "10000000");
  await stack.fund(withdrawer, "5000000");
});

/** Blocks the treasury queue until the returned function is called. */
function occupyTreasury(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void runInTreasuryQueue("base-sepolia", "service", () => promise);
  return resolve;
}

const call = (account = agent, model = "own/one") => {
  const body = { model, messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
  return stack.rest(account.token, "POST", "/v1/chat/completions", body);
};

const withdraw = () =>
  stack.graphql(
    withdrawer.token,
    `mutation { sendTokens(input: { network: "base-sepolia", to: "${TO}", amount: "1" }) { __typename } }`,
  );

const rows = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId, direction: "out" } });
const statuses = async (account: TestAccount) => (await rows(account)).map(({ status }) => status);

/** Makes all open payments due for their third check and reconciles them. */
async function reconcileAll() {
  const { db, reconciler } = stack.service.deps;
  const data = { nextCheckAt: new Date(0), checkAttempts: 2 };
  await db.prisma.transaction.updateMany({ where: { status: { in: ["reserved", "signed"] } }, data });
  await reconciler.run();
}

const rpc = async <Result>(method: string, params: unknown[]): Promise<Result> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const url = stack.sandbox?.networks["base-sepolia"]?.rpcUrl ?? "";
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return ((await response.json()) as { result: Result }).result;
};
const sentByTreasury = async () => {
  const { evmAddress } = await stack.service.deps.wallets.treasury();
  return Number(await rpc<string>("eth_getTransactionCount", [evmAddress, "latest"]));
};

it("charges a wallet at least the minimum of a transaction for a call, and rejects a lower balance", async () => {
  const poor = await stack.account();
  await stack.fund(poor, "9999");
  const refused = await call(poor, "own/dust");
  expect([refused.status, refused.json.error.code]).toEqual([402, "payment_required"]);
  expect(refused.json.error.message).toContain(
    "Insufficient balance on base-sepolia: 0.009999 available, 0.01 required",
  );
  expect(await rows(poor)).toEqual([]);

  const response = await call(agent, "own/dust");
  expect([response.status, response.headers.get("x-satchel-cost-usd")]).toEqual([200, "0.01"]);
  await expect.poll(() => statuses(agent)).toEqual(["settled"]);
  expect(await rows(agent)).toMatchObject([{ amountMicroUsd: 10_000n, settledMicroUsd: 10_000n }]);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("relays a withdrawal before queued charges, sends each once, and does not block reconciliation", async () => {
  const before = await sentByTreasury();
  const unblockTreasury = occupyTreasury();
  const responses = await Promise.all([call(), call(), call()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const withdrawn = withdraw();
  await expect.poll(() => statuses(withdrawer)).toEqual(["signed"]);
  await reconcileAll();
  await reconcileAll();
  expect(await statuses(agent)).toEqual(["signed", "signed", "signed"]);
  unblockTreasury();
  expect((await withdrawn).json.data.sendTokens.__typename).toBe("SendTokensSuccess");
  await expect.poll(() => statuses(agent)).toEqual(["settled", "settled", "settled"]);
  await expect.poll(() => statuses(withdrawer)).toEqual(["settled"]);
  const [{ txHash } = { txHash: "" }] = await rows(withdrawer);
  const { nonce } = await rpc<{ nonce: string }>("eth_getTransactionByHash", [txHash]);
  expect([Number(nonce), await sentByTreasury()]).toEqual([before, before + 4]);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

// These tests advance the chain's clock by less than the hour of a renewed authorization.
it("renews the authorization of a withdrawal that expired in the queue, and transfers it once", async () => {
  const chain = stack.sandbox?.networks["base-sepolia"] as SandboxNetwork;
  const [arrived, before] = [await readUsdcBalance(chain, TO), await sentByTreasury()];
  const unblockTreasury = occupyTreasury();
  const withdrawn = withdraw();
  await expect.poll(() => statuses(withdrawer)).toEqual(["signed"]);
  const [first] = await rows(withdrawer);
  await advanceChainTime(chain, 400);
  await reconcileAll();
  const [second] = await rows(withdrawer);
  expect(second?.status).toBe("signed");
  expect([second?.nonce === first?.nonce, second?.signature === first?.signature]).toEqual([false, false]);
  unblockTreasury();
  expect((await withdrawn).json.data.sendTokens.__typename).toBe("SendTokensSuccess");
  await expect.poll(() => statuses(withdrawer)).toEqual(["settled"]);
  expect([(await readUsdcBalance(chain, TO)) - arrived, await sentByTreasury()]).toEqual([1_000_000n, before + 1]);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("releases a withdrawal that the network refused until it expired, with the reason", async () => {
  const chain = stack.sandbox?.networks["base-sepolia"] as SandboxNetwork;
  const { evmAddress } = await stack.service.deps.wallets.treasury();
  const balance = await rpc<string>("eth_getBalance", [evmAddress, "latest"]);
  await rpc("anvil_setBalance", [evmAddress, "0x0"]);
  await withdraw();
  await rpc("anvil_setBalance", [evmAddress, balance]);
  await stack.service.deps.db.prisma.transaction.updateMany({
    where: { accountId: withdrawer.accountId, status: "signed" },
    // Prevents another relay before it expires.
    data: { nextCheckAt: new Date(Date.now() + 600_000) },
  });
  await advanceChainTime(chain, 400);
  await reconcileAll();
  const [row] = await rows(withdrawer);
  expect(row?.status).toBe("released");
  expect(row?.failureReason).toContain("rejected the transfer");
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});
