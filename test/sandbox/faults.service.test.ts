import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { createPayer, fund, type Payer, postJson, publicClient, receiptOf, usdcOf } from "./payers.ts";

const dataDir = mkdtempSync(join(tmpdir(), "sandbox-faults-"));
let sandbox: Sandbox;
let payer: Payer;

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir, networks: ["base-sepolia"] });
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  await postJson(`${sandbox.endpoints.adminUrl}/reset-faults`, {});
  payer = await createPayer(sandbox.endpoints);
  await fund(sandbox.endpoints, payer);
});

const balance = () => usdcOf(sandbox.endpoints, "base-sepolia", payer.evm.address);
const fault = (name: string) => `${sandbox.endpoints.shopUrl}/fault/${name}`;

/** Signs the shop's offer once; the header may then be sent any number of times. */
async function headerFor(url: string): Promise<string> {
  const bill = (await (await fetch(url)).json()) as { accepts: [never] };
  const payment = await new ExactEvmSchemeV1(payer.evm).createPaymentPayload(1, bill.accepts[0]);
  return Buffer.from(JSON.stringify({ ...payment, scheme: "exact", network: "base-sepolia" })).toString("base64");
}

const pay = (url: string, header: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { "x-payment": header } });

async function observed(path: string) {
  const response = await fetch(`${sandbox.endpoints.adminUrl}/observed?path=${encodeURIComponent(path)}`);
  return (await response.json()) as { requests: { headerNames: string[] }[]; distinctPayments: unknown[] };
}

describe("shops that take the money once and fail", () => {
  it("settles-then-500 and serves nobody", async () => {
    const url = fault("settles-then-500");
    const header = await headerFor(url);
    expect((await pay(url, header)).status).toBe(500);
    expect((await pay(url, header)).status).toBe(500);
    expect(await balance()).toBe(990_000n);
  });

  it("settles-then-500-once serves the same payment when it comes again", async () => {
    const url = fault("settles-then-500-once");
    const header = await headerFor(url);
    expect((await pay(url, header)).status).toBe(500);
    const second = await pay(url, header);
    expect(second.status).toBe(200);
    expect(receiptOf(second).success).toBe(true);
    expect(await balance()).toBe(990_000n);
  });

  it.each(["settles-then-drops", "settles-then-drops-once"])("%s", async (name) => {
    const url = fault(name);
    await expect(pay(url, await headerFor(url))).rejects.toThrow();
    expect(await balance()).toBe(990_000n);
  });

  it("settles-then-402 asks for more after taking the money", async () => {
    const url = fault("settles-then-402");
    expect((await pay(url, await headerFor(url))).status).toBe(402);
    expect(await balance()).toBe(990_000n);
  });

  it("settles-then-hangs never answers", async () => {
    const url = fault("settles-then-hangs");
    const waiting = pay(url, await headerFor(url), { signal: AbortSignal.timeout(700) });
    await expect(waiting).rejects.toThrow();
    expect(await balance()).toBe(990_000n);
  });
});

describe("shops that take nothing", () => {
  it.each([
    ["402-again", 402],
    ["402-dearer", 402],
    ["false-hash", 200],
  ])("%s", async (name, status) => {
    const url = fault(name);
    const response = await pay(url, await headerFor(url), { redirect: "manual" });
    expect(response.status).toBe(status);
    expect(await balance()).toBe(1_000_000n);
  });

  it("false-hash names a transaction that does not exist", async () => {
    const url = fault("false-hash");
    const { transaction } = receiptOf(await pay(url, await headerFor(url)));
    const client = publicClient(sandbox.endpoints, "base-sepolia");
    await expect(client.getTransactionReceipt({ hash: transaction as never })).rejects.toThrow();
  });

  it("redirects after payment lead to another origin, a private address, and in circles", async () => {
    const targets = await Promise.all(
      ["redirect-elsewhere", "redirect-private", "redirect-loop"].map(async (name) => {
        const response = await pay(fault(name), await headerFor(fault(name)), { redirect: "manual" });
        expect(response.status).toBe(307);
        return new URL(response.headers.get("location") ?? "");
      }),
    );
    expect(targets[0]?.origin).not.toBe(sandbox.endpoints.shopUrl);
    expect(targets[1]?.hostname).toBe("169.254.169.254");
    expect(targets[2]?.href).toBe(fault("redirect-loop"));
  });
});

it("tells how many distinct authorizations a payer let go, and to whom", async () => {
  const url = fault("redirect-elsewhere");
  const [one, two] = [await headerFor(url), await headerFor(url)];
  await pay(url, one);
  await pay(url, one);
  expect((await observed("/fault/redirect-elsewhere")).distinctPayments).toHaveLength(1);
  await pay(url, two);
  expect((await observed("/fault/redirect-elsewhere")).distinctPayments).toHaveLength(2);
  // fetch follows the redirect and leaks the header: exactly what an observer must notice.
  expect((await observed("elsewhere:/elsewhere")).distinctPayments).toHaveLength(2);
});

it("writes every malformed bill it promises", async () => {
  const list = (await (await fetch(`${sandbox.endpoints.shopUrl}/fault`)).json()) as { url: string }[];
  const malformed = list.filter(({ url }) => url.includes("/malformed/"));
  expect(malformed.length).toBeGreaterThan(5);
  const statuses = await Promise.all(malformed.map(async ({ url }) => (await fetch(url)).status));
  expect(new Set(statuses)).toEqual(new Set([402]));
  expect((await (await fetch(fault("malformed/huge"))).arrayBuffer()).byteLength).toBeGreaterThan(32 * 1024 * 1024);
});

it("streams, free and paid", async () => {
  const { shopUrl } = sandbox.endpoints;
  const free = await fetch(`${shopUrl}/free/stream?bytes=3000000`);
  expect((await free.arrayBuffer()).byteLength).toBe(3_000_000);
  const sold = await payer.fetchOn("base-sepolia")(`${shopUrl}/v1/stream?bytes=100001`);
  expect((await sold.arrayBuffer()).byteLength).toBe(100_001);
});

it("echoes a paid JSON body", async () => {
  const paid = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v1/echo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ hello: ["there"] }),
  });
  expect(await paid.json()).toMatchObject({ method: "POST", body: { hello: ["there"] } });
});

it("records what was settled and approves Permit2 when asked", async () => {
  const response = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v1/price/777`);
  const { settlements } = (await (await fetch(`${sandbox.endpoints.adminUrl}/settlements`)).json()) as {
    settlements: object[];
  };
  const { transaction } = receiptOf(response);
  expect(settlements.at(-1)).toMatchObject({ transaction, payer: payer.evm.address, amountAtomic: "777" });

  const evmAddress = payer.evm.address;
  const asked = await postJson(`${sandbox.endpoints.adminUrl}/fund`, { evmAddress, approvePermit2: true });
  expect(asked.status).toBe(200);
  const allowance = await publicClient(sandbox.endpoints, "base-sepolia").readContract({
    address: NETWORKS["base-sepolia"].usdc,
    abi: parseAbi(["function allowance(address, address) view returns (uint256)"]),
    functionName: "allowance",
    args: [evmAddress, "0x000000000022D473030F116dDEE9F6B43aC78BA3"],
  });
  expect(allowance).toBe(2n ** 256n - 1n);
});
