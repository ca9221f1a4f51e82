import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sellerEvmAddress, sellerSolana } from "../../sandbox/identities.ts";
import { NETWORK_NAMES, NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import {
  callSolanaRpc,
  createEvmClient,
  createPayer,
  decodeReceipt,
  fund,
  type Payer,
  readUsdcBalance,
} from "./payers.ts";

const dataDir = mkdtempSync(join(tmpdir(), "sandbox-pay-"));
let sandbox: Sandbox;
let payer: Payer;

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir });
  payer = await createPayer(sandbox.endpoints);
  await fund(sandbox.endpoints, payer);
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(dataDir, { recursive: true });
});

describe.each(NETWORK_NAMES)("on %s", (name) => {
  const network = NETWORKS[name];
  const from = () => (network.kind === "evm" ? payer.evm.address : payer.solana.address);
  const to = network.kind === "evm" ? sellerEvmAddress : sellerSolana.address;

  it.each([1, 2])("the reference client of version %i pays the seller, and the balances change", async (version) => {
    const { endpoints } = sandbox;
    const balances = () =>
      Promise.all([readUsdcBalance(endpoints, name, from()), readUsdcBalance(endpoints, name, to)]);
    const [payerBefore, sellerBefore] = await balances();

    const response = await payer.fetchOn(name)(`${endpoints.shopUrl}/v${version}/${name}/weather`);

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ place: "Porto" });
    const [payerAfter, sellerAfter] = await balances();
    expect(payerBefore - payerAfter).toBe(10_000n);
    expect(sellerAfter - sellerBefore).toBe(10_000n);
    const receipt = decodeReceipt(response);
    expect(receipt).toMatchObject({ success: true, payer: from() });
    if (network.kind === "evm") {
      const mined = await createEvmClient(endpoints, name).getTransactionReceipt({
        hash: receipt.transaction as never,
      });
      expect(mined.status).toBe("success");
    } else {
      const transaction = await callSolanaRpc<{ meta: { err: null } }>(endpoints, name, "getTransaction", [
        receipt.transaction,
        { encoding: "jsonParsed" },
      ]);
      expect(transaction.meta.err).toBeNull();
    }
  });
});

it.each(["solana", "solana-devnet"] as const)(
  "accepts an offer of version 2 that names %s without its genesis hash",
  async (name) => {
    const { endpoints } = sandbox;
    const url = `${endpoints.shopUrl}/v2/plain/${name}/weather`;
    const header = (await fetch(url)).headers.get("payment-required") ?? "";
    const bill = JSON.parse(Buffer.from(header, "base64").toString());
    const [offer] = bill.accepts;
    expect(offer.network).toBe(NETWORKS[name].caip2Alias);

    const scheme = new ExactSvmScheme(payer.solana, { rpcUrl: endpoints.networks[name]?.rpcUrl ?? "" });
    const signed = await scheme.createPaymentPayload(2, { ...offer, network: NETWORKS[name].caip2 });
    const payment = { ...signed, resource: bill.resource, accepted: offer };
    const signature = Buffer.from(JSON.stringify(payment)).toString("base64");
    const response = await fetch(url, { headers: { "payment-signature": signature } });
    expect(response.status).toBe(200);
    expect(decodeReceipt(response)).toMatchObject({ success: true, network: NETWORKS[name].caip2Alias });
  },
);

it("accepts a payment for any of its offers, except for its decoys", async () => {
  const url = `${sandbox.endpoints.shopUrl}/multi`;
  const bill = (await (await fetch(url)).json()) as { accepts: { network?: string; scheme?: string }[] };
  const names = bill.accepts.map((offer) => `${offer.scheme} ${offer.network}`);
  expect(names).toEqual(
    expect.arrayContaining(["exact base-sepolia", "upto base-sepolia", "exact base", "exact solana-devnet"]),
  );
  for (const name of ["base", "solana-devnet"] as const) {
    const offer = bill.accepts.findLast(({ network }) => network === name);
    const rpcUrl = sandbox.endpoints.networks[name]?.rpcUrl ?? "";
    const scheme = name === "base" ? new ExactEvmSchemeV1(payer.evm) : new ExactSvmSchemeV1(payer.solana, { rpcUrl });
    const signed = await scheme.createPaymentPayload(1, offer as never);
    const payment = { ...signed, scheme: "exact", network: name };
    const header = Buffer.from(JSON.stringify(payment)).toString("base64");
    expect((await fetch(url, { headers: { "x-payment": header } })).status).toBe(200);
    const decoy = Buffer.from(JSON.stringify({ ...payment, network: "atlantis" })).toString("base64");
    expect((await fetch(url, { headers: { "x-payment": decoy } })).status).toBe(402);
  }
});

it("rejects a replayed payment", async () => {
  const url = `${sandbox.endpoints.shopUrl}/v1/base/weather`;
  const bill = (await (await fetch(url)).json()) as { accepts: [never] };
  const signed = await new ExactEvmSchemeV1(payer.evm).createPaymentPayload(1, bill.accepts[0]);
  const header = Buffer.from(JSON.stringify({ ...signed, scheme: "exact", network: "base" })).toString("base64");
  const before = await readUsdcBalance(sandbox.endpoints, "base", payer.evm.address);
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await fetch(url, { headers: { "x-payment": header } })).status);
  expect(statuses).toEqual([200, 402, 402]);
  expect(before - (await readUsdcBalance(sandbox.endpoints, "base", payer.evm.address))).toBe(10_000n);
});

it("settles concurrent payments of one payer", async () => {
  const fetchPaid = payer.fetchOn("base-sepolia");
  const before = await readUsdcBalance(sandbox.endpoints, "base-sepolia", payer.evm.address);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => fetchPaid(`${sandbox.endpoints.shopUrl}/v1/price/100`)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(before - (await readUsdcBalance(sandbox.endpoints, "base-sepolia", payer.evm.address))).toBe(2_000n);
  expect(new Set(responses.map((response) => decodeReceipt(response).transaction)).size).toBe(20);
});
