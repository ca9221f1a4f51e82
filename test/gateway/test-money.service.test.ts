/** Base and Base Sepolia together: a provider with an API key bills real money, which testnet funds cannot pay. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnStack, startStack } from "../support/stack.ts";
import { completion, openScriptedProvider, PRICED, type ScriptedProvider } from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;

beforeAll(async () => {
  provider = await openScriptedProvider();
  provider.script((response) => void response.writeHead(200).end(completion("yes")));
  const own = { name: "own", baseUrl: provider.url, kind: "key", models: [{ id: "own/one", ...PRICED }] };
  stack = await startStack({
    networks: ["base", "base-sepolia"],
    env: () => ({ DEFAULT_NETWORK: "base", GATEWAY_PROVIDERS: JSON.stringify([own]), FREE_CREDIT_USD: "0" }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

it("testnet funds do not pay a provider with an API key if the default network is a mainnet", async () => {
  const account = await stack.account();
  const { evmAddress } = await stack.service.deps.wallets.ofAccount(account.accountId);
  const fund = async (network: "base" | "base-sepolia") => {
    const body = JSON.stringify({ evmAddress, network, usdcAtomic: "10000000" });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${stack.sandbox?.adminUrl}/fund`, { method: "POST", headers, body })).status).toBe(200);
    stack.service.deps.chains.any(network).invalidateBalances(evmAddress);
  };
  const post = () => {
    const body = { model: "own/one", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
    return stack.rest(account.token, "POST", "/v1/chat/completions", body);
  };
  await fund("base-sepolia");
  const rejected = await post();
  expect([rejected.status, rejected.json.error.code]).toEqual([402, "payment_required"]);
  expect(rejected.json.error.message).toContain("Insufficient balance on base: ");
  expect(provider.requests).toEqual([]);

  await fund("base");
  expect((await post()).status).toBe(200);
  const { prisma } = stack.service.deps.db;
  const where = { accountId: account.accountId, type: "gateway" };
  expect(await prisma.transaction.findMany({ where, select: { network: true } })).toEqual([{ network: "base" }]);
});
