import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SandboxEndpoints, SandboxMessage } from "../../sandbox/endpoints.ts";
import { NETWORK_NAMES } from "../../sandbox/networks.ts";
import { findProcessesUsing } from "../support/folder-processes.ts";
import { callSolanaRpc, createEvmClient, createPayer, decodeReceipt, fund, readUsdcBalance } from "./payers.ts";

const MAIN = new URL("../../sandbox/main.ts", import.meta.url).pathname;
let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "sandbox-process-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await vi.waitFor(() => expect(findProcessesUsing(dataDir)).toEqual([]), { timeout: 60_000, interval: 50 });
  rmSync(dataDir, { recursive: true });
});

function start(networks?: string): {
  child: ChildProcess;
  ready: Promise<SandboxEndpoints>;
  messages: SandboxMessage[];
} {
  const env = { ...process.env, SANDBOX_DATA_DIR: dataDir, ...(networks ? { SANDBOX_NETWORKS: networks } : {}) };
  const child = fork(MAIN, { env, stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  children.push(child);
  const messages: SandboxMessage[] = [];
  const ready = new Promise<SandboxEndpoints>((resolve, reject) => {
    child.on("message", (message: SandboxMessage) => {
      messages.push(message);
      if (message.type === "ready") resolve(message.sandbox);
      if (message.type === "failed") reject(new Error(message.message));
    });
  });
  return { child, ready, messages };
}

const waitForExit = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

it("reports progress, then its endpoints", async () => {
  const { ready, messages } = start("base-sepolia");
  const sandbox = await ready;
  expect(messages.map(({ type }) => type)).toContain("progress");
  expect(sandbox.networks["base-sepolia"]).toMatchObject({
    chainId: 84532,
    usdcDomain: { name: "USDC", version: "2" },
  });
  expect(sandbox.networks.base).toBeUndefined();
  const seller = (await (await fetch(sandbox.shopUrl)).json()) as { paid: { network: string }[] };
  expect(new Set(seller.paid.map(({ network }) => network))).toEqual(new Set(["base-sepolia"]));
});

it("reports the reason of a failed start", async () => {
  await expect(start("base,atlantis").ready).rejects.toThrow(/unknown network "atlantis"/);
});

it("waits for the chains of a killed sandbox, and fails if another sandbox uses the folder", async () => {
  const first = start("base-sepolia");
  const before = await first.ready;
  first.child.kill("SIGKILL");
  expect(await start("base-sepolia").ready).toEqual(before);
  await expect(start("base-sepolia").ready).rejects.toThrow(/Another sandbox/);
});

it.each(["SIGTERM", "SIGKILL"] as const)("restores balances, transactions and addresses after %s", async (signal) => {
  const first = start();
  const before = await first.ready;
  const payer = await createPayer(before);
  await fund(before, payer);
  const bought = await payer.fetchOn("base")(`${before.shopUrl}/v1/base/weather`);
  const boughtSolana = await payer.fetchOn("solana")(`${before.shopUrl}/v2/solana/weather`);
  first.child.kill(signal);
  await waitForExit(first.child);
  await vi.waitFor(() => expect(findProcessesUsing(dataDir)).toEqual([]), { timeout: 60_000, interval: 50 });

  const after = await start().ready;
  expect(after).toEqual(before);
  for (const name of NETWORK_NAMES) {
    const owner = name.startsWith("solana") ? payer.solana.address : payer.evm.address;
    const spent = name === "base" || name === "solana" ? 10_000n : 0n;
    expect(await readUsdcBalance(after, name, owner)).toBe(1_000_000n - spent);
  }
  const hash = decodeReceipt(bought).transaction as `0x${string}`;
  expect((await createEvmClient(after, "base").getTransactionReceipt({ hash })).status).toBe("success");
  const signature = decodeReceipt(boughtSolana).transaction;
  const { value } = await callSolanaRpc<{ value: unknown[] }>(after, "solana", "getSignatureStatuses", [[signature]]);
  expect(value[0]).toMatchObject({ err: null, confirmationStatus: "finalized" });
  expect((await payer.fetchOn("base")(`${after.shopUrl}/v2/base/weather`)).status).toBe(200);
  expect((await payer.fetchOn("solana")(`${after.shopUrl}/v1/solana/weather`)).status).toBe(200);
});

it("leaves no process running after its parent is killed", async () => {
  const parent = spawn(
    process.execPath,
    [
      "-e",
      `require("node:child_process").fork(${JSON.stringify(MAIN)}).on("message", (m) => console.log(JSON.stringify(m)))`,
    ],
    { env: { ...process.env, SANDBOX_DATA_DIR: dataDir, SANDBOX_NETWORKS: "base,base-sepolia" } },
  );
  children.push(parent);
  let output = "";
  parent.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const ready = await vi.waitUntil(() => output.match(/\{"type":"ready".*\}\n/)?.[0], {
    timeout: 60_000,
    interval: 20,
  });
  const { sandbox } = JSON.parse(ready) as { sandbox: SandboxEndpoints };
  expect((await fetch(sandbox.adminUrl)).status).toBe(404);
  expect(findProcessesUsing(dataDir).filter((line) => line.includes("--chain-id")).length).toBeGreaterThanOrEqual(2);
  parent.kill("SIGKILL");
  const isReachable = () =>
    fetch(sandbox.adminUrl).then(
      () => true,
      () => false,
    );
  await vi.waitFor(async () => expect(await isReachable()).toBe(false), { timeout: 60_000, interval: 50 });
  await vi.waitFor(() => expect(findProcessesUsing(dataDir)).toEqual([]), { timeout: 60_000, interval: 50 });
});
