/** Withdrawals: the transfer arrives, counts against every limit, and is sent once for a repeated request. */

import { getAssociatedTokenAddressSync } from "@solana/spl-token";
import { Keypair, PublicKey } from "@solana/web3.js";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { type Api, createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type PayerOptions, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { didSucceed, readUsdcBalance } from "../support/usdc.ts";
import { listPayments, waitUntilSettled } from "./reconcile.ts";

const MUTATION = `mutation ($input: SendTokensInput!) { sendTokens(input: $input) { __typename
  ... on SendTokensSuccess { transaction { transactionId type status amount { amount } payTo network } }
  ... on Error { code message } ... on InvalidRequestError { field } ... on RateLimitedError { retryAfterMs }
  ... on SpendingLimitExceededError { limitUsd remainingUsd requiredUsd period } } }`;

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia", "solana-devnet"]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  service = await satchel.open();
  await satchel.fundTreasury(0n);
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

async function openSender(options: PayerOptions = {}): Promise<{ payer: Payer; api: Api }> {
  const payer = await satchel.payer({ usdcAtomic: 10_000_000n, ...options });
  return { payer, api: createApiClient(service.baseUrl, payer.token) };
}

const createEvmAddress = () => privateKeyToAccount(generatePrivateKey()).address;
async function send(api: Api, input: object) {
  const { json } = await api.graphql(MUTATION, { input: { network: "base-sepolia", ...input } });
  expect(json.errors).toBeUndefined();
  return json.data.sendTokens;
}

it.each(["base-sepolia", "solana-devnet"] as const)("sends USDC on %s", async (network) => {
  const { payer, api } = await openSender();
  // On Solana the recipient of a token needs a token account.
  const other = await satchel.payer({ usdcAtomic: 1n });
  const chain = sandbox.networks[network] as SandboxNetwork;
  const findAddress = (holder: Payer) => (network === "base-sepolia" ? holder.evmAddress : holder.solanaAddress);
  const to = findAddress(other);
  const { transaction } = await send(api, { network, to, amount: "1.25" });
  expect(transaction).toMatchObject({ type: "TRANSFER", amount: { amount: "1.250000" }, payTo: to, network });
  const row = await waitUntilSettled(service, transaction.transactionId);
  expect(row).toMatchObject({ settledMicroUsd: 1_250_000n, paidFromCredit: false });
  expect(await didSucceed(chain, row.txHash ?? "")).toBe(true);
  expect([await readUsdcBalance(chain, to), await readUsdcBalance(chain, findAddress(payer))]).toEqual([
    1_250_001n,
    8_750_000n,
  ]);
});

it("rejects a Solana recipient without a USDC account, and sends once the account exists", async () => {
  const { payer, api } = await openSender();
  const recipient = await satchel.payer();
  const input = { network: "solana-devnet", to: recipient.solanaAddress, amount: "1", idempotencyKey: "no-account" };
  const rejected = await send(api, input);
  expect(rejected).toMatchObject({ code: "INVALID_REQUEST", field: "to" });
  expect(rejected.message).toContain("has no USDC token account on solana-devnet");
  // A token account cannot own a token account.
  const owner = new PublicKey(payer.solanaAddress);
  const mint = new PublicKey(sandbox.networks["solana-devnet"]?.usdc ?? "");
  const account = getAssociatedTokenAddressSync(mint, owner).toBase58();
  expect(await send(api, { ...input, to: account, idempotencyKey: null })).toMatchObject({ field: "to" });
  expect(await listPayments(service, payer.accountId)).toEqual([]);

  const { evmAddress, solanaAddress } = recipient;
  const funded = await fetch(`${sandbox.adminUrl}/fund`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ evmAddress, solanaAddress, usdcAtomic: "1" }),
  });
  expect(funded.status).toBe(200);
  const { transaction } = await send(api, input);
  await waitUntilSettled(service, transaction.transactionId);
  expect(await readUsdcBalance(sandbox.networks["solana-devnet"] as SandboxNetwork, recipient.solanaAddress)).toBe(
    1_000_001n,
  );
});

it("counts against every limit together with payments", async () => {
  const { payer, api } = await openSender({
    tokenLimits: { dailyMicroUsd: 1_000_000n, perTransactionMicroUsd: 700_000n },
  });
  const to = createEvmAddress();
  expect(await send(api, { to, amount: "0.700001" })).toMatchObject({
    code: "SPENDING_LIMIT_EXCEEDED",
    period: "TRANSACTION",
    limitUsd: "0.70",
  });
  expect((await api.fetch(`${sandbox.shopUrl}/v1/price/400000`)).status).toBe(200);
  expect(await send(api, { to, amount: "0.600001" })).toMatchObject({
    code: "SPENDING_LIMIT_EXCEEDED",
    period: "DAY",
    remainingUsd: "0.60",
    requiredUsd: "0.600001",
  });
  expect((await send(api, { to, amount: "0.6" })).__typename).toBe("SendTokensSuccess");
  expect((await api.sign(`${sandbox.shopUrl}/v1/price/1`)).json.error).toBe("spending_limit_exceeded");
  expect(await listPayments(service, payer.accountId)).toHaveLength(2);
});

it("never uses credit and never exceeds the available wallet balance", async () => {
  const { api } = await openSender({ usdcAtomic: 500_000n, creditMicroUsd: 5_000_000n });
  expect(await send(api, { to: createEvmAddress(), amount: "0.500001" })).toMatchObject({
    code: "INSUFFICIENT_BALANCE",
  });
  expect((await send(api, { to: createEvmAddress(), amount: "0.5" })).__typename).toBe("SendTokensSuccess");
});

it("sends once per Idempotency-Key and rejects the key for another transfer", async () => {
  const { payer, api } = await openSender();
  const to = createEvmAddress();
  const input = { to, amount: "0.5", idempotencyKey: "send-once" };
  const results = await Promise.all(Array.from({ length: 10 }, () => send(api, input)));
  const sent = results.filter(({ transaction }) => transaction);
  expect(new Set(sent.map(({ transaction }) => transaction.transactionId)).size).toBe(1);
  for (const { code } of results.filter(({ transaction }) => !transaction)) expect(code).toBe("IDEMPOTENCY_IN_FLIGHT");
  const again = await send(api, input);
  expect(again.transaction.transactionId).toBe(sent[0].transaction.transactionId);
  expect(await send(api, { ...input, amount: "0.6" })).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  await waitUntilSettled(service, again.transaction.transactionId);
  expect(await readUsdcBalance(sandbox.networks["base-sepolia"] as SandboxNetwork, to)).toBe(500_000n);
  expect(await listPayments(service, payer.accountId)).toHaveLength(1);
});

describe("rejects", () => {
  let api: Api;
  let payer: Payer;
  beforeAll(async () => {
    ({ api, payer } = await openSender());
  });

  it.each([
    ["an invalid address", { to: "0x12", amount: "1" }, "to"],
    ["an address of another network type", { to: Keypair.generate().publicKey.toBase58(), amount: "1" }, "to"],
    ["an address with a wrong checksum", { to: "0x52908400098527886E0F7030069857D2E4169Ee7", amount: "1" }, "to"],
    ["the token's own address", { to: NETWORKS["base-sepolia"].usdc.address, amount: "1" }, "to"],
    ["nothing", { to: createEvmAddress(), amount: "0" }, "amount"],
    ["more digits than the token has", { to: createEvmAddress(), amount: "0.0000001" }, "amount"],
    ["an amount above the maximum", { to: createEvmAddress(), amount: "1000000000.000001" }, "amount"],
  ])("%s", async (_what, input, field) => {
    expect(await send(api, input)).toMatchObject({ __typename: "InvalidRequestError", code: "INVALID_REQUEST", field });
    expect(await listPayments(service, payer.accountId)).toEqual([]);
  });

  it.each(["-1", "1e", "1e100", "1.", ".5"])("the amount %s, which is no decimal", async (amount) => {
    const input = { network: "base-sepolia", to: createEvmAddress(), amount };
    expect(await send(api, input)).toMatchObject({ code: "INVALID_REQUEST", field: "amount" });
    expect(await listPayments(service, payer.accountId)).toEqual([]);
  });

  it("a network that is not connected, and a token without the scope", async () => {
    const disconnected = await send(api, { network: "avalanche", to: createEvmAddress(), amount: "1" });
    expect(disconnected).toMatchObject({ code: "UNSUPPORTED_NETWORK" });
    const restricted = await openSender({ token: { scopes: ["payments:sign"] } });
    expect(await send(restricted.api, { to: createEvmAddress(), amount: "1" })).toMatchObject({ code: "FORBIDDEN" });
  });

  it("the 31st transfer in a minute", async () => {
    const { payer: busy, api: own } = await openSender();
    const to = createEvmAddress();
    const results = [];
    for (let n = 0; n < 3; n++) {
      const batch = Array.from({ length: n === 2 ? 11 : 10 }, () => send(own, { to, amount: "0.000001" }));
      results.push(...(await Promise.all(batch)));
    }
    const rejected = results.filter(({ __typename }) => __typename !== "SendTokensSuccess");
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ code: "RATE_LIMITED" });
    expect(rejected[0].retryAfterMs).toBeGreaterThan(0);
    const rows = await listPayments(service, busy.accountId);
    expect(rows).toHaveLength(30);
    for (const { id } of rows) await waitUntilSettled(service, id);
    expect(await readUsdcBalance(sandbox.networks["base-sepolia"] as SandboxNetwork, to)).toBe(30n);
    expect(await auditLedger(service.deps.db)).toEqual([]);
  });
});
