/** Trades on the sandbox's exchange with a wallet that shares no code with the service. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";

const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const WETH = "0x4200000000000000000000000000000000000006";
const DAI = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";
const HOLDER = "0x0000000000001fF3684f28c67538d4D072C22734";

let dataDir: string;
let sandbox: Sandbox;
const account = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "satchel-dex-"));
  sandbox = await startSandbox({ dataDir, networks: ["base"] });
  await post("/fund", { evmAddress: account.address, usdcAtomic: "10000000000", nativeAtomic: String(10n ** 19n) });
});
afterAll(async () => {
  await sandbox?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const url = sandbox.endpoints.adminUrl + path;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status, await response.clone().text()).toBe(200);
}

const rpcUrl = () => sandbox.endpoints.networks.base?.rpcUrl ?? "";
const client = () => createPublicClient({ chain: base, transport: http(rpcUrl()) });
const wallet = () => createWalletClient({ account, chain: base, transport: http(rpcUrl()) });

async function request(kind: "price" | "quote", query: Record<string, string>, headers: Record<string, string> = {}) {
  const url = `${sandbox.endpoints.dexUrl}/swap/allowance-holder/${kind}`;
  const parameters = new URLSearchParams({ chainId: "8453", taker: account.address, ...query });
  const response = await fetch(`${url}?${parameters}`, {
    headers: { "0x-api-key": "any", "0x-version": "v2", ...headers },
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return { status: response.status, json: (await response.json()) as any };
}

const balanceOf = (token: Hex) =>
  token === NATIVE
    ? client().getBalance({ address: account.address })
    : client().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account.address] });

/** Approves and sends the quoted transaction. Returns the quote, the receipt and the increase in `buyToken`. */
async function swap(sellToken: Hex, buyToken: Hex, sellAmount: bigint, fault: string | null = null) {
  await post("/dex/fault", { fault });
  const { json } = await request("quote", { sellToken, buyToken, sellAmount: String(sellAmount) });
  await post("/dex/fault", { fault: null });
  const spender = json.issues.allowance?.spender;
  if (spender) {
    const args = [spender, sellAmount] as const;
    const hash = await wallet().writeContract({ address: sellToken, abi: erc20Abi, functionName: "approve", args });
    await client().waitForTransactionReceipt({ hash, pollingInterval: 20 });
  }
  const before = await balanceOf(buyToken);
  const { to, data, value } = json.transaction;
  const hash = await wallet().sendTransaction({ to, data, value: BigInt(value), gas: 600_000n });
  const receipt = await client().waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return { json, receipt, gained: (await balanceOf(buyToken)) - before };
}

it.each<[string, Hex, Hex, bigint]>([
  ["USDC for DAI", USDC, DAI, 25_000_000n],
  ["the native coin for DAI", NATIVE, DAI, 10n ** 17n],
  ["DAI for WETH, via USDC", DAI, WETH, 10n ** 19n],
  ["the native coin for WETH", NATIVE, WETH, 10n ** 16n],
])("swaps %s and pays the quoted amount", async (_what, sellToken, buyToken, sellAmount) => {
  const { json, receipt, gained } = await swap(sellToken, buyToken, sellAmount);
  expect(receipt.status).toBe("success");
  expect(gained).toBe(BigInt(json.buyAmount));
  expect(BigInt(json.minBuyAmount)).toBe((gained * 9_900n) / 10_000n);
});

it("pays the native coin for USDC", async () => {
  const { json, receipt, gained } = await swap(USDC, NATIVE, 30_000_000n);
  expect(gained + receipt.gasUsed * receipt.effectiveGasPrice).toBe(BigInt(json.buyAmount));
});

it("reverts without a transfer if the price exceeds the slippage tolerance", async () => {
  const before = await balanceOf(USDC);
  const { receipt, gained } = await swap(USDC, WETH, 1_000_000n, "stale-price");
  expect([receipt.status, gained, await balanceOf(USDC)]).toEqual(["reverted", 0n, before]);
});

it("returns a transaction that pays only in a simulation, with the fault pays-nothing", async () => {
  await post("/dex/fault", { fault: "pays-nothing" });
  const { json } = await request("quote", { sellToken: NATIVE, buyToken: USDC, sellAmount: "1000000000000000" });
  await post("/dex/fault", { fault: null });
  const call = { account, to: json.transaction.to, data: json.transaction.data, value: BigInt(json.transaction.value) };
  const read = { to: USDC, abi: erc20Abi, functionName: "balanceOf", args: [account.address] } as const;
  const { results } = await client().simulateCalls<unknown[]>({ calls: [read, call, read], account });
  const [before, , after] = results.map(({ result }) => result as bigint);
  expect((after ?? 0n) - (before ?? 0n)).toBe(BigInt(json.minBuyAmount));
  const gained = await balanceOf(USDC);
  const hash = await wallet().sendTransaction({ ...call, gas: 600_000n });
  expect((await client().waitForTransactionReceipt({ hash, pollingInterval: 20 })).status).toBe("success");
  expect(await balanceOf(USDC)).toBe(gained);
});

it.each([
  ["without an API key", {}, { "0x-api-key": "" }, 401, undefined],
  ["for another API version", {}, { "0x-version": "v1" }, 400, "INPUT_INVALID"],
  ["for another chain", { chainId: "1" }, {}, 400, "INPUT_INVALID"],
  ["for an address that is not a token", { buyToken: `0x${"1".repeat(40)}` }, {}, 400, "TOKEN_NOT_SUPPORTED"],
  [
    "for an amount that is too small",
    { sellToken: DAI, buyToken: USDC, sellAmount: "1" },
    {},
    400,
    "SELL_AMOUNT_TOO_SMALL",
  ],
])("rejects a request %s", async (_what, query, headers, status, name) => {
  const response = await request("price", { sellToken: USDC, buyToken: DAI, sellAmount: "1000000", ...query }, headers);
  expect([response.status, response.json.name]).toEqual([status, name]);
});

it("reports that a pair has no market", async () => {
  const { status, json } = await request("price", { sellToken: USDC, buyToken: HOLDER, sellAmount: "1000000" });
  expect([status, json.liquidityAvailable]).toEqual([200, false]);
});

// Runs last: it stops the sandbox.
it("restores its pools after a restart", async () => {
  const query = { sellToken: USDC, buyToken: WETH, sellAmount: "1000000000" };
  const { json: before } = await request("price", query);
  await sandbox.stop();
  sandbox = await startSandbox({ dataDir, networks: ["base"] });
  const { json: after } = await request("price", query);
  expect(after.buyAmount).toBe(before.buyAmount);
});
