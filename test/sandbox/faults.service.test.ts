import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { createEvmClient, createPayer, decodeReceipt, fund, type Payer, postJson, readUsdcBalance } from "./payers.ts";

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

const readBalance = () => readUsdcBalance(sandbox.endpoints, "base-sepolia", payer.evm.address);
const createFaultUrl = (name: string) => `${sandbox.endpoints.shopUrl}/fault/${name}`;

/** Signs the seller's offer and returns the payment header, which a test may send several times. */
async function createPaymentHeader(url: string): Promise<string> {
  const bill = (await (await fetch(url)).json()) as { accepts: [never] };
  const payment = await new ExactEvmSchemeV1(payer.evm).createPaymentPayload(1, bill.accepts[0]);
  return Buffer.from(JSON.stringify({ ...payment, scheme: "exact", network: "base-sepolia" })).toString("base64");
}

const pay = (url: string, header: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { "x-payment": header } });

async function fetchObserved(path: string) {
  const response = await fetch(`${sandbox.endpoints.adminUrl}/observed?path=${encodeURIComponent(path)}`);
  return (await response.json()) as { requests: { headerNames: string[] }[]; distinctPayments: unknown[] };
}

describe("a seller that settles the payment once and fails", () => {
  it("settles-then-500 never delivers the resource", async () => {
    const url = createFaultUrl("settles-then-500");
    const header = await createPaymentHeader(url);
    expect((await pay(url, header)).status).toBe(500);
    expect((await pay(url, header)).status).toBe(500);
    expect(await readBalance()).toBe(990_000n);
  });

  it("settles-then-500-once delivers the resource when the same payment is repeated", async () => {
    const url = createFaultUrl("settles-then-500-once");
    const header = await createPaymentHeader(url);
    expect((await pay(url, header)).status).toBe(500);
    const second = await pay(url, header);
    expect(second.status).toBe(200);
    expect(decodeReceipt(second).success).toBe(true);
    expect(await readBalance()).toBe(990_000n);
  });

  it.each(["settles-then-drops", "settles-then-drops-once"])("%s", async (name) => {
    const url = createFaultUrl(name);
    await expect(pay(url, await createPaymentHeader(url))).rejects.toThrow();
    expect(await readBalance()).toBe(990_000n);
  });

  it("settles-then-402 responds with 402 after the settlement", async () => {
    const url = createFaultUrl("settles-then-402");
    expect((await pay(url, await createPaymentHeader(url))).status).toBe(402);
    expect(await readBalance()).toBe(990_000n);
  });

  it("settles-then-hangs never responds", async () => {
    const url = createFaultUrl("settles-then-hangs");
    const waiting = pay(url, await createPaymentHeader(url), { signal: AbortSignal.timeout(700) });
    await expect(waiting).rejects.toThrow();
    expect(await readBalance()).toBe(990_000n);
  });
});

describe("a seller that does not settle the payment", () => {
  it.each([
    ["402-again", 402],
    ["402-dearer", 402],
    ["false-hash", 200],
  ])("%s", async (name, status) => {
    const url = createFaultUrl(name);
    const response = await pay(url, await createPaymentHeader(url), { redirect: "manual" });
    expect(response.status).toBe(status);
    expect(await readBalance()).toBe(1_000_000n);
  });

  it("false-hash names a transaction that does not exist", async () => {
    const url = createFaultUrl("false-hash");
    const { transaction } = decodeReceipt(await pay(url, await createPaymentHeader(url)));
    const client = createEvmClient(sandbox.endpoints, "base-sepolia");
    await expect(client.getTransactionReceipt({ hash: transaction as never })).rejects.toThrow();
  });

  it("redirects after the payment to another origin, a private address, or in a loop", async () => {
    const targets = await Promise.all(
      ["redirect-elsewhere", "redirect-private", "redirect-loop"].map(async (name) => {
        const response = await pay(createFaultUrl(name), await createPaymentHeader(createFaultUrl(name)), {
          redirect: "manual",
        });
        expect(response.status).toBe(307);
        return new URL(response.headers.get("location") ?? "");
      }),
    );
    expect(targets[0]?.origin).not.toBe(sandbox.endpoints.shopUrl);
    expect(targets[1]?.hostname).toBe("169.254.169.254");
    expect(targets[2]?.href).toBe(createFaultUrl("redirect-loop"));
  });
});

it("records the distinct payment authorizations that each origin received", async () => {
  const url = createFaultUrl("redirect-elsewhere");
  const [one, two] = [await createPaymentHeader(url), await createPaymentHeader(url)];
  await pay(url, one);
  await pay(url, one);
  expect((await fetchObserved("/fault/redirect-elsewhere")).distinctPayments).toHaveLength(1);
  await pay(url, two);
  expect((await fetchObserved("/fault/redirect-elsewhere")).distinctPayments).toHaveLength(2);
  // fetch follows the redirect and leaks the header, which the record must show.
  expect((await fetchObserved("elsewhere:/elsewhere")).distinctPayments).toHaveLength(2);
});

it("responds with 402 to each listed malformed resource", async () => {
  const list = (await (await fetch(`${sandbox.endpoints.shopUrl}/fault`)).json()) as { url: string }[];
  const malformed = list.filter(({ url }) => url.includes("/malformed/"));
  expect(malformed.length).toBeGreaterThan(5);
  const statuses = await Promise.all(malformed.map(async ({ url }) => (await fetch(url)).status));
  expect(new Set(statuses)).toEqual(new Set([402]));
  expect((await (await fetch(createFaultUrl("malformed/huge"))).arrayBuffer()).byteLength).toBeGreaterThan(
    32 * 1024 * 1024,
  );
});

it("streams free and paid resources", async () => {
  const { shopUrl } = sandbox.endpoints;
  const free = await fetch(`${shopUrl}/free/stream?bytes=3000000`);
  expect((await free.arrayBuffer()).byteLength).toBe(3_000_000);
  const paid = await payer.fetchOn("base-sepolia")(`${shopUrl}/v1/stream?bytes=100001`);
  expect((await paid.arrayBuffer()).byteLength).toBe(100_001);
});

it("echoes a paid JSON body", async () => {
  const paid = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v1/echo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ hello: ["there"] }),
  });
  expect(await paid.json()).toMatchObject({ method: "POST", body: { hello: ["there"] } });
});

it("records settlements and approves Permit2 on request", async () => {
  const response = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v1/price/777`);
  const { settlements } = (await (await fetch(`${sandbox.endpoints.adminUrl}/settlements`)).json()) as {
    settlements: object[];
  };
  const { transaction } = decodeReceipt(response);
  expect(settlements.at(-1)).toMatchObject({ transaction, payer: payer.evm.address, amountAtomic: "777" });

  const evmAddress = payer.evm.address;
  const funded = await postJson(`${sandbox.endpoints.adminUrl}/fund`, { evmAddress, approvePermit2: true });
  expect(funded.status).toBe(200);
  const allowance = await createEvmClient(sandbox.endpoints, "base-sepolia").readContract({
    address: NETWORKS["base-sepolia"].usdc,
    abi: parseAbi(["function allowance(address, address) view returns (uint256)"]),
    functionName: "allowance",
    args: [evmAddress, "0x000000000022D473030F116dDEE9F6B43aC78BA3"],
  });
  expect(allowance).toBe(2n ** 256n - 1n);
});
