import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { shopEvmAddress } from "../../sandbox/identities.ts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { createPayer, fund, type Payer, postJson, publicClient, receiptOf, usdcOf } from "./payers.ts";

const NETWORK = NETWORKS["base-sepolia"];
const dataDir = mkdtempSync(join(tmpdir(), "sandbox-upto-"));
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
  payer = await createPayer(sandbox.endpoints);
  await fund(sandbox.endpoints, payer);
});

const balances = () =>
  Promise.all([payer.evm.address, shopEvmAddress].map((owner) => usdcOf(sandbox.endpoints, "base-sepolia", owner)));

/** An X-PAYMENT header with an EIP-2612 permit. `changes` replace what is signed. */
async function permitHeader(changes: { spender?: string; value?: bigint; nonce?: bigint; validBefore?: bigint } = {}) {
  const { uptoSpenders } = sandbox.endpoints;
  const from = payer.evm.address;
  const to = (changes.spender ?? uptoSpenders["base-sepolia"]) as `0x${string}`;
  const value = changes.value ?? 50_000n;
  const validBefore = changes.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 60);
  const nonce =
    changes.nonce ??
    (await publicClient(sandbox.endpoints, "base-sepolia").readContract({
      address: NETWORK.usdc,
      abi: parseAbi(["function nonces(address) view returns (uint256)"]),
      functionName: "nonces",
      args: [from],
    }));
  const signature = await payer.evm.signTypedData({
    domain: { ...NETWORK.usdcDomain, chainId: NETWORK.chainId, verifyingContract: NETWORK.usdc },
    types: {
      Permit: ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"].map(
        (field) => ({
          name: field.split(" ")[0] ?? "",
          type: field.split(" ")[1] ?? "",
        }),
      ),
    },
    primaryType: "Permit",
    message: { owner: from, spender: to, value, nonce, deadline: validBefore },
  });
  const authorization = { from, to, value: `${value}`, nonce: `${nonce}`, validBefore: `${validBefore}` };
  const payment = { x402Version: 1, scheme: "upto", network: "base-sepolia", payload: { signature, authorization } };
  return Buffer.from(JSON.stringify(payment)).toString("base64");
}

const buy = (header: string, use = 12_000) =>
  fetch(`${sandbox.endpoints.shopUrl}/v1/upto/base-sepolia?use=${use}`, { headers: { "x-payment": header } });

describe("upto of version 1, by EIP-2612 permit", () => {
  it("charges what was used and not the cap, at the hash it names", async () => {
    const [payerBefore = 0n, shopBefore = 0n] = await balances();
    const response = await buy(await permitHeader());
    expect(response.status).toBe(200);
    const [payerAfter = 0n, shopAfter = 0n] = await balances();
    expect(payerBefore - payerAfter).toBe(12_000n);
    expect(shopAfter - shopBefore).toBe(12_000n);
    const receipt = await publicClient(sandbox.endpoints, "base-sepolia").getTransactionReceipt({
      hash: receiptOf(response).transaction as never,
    });
    expect(receipt.status).toBe("success");
  });

  it("never charges above the cap", async () => {
    const [before = 0n] = await balances();
    expect((await buy(await permitHeader(), 90_000)).status).toBe(200);
    const [after = 0n] = await balances();
    expect(before - after).toBe(50_000n);
  });

  it("takes a permit once", async () => {
    const header = await permitHeader();
    const statuses = await Promise.all([buy(header), buy(header), buy(header)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
    const again = await buy(header);
    expect(await again.json()).toMatchObject({ error: "invalid_upto_evm_payload_authorization_nonce" });
  });

  it.each([
    ["another spender", { spender: `0x${"12".repeat(20)}` }, "invalid_upto_evm_payload_spender_mismatch"],
    ["a cap below what is asked", { value: 49_999n }, "invalid_upto_evm_payload_authorization_value"],
    ["a past deadline", { validBefore: 1n }, "invalid_upto_evm_payload_authorization_valid_before"],
    ["a future nonce", { nonce: 7n }, "invalid_upto_evm_payload_authorization_nonce"],
  ])("refuses %s and moves nothing", async (_what, changes, error) => {
    const before = await balances();
    const response = await buy(await permitHeader(changes));
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error });
    expect(await balances()).toEqual(before);
  });

  it("refuses a signature over something else", async () => {
    const payment = JSON.parse(Buffer.from(await permitHeader(), "base64").toString());
    payment.payload.authorization.value = "60000";
    const response = await buy(Buffer.from(JSON.stringify(payment)).toString("base64"));
    expect(await response.json()).toMatchObject({ error: "invalid_upto_evm_payload_signature" });
  });

  it("declares the spender", async () => {
    const spender = sandbox.endpoints.uptoSpenders["base-sepolia"];
    const supported = await (await fetch(`${sandbox.endpoints.facilitatorUrl}/supported`)).json();
    expect(supported).toMatchObject({ signers: { "eip155:*": [spender] } });
    const bill = await (await fetch(`${sandbox.endpoints.shopUrl}/v1/upto/base-sepolia`)).json();
    expect(bill).toMatchObject({ accepts: [{ scheme: "upto", extra: { facilitatorAddress: spender } }] });
  });
});

describe("upto of version 2, by Permit2", () => {
  it("the reference client pays without an allowance beforehand, and is charged what was used", async () => {
    const [payerBefore = 0n, shopBefore = 0n] = await balances();
    const response = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v2/upto/base-sepolia?use=12345`);
    expect(response.status).toBe(200);
    const [payerAfter = 0n, shopAfter = 0n] = await balances();
    expect(payerBefore - payerAfter).toBe(12_345n);
    expect(shopAfter - shopBefore).toBe(12_345n);
    expect(receiptOf(response)).toMatchObject({ success: true, network: "eip155:84532" });
  });
});

it("refuses what is no payment", async () => {
  const response = await postJson(`${sandbox.endpoints.facilitatorUrl}/verify`, { paymentPayload: 5 });
  expect(response.status).toBe(400);
});
