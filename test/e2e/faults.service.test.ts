// @module-tag postgresql
/** Sellers that fail after settlement, forge receipts or charge again: one authorization each, and the chain decides the cost. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, createApiClient, fetchRequirements, type TestResponse } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { advanceChainTime, didSucceed, readUsdcBalance } from "../support/usdc.ts";
import { listPayments, reconcileNow, waitUntilSettled } from "./reconcile.ts";

const FUNDS = 10_000_000n;
const PRICE = 10_000n;
/** Longer than the validity of any authorization plus the clock tolerance of the chain. */
const EXPIRY_SECONDS = 4_000;

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let api: Api;
let chain: SandboxNetwork;
let receiptForger: Server;
let receiptForgerUrl: string;
let realHash = "";

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  chain = sandbox.networks["base-sepolia"] as SandboxNetwork;
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  service = await satchel.open();
  payer = await satchel.payer({ usdcAtomic: FUNDS });
  api = createApiClient(service.baseUrl, payer.token);
  // Retains the payment and returns the receipt of another one.
  const bill = await fetchRequirements(`${sandbox.shopUrl}/v1/weather`);
  receiptForger = createServer(({ headers }, response) => {
    const receipt = { success: true, transaction: realHash, network: "base-sepolia", payer: payer.evmAddress };
    const header = Buffer.from(JSON.stringify(receipt)).toString("base64");
    if (!headers["x-payment"])
      response.writeHead(402, { "content-type": "application/json" }).end(JSON.stringify(bill));
    else response.writeHead(200, { "x-payment-response": header }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(receiptForger, "listening");
  receiptForgerUrl = `http://127.0.0.1:${(receiptForger.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  receiptForger?.close();
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

/** [fault, status, error, whether a transfer occurs] */
const faults: [path: string, status: number, error: string | undefined, isTransferred: boolean][] = [
  ["settles-then-500", 500, "Out of order", true],
  ["settles-then-500-once", 200, undefined, true],
  ["settles-then-drops", 500, "target_unreachable", true],
  ["settles-then-drops-once", 200, undefined, true],
  ["settles-then-hangs", 500, "target_timeout", true],
  ["settles-then-402", 402, "insufficient_funds", true],
  ["no-receipt", 200, undefined, true],
  ["slow?ms=300", 200, undefined, true],
  ["large-headers", 500, "target_response_invalid", true],
  ["402-again", 402, "invalid_payment", false],
  ["402-dearer", 402, "price_changed", false],
  ["false-hash", 200, undefined, false],
  ["hangs", 500, "target_timeout", false],
  ["redirect-elsewhere", 200, undefined, false],
  ["redirect-private", 500, "target_response_invalid", false],
  ["redirect-loop", 500, "target_response_invalid", false],
];

describe("every fault", () => {
  const responses = new Map<string, TestResponse>();
  beforeAll(async () => {
    const calls = faults.map(async ([path]) => {
      responses.set(path, await api.fetch(`${sandbox.shopUrl}/fault/${path}`, { timeout: 4_000 }));
    });
    await Promise.all(calls);
    await reconcileNow(service);
  });

  it.each(faults)(
    "%s: signs one authorization, and the ledger records whether it was settled",
    async (path, status, error, isTransferred) => {
      const response = responses.get(path) as TestResponse;
      expect([response.status, response.json?.error]).toEqual([status, error]);
      const { distinctPayments } = await sandbox.observed(`/fault/${path.split("?")[0]}`);
      expect(distinctPayments).toHaveLength(1);
      const id = response.headers.get("x-satchel-payment-id") ?? response.json.paymentId;
      if (!isTransferred) {
        const row = await service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
        expect([row.status, row.txHash]).toEqual(["signed", null]);
        return;
      }
      const row = await waitUntilSettled(service, id);
      expect(row.settledMicroUsd).toBe(PRICE);
      expect(await didSucceed(chain, row.txHash ?? "")).toBe(true);
    },
  );

  it("sends no payment or token to another origin", async () => {
    const { requests } = await sandbox.observed("elsewhere:/elsewhere");
    expect(requests.length).toBeGreaterThan(0);
    for (const { payment, headerNames } of requests) {
      expect(payment).toBeNull();
      expect(headerNames).not.toEqual(expect.arrayContaining(["x-service-token"]));
    }
  });

  it.each([
    ["foreign-spender", "spender_not_pinned"],
    ["wrong-domain", "domain_mismatch"],
  ])("%s: rejects before signing", async (path, refusal) => {
    const before = (await listPayments(service, payer.accountId)).length;
    const { status, json } = await api.fetch(`${sandbox.shopUrl}/fault/${path}`);
    expect([status, json.error, json.considered[0].refusal]).toEqual([402, "no_acceptable_requirement", refusal]);
    expect((await sandbox.observed(`/fault/${path}`)).distinctPayments).toEqual([]);
    expect(await listPayments(service, payer.accountId)).toHaveLength(before);
  });

  it("does not settle a payment by the receipt of another one", async () => {
    realHash = (await listPayments(service, payer.accountId)).find(({ txHash }) => txHash !== null)?.txHash ?? "";
    expect(await didSucceed(chain, realHash)).toBe(true);
    const response = await api.fetch(receiptForgerUrl);
    expect(response.status).toBe(200);
    await reconcileNow(service);
    const id = response.headers.get("x-satchel-payment-id") ?? "";
    const row = await service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: "signed", txHash: null, claimedTxHash: realHash });
  });
});

describe("an Idempotency-Key", () => {
  const createKeyHeader = (key: string) => ({ "idempotency-key": key });
  const countPayments = async () => (await listPayments(service, payer.accountId)).length;

  it("replays a paid response over REST and GraphQL and pays once", async () => {
    const url = `${sandbox.shopUrl}/v1/price/777`;
    const before = await countPayments();
    const first = await api.fetch(url, {}, createKeyHeader("paid-1"));
    const again = await api.fetch(url, {}, createKeyHeader("paid-1"));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("x-satchel-payment-id")).toBe(first.headers.get("x-satchel-payment-id"));
    const query = `mutation ($url: Url!, $key: String) { x402Fetch(input: { url: $url, idempotencyKey: $key }) {
      __typename ... on X402FetchSuccess { text payment { transactionId } } ... on Error { code message } } }`;
    const { json } = await api.graphql(query, { url, key: "paid-1" });
    expect(json.data.x402Fetch).toMatchObject({
      text: first.text,
      payment: { transactionId: first.headers.get("x-satchel-payment-id") },
    });
    expect((await sandbox.observed("/v1/price/777")).distinctPayments).toHaveLength(1);
    expect(await countPayments()).toBe(before + 1);
  });

  it("is rejected for another request without a payment", async () => {
    const before = await countPayments();
    await api.fetch(`${sandbox.shopUrl}/v1/price/778`, {}, createKeyHeader("reused-1"));
    const other = await api.fetch(`${sandbox.shopUrl}/v1/price/779`, {}, createKeyHeader("reused-1"));
    expect([other.status, other.json.error]).toEqual([422, "idempotency_key_reused"]);
    const otherBody = await api.fetch(
      `${sandbox.shopUrl}/v1/price/778`,
      { maxValue: 1_000 },
      createKeyHeader("reused-1"),
    );
    expect(otherBody.json.error).toBe("idempotency_key_reused");
    const signed = await api.sign(`${sandbox.shopUrl}/v1/price/778`, undefined, createKeyHeader("reused-1"));
    expect(signed.json.error).toBe("idempotency_key_reused");
    expect((await sandbox.observed("/v1/price/779")).requests).toEqual([]);
    expect(await countPayments()).toBe(before + 1);
  });

  it("resends the same authorization to a seller that dropped the connection", async () => {
    const url = `${sandbox.shopUrl}/fault/settles-then-drops?again`;
    const first = await api.fetch(url, { timeout: 2_000 }, createKeyHeader("dropped-1"));
    const again = await api.fetch(url, { timeout: 2_000 }, createKeyHeader("dropped-1"));
    expect([first.json.error, again.json.error]).toEqual(["target_unreachable", "target_unreachable"]);
    expect(again.json.paymentId).toBe(first.json.paymentId);
    // One from the table above and one from this test.
    expect((await sandbox.observed("/fault/settles-then-drops")).distinctPayments).toHaveLength(2);
    expect((await waitUntilSettled(service, first.json.paymentId)).settledMicroUsd).toBe(PRICE);
  });

  it("is reusable after a rejection", async () => {
    const url = `${sandbox.shopUrl}/v1/price/780`;
    const rejected = await api.fetch(url, { maxValue: 779 }, createKeyHeader("refused-1"));
    expect(rejected.json.error).toBe("max_value_exceeded");
    expect((await api.fetch(url, { maxValue: 780 }, createKeyHeader("refused-1"))).status).toBe(200);
  });

  it("pays once for 50 concurrent fetches", async () => {
    const url = `${sandbox.shopUrl}/v1/price/781`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => api.fetch(url, {}, createKeyHeader("crowd-1"))),
    );
    const paid = responses.filter(({ status }) => status === 200);
    expect(paid.length).toBeGreaterThan(0);
    for (const { status, json } of responses.filter((response) => response.status !== 200)) {
      expect([status, json.error]).toEqual([409, "idempotency_in_flight"]);
    }
    expect((await sandbox.observed("/v1/price/781")).distinctPayments).toHaveLength(1);
  });
});

// Advances the chain's clock, so no payment is possible afterwards.
it("releases expired authorizations and retains settled ones", async () => {
  await reconcileNow(service);
  const before = await listPayments(service, payer.accountId);
  const open = before.filter(({ status }) => status === "signed").map(({ id }) => id);
  expect(open.length).toBeGreaterThanOrEqual(8);
  await advanceChainTime(chain, EXPIRY_SECONDS);
  await reconcileNow(service);
  const after = await listPayments(service, payer.accountId);
  expect(after.filter(({ id }) => open.includes(id)).map(({ status }) => status)).toEqual(open.map(() => "released"));
  const spent = after
    .filter(({ status }) => status === "settled")
    .reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
  expect(FUNDS - (await readUsdcBalance(chain, payer.evmAddress))).toBe(spent);
  const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
  expect(budget.dayUsedMicroUsd).toBe(spent);
  expect(await auditLedger(service.deps.db)).toEqual([]);
  // A second reconciliation changes nothing.
  await reconcileNow(service);
  expect(await listPayments(service, payer.accountId)).toEqual(after);
});
