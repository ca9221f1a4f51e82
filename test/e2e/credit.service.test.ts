/** Free credit pays first, as long as it covers the whole price; then the wallet does. Never both for one payment. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { payTo } from "../../sandbox/shop/requirements.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, apiOf } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { usdcOf } from "../support/usdc.ts";
import { paymentsOf, settled } from "./settle.ts";

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
  api = apiOf(service.baseUrl, payer.token);
  chain = sandbox.networks["base-sepolia"] as SandboxNetwork;
});
afterAll(async () => {
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

const priced = (atomic: bigint) => `${sandbox.shopUrl}/v1/price/${atomic}`;
const balances = async () => ({
  wallet: await usdcOf(chain, payer.evmAddress),
  treasury: await usdcOf(chain, treasury),
  shop: await usdcOf(chain, payTo("base-sepolia")),
});
const creditLeft = async () =>
  (await api.graphql("{ viewer { wallet { creditUsd } } }")).json.data.viewer.wallet.creditUsd;

it("lets the treasury sign while credit covers the whole price", async () => {
  const before = await balances();
  const { json } = await api.sign(priced(3_000_000n));
  expect(json).toMatchObject({ success: true, paidFromCredit: true, amountPaid: 3, userWallet: payer.evmAddress });
  expect(json.signingWallet).toBe(treasury);
  expect(json.signingWallet).not.toBe(json.userWallet);
  expect(json.paymentProof.payload.authorization.from).toBe(treasury);
  const served = await fetch(priced(3_000_000n), { headers: { "x-payment": json.paymentHeader } });
  expect(served.status).toBe(200);
  expect(await settled(service, json.paymentId)).toMatchObject({ paidFromCredit: true, settledMicroUsd: 3_000_000n });
  const after = await balances();
  expect(after).toEqual({ ...before, treasury: before.treasury - 3_000_000n, shop: before.shop + 3_000_000n });
  expect(await creditLeft()).toBe("2.00");
});

it("turns to the wallet when credit does not cover it all, and leaves the credit alone", async () => {
  const before = await balances();
  const answer = await api.fetch(priced(2_000_001n));
  expect(answer.status).toBe(200);
  const row = await settled(service, answer.headers.get("x-satchel-payment-id") ?? "");
  expect(row).toMatchObject({ paidFromCredit: false, settledMicroUsd: 2_000_001n });
  const after = await balances();
  expect(after).toEqual({ ...before, wallet: before.wallet - 2_000_001n, shop: before.shop + 2_000_001n });
  expect(await creditLeft()).toBe("2.00");
});

it("does not add credit and wallet up: what neither covers alone is refused with the figures", async () => {
  const before = await paymentsOf(service, payer.accountId);
  // 2.00 of credit and 1.999999 in the wallet.
  const { status, json } = await api.fetch(priced(3_000_000n));
  expect([status, json.error]).toEqual([402, "insufficient_balance"]);
  expect(json).toMatchObject({ remaining: 1.999999, required: 3, network: "base-sepolia" });
  expect(await paymentsOf(service, payer.accountId)).toEqual(before);
});

it("spends the last of the credit exactly, then the wallet again", async () => {
  const last = await api.fetch(priced(2_000_000n));
  expect(await settled(service, last.headers.get("x-satchel-payment-id") ?? "")).toMatchObject({
    paidFromCredit: true,
  });
  expect(await creditLeft()).toBe("0.00");
  const next = await api.fetch(priced(1n));
  expect(await settled(service, next.headers.get("x-satchel-payment-id") ?? "")).toMatchObject({
    paidFromCredit: false,
  });
  expect(await auditLedger(service.deps.db)).toEqual([]);
});
