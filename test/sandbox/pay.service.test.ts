import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shopEvmAddress, shopSolana } from "../../sandbox/identities.ts";
import { NETWORK_NAMES, NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { createPayer, fund, type Payer, publicClient, receiptOf, solanaCall, usdcOf } from "./payers.ts";

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
  const to = network.kind === "evm" ? shopEvmAddress : shopSolana.address;

  it.each([1, 2])("the reference client of version %i pays the shop and the money moves", async (version) => {
    const { endpoints } = sandbox;
    const balances = () => Promise.all([usdcOf(endpoints, name, from()), usdcOf(endpoints, name, to)]);
    const [payerBefore, shopBefore] = await balances();

    const response = await payer.fetchOn(name)(`${endpoints.shopUrl}/v${version}/${name}/weather`);

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ place: "Porto" });
    const [payerAfter, shopAfter] = await balances();
    expect(payerBefore - payerAfter).toBe(10_000n);
    expect(shopAfter - shopBefore).toBe(10_000n);
    const receipt = receiptOf(response);
    expect(receipt).toMatchObject({ success: true, payer: from() });
    if (network.kind === "evm") {
      const mined = await publicClient(endpoints, name).getTransactionReceipt({ hash: receipt.transaction as never });
      expect(mined.status).toBe("success");
    } else {
      const transaction = await solanaCall<{ meta: { err: null } }>(endpoints, name, "getTransaction", [
        receipt.transaction,
        { encoding: "jsonParsed" },
      ]);
      expect(transaction.meta.err).toBeNull();
    }
  });
});

it.each(["solana", "solana-devnet"] as const)("a version 2 shop may name %s without its genesis hash", async (name) => {
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
  expect(receiptOf(response)).toMatchObject({ success: true, network: NETWORKS[name].caip2Alias });
});

it("takes any of several offers, and nothing for its decoys", async () => {
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

it("refuses a replay of what was paid", async () => {
  const url = `${sandbox.endpoints.shopUrl}/v1/base/weather`;
  const bill = (await (await fetch(url)).json()) as { accepts: [never] };
  const signed = await new ExactEvmSchemeV1(payer.evm).createPaymentPayload(1, bill.accepts[0]);
  const header = Buffer.from(JSON.stringify({ ...signed, scheme: "exact", network: "base" })).toString("base64");
  const before = await usdcOf(sandbox.endpoints, "base", payer.evm.address);
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push((await fetch(url, { headers: { "x-payment": header } })).status);
  expect(answers).toEqual([200, 402, 402]);
  expect(before - (await usdcOf(sandbox.endpoints, "base", payer.evm.address))).toBe(10_000n);
});

it("serves many payers at once", async () => {
  const fetchPaid = payer.fetchOn("base-sepolia");
  const before = await usdcOf(sandbox.endpoints, "base-sepolia", payer.evm.address);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => fetchPaid(`${sandbox.endpoints.shopUrl}/v1/price/100`)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(before - (await usdcOf(sandbox.endpoints, "base-sepolia", payer.evm.address))).toBe(2_000n);
  expect(new Set(responses.map((response) => receiptOf(response).transaction)).size).toBe(20);
});
