/** Free credit pays first while it covers the whole price, then the wallet. A payment never uses both. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { payTo } from "../../sandbox/seller/requirements.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, createApiClient } from "../support/api.ts";
import { findChainDifferences } from "../support/chain-differences.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { readUsdcBalance } from "../support/usdc.ts";
import { listPayments, waitUntilSettled } from "./reconcile.ts";

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let treasury: string;
let api: Api;
let chain: SandboxNetwork;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  service = await satchel.open();
  treasury = await satchel.fundTreasury(50_000_000n);
  payer = await satchel.payer({ creditMicroUsd: 5_000_000n, usdcAtomic: 4_000_000n });
  api = createApiClient(service.baseUrl, payer.token);
  chain = sandbox.networks["base-sepolia"] as SandboxNetwork;
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

const createUrl = (atomic: bigint) => `${sandbox.shopUrl}/v1/price/${atomic}`;
const readBalances = async () => ({
  wallet: await readUsdcBalance(chain, payer.evmAddress),
  treasury: await readUsdcBalance(chain, treasury),
  seller: await readUsdcBalance(chain, payTo("base-sepolia")),
});
const readCredit = async () =>
  (await api.graphql("{ viewer { wallet { creditUsd } } }")).json.data.viewer.wallet.creditUsd;

it("lets the treasury sign while credit covers the whole price", async () => {
  const before = await readBalances();
  const { json } = await api.sign(createUrl(3_000_000n));
  expect(json).toMatchObject({ success: true, paidFromCredit: true, amountPaid: 3, userWallet: payer.evmAddress });
  expect(json.signingWallet).toBe(treasury);
  expect(json.signingWallet).not.toBe(json.userWallet);
  expect(json.paymentProof.payload.authorization.from).toBe(treasury);
  const sellerResponse = await fetch(createUrl(3_000_000n), { headers: { "x-payment": json.paymentHeader } });
  expect(sellerResponse.status).toBe(200);
  expect(await waitUntilSettled(service, json.paymentId)).toMatchObject({
    paidFromCredit: true,
    settledMicroUsd: 3_000_000n,
  });
  const after = await readBalances();
  expect(after).toEqual({ ...before, treasury: before.treasury - 3_000_000n, seller: before.seller + 3_000_000n });
  expect(await readCredit()).toBe("2.00");
});

it("uses only the wallet when credit does not cover the whole price", async () => {
  const before = await readBalances();
  const response = await api.fetch(createUrl(2_000_001n));
  expect(response.status).toBe(200);
  const row = await waitUntilSettled(service, response.headers.get("x-satchel-payment-id") ?? "");
  expect(row).toMatchObject({ paidFromCredit: false, settledMicroUsd: 2_000_001n });
  const after = await readBalances();
  expect(after).toEqual({ ...before, wallet: before.wallet - 2_000_001n, seller: before.seller + 2_000_001n });
  expect(await readCredit()).toBe("2.00");
});

it("does not combine credit and wallet, and rejects a price above both with the figures", async () => {
  const before = await listPayments(service, payer.accountId);
  // 2.00 of credit and 1.999999 in the wallet.
  const { status, json } = await api.fetch(createUrl(3_000_000n));
  expect([status, json.error]).toEqual([402, "insufficient_balance"]);
  expect(json).toMatchObject({ remaining: 1.999999, required: 3, network: "base-sepolia" });
  expect(await listPayments(service, payer.accountId)).toEqual(before);
});

it("spends the remaining credit exactly, then uses the wallet", async () => {
  const last = await api.fetch(createUrl(2_000_000n));
  expect(await waitUntilSettled(service, last.headers.get("x-satchel-payment-id") ?? "")).toMatchObject({
    paidFromCredit: true,
  });
  expect(await readCredit()).toBe("0.00");
  const next = await api.fetch(createUrl(1n));
  expect(await waitUntilSettled(service, next.headers.get("x-satchel-payment-id") ?? "")).toMatchObject({
    paidFromCredit: false,
  });
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

it("leaves transfers of wallet and treasury on chain that agree with the ledger", async () => {
  expect(await findChainDifferences(service.deps)).toEqual([]);
});
