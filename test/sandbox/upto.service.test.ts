import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sellerEvmAddress } from "../../sandbox/identities.ts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { createEvmClient, createPayer, decodeReceipt, fund, type Payer, postJson, readUsdcBalance } from "./payers.ts";

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

const readBalances = () =>
  Promise.all(
    [payer.evm.address, sellerEvmAddress].map((owner) => readUsdcBalance(sandbox.endpoints, "base-sepolia", owner)),
  );

/** Creates an X-PAYMENT header with an EIP-2612 permit. `changes` replace signed values. */
async function createPermitHeader(
  changes: { spender?: string; value?: bigint; nonce?: bigint; validBefore?: bigint } = {},
) {
  const { uptoSpenders } = sandbox.endpoints;
  const from = payer.evm.address;
  const to = (changes.spender ?? uptoSpenders["base-sepolia"]) as `0x${string}`;
  const value = changes.value ?? 50_000n;
  const validBefore = changes.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 60);
  const nonce =
    changes.nonce ??
    (await createEvmClient(sandbox.endpoints, "base-sepolia").readContract({
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

describe("upto of version 1 with an EIP-2612 permit", () => {
  it("charges the used amount, not the cap, in the transaction of the receipt", async () => {
    const [payerBefore = 0n, sellerBefore = 0n] = await readBalances();
    const response = await buy(await createPermitHeader());
    expect(response.status).toBe(200);
    const [payerAfter = 0n, sellerAfter = 0n] = await readBalances();
    expect(payerBefore - payerAfter).toBe(12_000n);
    expect(sellerAfter - sellerBefore).toBe(12_000n);
    const receipt = await createEvmClient(sandbox.endpoints, "base-sepolia").getTransactionReceipt({
      hash: decodeReceipt(response).transaction as never,
    });
    expect(receipt.status).toBe("success");
  });

  it("charges at most the cap", async () => {
    const [before = 0n] = await readBalances();
    expect((await buy(await createPermitHeader(), 90_000)).status).toBe(200);
    const [after = 0n] = await readBalances();
    expect(before - after).toBe(50_000n);
  });

  it("accepts a permit once", async () => {
    const header = await createPermitHeader();
    const statuses = await Promise.all([buy(header), buy(header), buy(header)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
    const again = await buy(header);
    expect(await again.json()).toMatchObject({ error: "invalid_upto_evm_payload_authorization_nonce" });
  });

  it.each([
    ["another spender", { spender: `0x${"12".repeat(20)}` }, "invalid_upto_evm_payload_spender_mismatch"],
    ["a cap below the required amount", { value: 49_999n }, "invalid_upto_evm_payload_authorization_value"],
    ["a past deadline", { validBefore: 1n }, "invalid_upto_evm_payload_authorization_valid_before"],
    ["a future nonce", { nonce: 7n }, "invalid_upto_evm_payload_authorization_nonce"],
  ])("rejects %s without a transfer", async (_what, changes, error) => {
    const before = await readBalances();
    const response = await buy(await createPermitHeader(changes));
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error });
    expect(await readBalances()).toEqual(before);
  });

  it("rejects a signature over other values", async () => {
    const payment = JSON.parse(Buffer.from(await createPermitHeader(), "base64").toString());
    payment.payload.authorization.value = "60000";
    const response = await buy(Buffer.from(JSON.stringify(payment)).toString("base64"));
    expect(await response.json()).toMatchObject({ error: "invalid_upto_evm_payload_signature" });
  });

  it("declares the spender in the offer and at the facilitator", async () => {
    const spender = sandbox.endpoints.uptoSpenders["base-sepolia"];
    const supported = await (await fetch(`${sandbox.endpoints.facilitatorUrl}/supported`)).json();
    expect(supported).toMatchObject({ signers: { "eip155:*": [spender] } });
    const bill = await (await fetch(`${sandbox.endpoints.shopUrl}/v1/upto/base-sepolia`)).json();
    expect(bill).toMatchObject({ accepts: [{ scheme: "upto", extra: { facilitatorAddress: spender } }] });
  });
});

describe("upto of version 2 with Permit2", () => {
  it("charges the used amount to the reference client, without a prior allowance", async () => {
    const [payerBefore = 0n, sellerBefore = 0n] = await readBalances();
    const response = await payer.fetchOn("base-sepolia")(`${sandbox.endpoints.shopUrl}/v2/upto/base-sepolia?use=12345`);
    expect(response.status).toBe(200);
    const [payerAfter = 0n, sellerAfter = 0n] = await readBalances();
    expect(payerBefore - payerAfter).toBe(12_345n);
    expect(sellerAfter - sellerBefore).toBe(12_345n);
    expect(decodeReceipt(response)).toMatchObject({ success: true, network: "eip155:84532" });
  });
});

it("rejects a request without a payment", async () => {
  const response = await postJson(`${sandbox.endpoints.facilitatorUrl}/verify`, { paymentPayload: 5 });
  expect(response.status).toBe(400);
});
