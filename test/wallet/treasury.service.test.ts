/** Funds of the treasury: what administrators read, and the signal when they are low. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { checkTreasury } from "../../src/wallet/check-treasury.ts";
import { ADMIN_EMAIL, ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";
import { callRpc } from "../support/usdc.ts";

const log: string[] = [];
const emails: string[] = [];
let stack: OwnStack;
let chain: SandboxNetwork;

beforeAll(async () => {
  stack = await startStack({
    networks: ["base-sepolia"],
    env: { TREASURY_LOW_NATIVE: "base-sepolia=0.5", TREASURY_LOW_USD: "0" },
    onLog: (line) => void log.push(line),
  });
  chain = stack.sandbox?.networks["base-sepolia"] as SandboxNetwork;
});
afterAll(() => stack?.stop());

async function setNative(ether: bigint) {
  const { evmAddress } = await stack.service.deps.wallets.treasury();
  await callRpc(chain.rpcUrl, "anvil_setBalance", [evmAddress, `0x${(ether * 10n ** 18n).toString(16)}`]);
  stack.service.deps.chains.evm("base-sepolia").invalidateBalances(evmAddress);
}
const check = () =>
  checkTreasury({
    ...stack.service.deps,
    adminEmails: [ADMIN_EMAIL],
    dashboardUrl: "https://satchel.example/dashboard",
    queueEmail: async ({ to, subject }) => void emails.push(`${to}: ${subject}`),
  });
const countWarnings = () => log.filter((line) => line.includes("Treasury funds are low")).length;

it("signals low funds once until they are sufficient again", async () => {
  await setNative(0n);
  await Promise.all([check(), check()]);
  await check();
  expect(emails).toEqual([`${ADMIN_EMAIL}: The treasury's funds on base-sepolia are low`]);
  expect(countWarnings()).toBe(1);
  const query = "{ treasury { evmAddress networks { network address isLow native { amount } lowNative { amount } } } }";
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { treasury } = (await stack.graphql(null, query, {}, headers)).json.data;
  expect(treasury.networks).toMatchObject([
    {
      network: "base-sepolia",
      address: treasury.evmAddress,
      isLow: true,
      lowNative: { amount: "0.500000000000000000" },
    },
  ]);
  const metrics = await (await fetch(`${stack.baseUrl}/metrics`)).text();
  expect(metrics).toContain('satchel_treasury_low{network="base-sepolia"} 1');
  await setNative(1n);
  await check();
  await setNative(0n);
  await check();
  expect(emails).toHaveLength(2);
});
