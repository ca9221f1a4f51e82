// @module-tag postgresql
/** The main use case: an agent pays each kind of seller on each network, and exactly the required amount is transferred. */
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { NETWORK_NAMES } from "../../sandbox/networks.ts";
import { payTo } from "../../sandbox/seller/requirements.ts";
import { PAID_RESOURCES, type PaidResource } from "../../sandbox/seller/resources.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, createApiClient, fetchRequirements } from "../support/api.ts";
import { findChainDifferences } from "../support/chain-differences.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { didSucceed, readUsdcBalance } from "../support/usdc.ts";
import { listPayments, waitUntilSettled } from "./reconcile.ts";

/** Default charge of sellers with the scheme `upto`. */
const UPTO_CHARGE_ATOMIC = 12_000n;
const FUNDS_ATOMIC = 10_000_000n;

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let api: Api;
let subscriptions: Client;
const updates: { id: string; status: string; txHash: string | null }[] = [];

beforeAll(async () => {
  sandbox = await openSandbox(NETWORK_NAMES);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  // The treasury pays for the revocation of permits.
  await satchel.fundTreasury(0n);
  service = await satchel.open();
  payer = await satchel.payer({ usdcAtomic: FUNDS_ATOMIC });
  api = createApiClient(service.baseUrl, payer.token);
  subscriptions = createClient({
    url: `${service.baseUrl.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": payer.token },
    lazy: false,
  });
  subscriptions.subscribe<{ transactionUpdated: { transaction: Update } }>(
    { query: "subscription { transactionUpdated { transaction { transactionId status txHash } } }" },
    {
      next({ data }) {
        const row = data?.transactionUpdated.transaction;
        if (row) updates.push({ id: row.transactionId, status: row.status, txHash: row.txHash });
      },
      error: () => {},
      complete: () => {},
    },
  );
});
afterAll(async () => {
  await subscriptions?.dispose();
  await service?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

interface Update {
  readonly transactionId: string;
  readonly status: string;
  readonly txHash: string | null;
}

/** Paid resources: each combination of network, scheme, version and chain identifier once. */
const resources = PAID_RESOURCES.filter(
  ({ path, priceAtomic }) => typeof priceAtomic === "bigint" && path.split("/").length > 3,
).map(
  (resource) =>
    [`${resource.scheme} on ${resource.network}, version ${resource.x402Version}, ${resource.path}`, resource] as const,
);
const findWallet = (resource: PaidResource) =>
  resource.network.startsWith("solana") ? payer.solanaAddress : payer.evmAddress;
const findChain = (resource: PaidResource) => sandbox.networks[resource.network] as SandboxNetwork;
const findCharge = (resource: PaidResource) =>
  resource.scheme === "upto" ? UPTO_CHARGE_ATOMIC : (resource.priceAtomic as bigint);
const readBalances = (resource: PaidResource) =>
  Promise.all([
    readUsdcBalance(findChain(resource), findWallet(resource)),
    readUsdcBalance(findChain(resource), payTo(resource.network)),
  ]);

/** Asserts that ledger, chain and subscription match the amount that the seller required. */
async function assertPaid(resource: PaidResource, transactionId: string, before: [bigint, bigint]): Promise<void> {
  const row = await waitUntilSettled(service, transactionId);
  const charge = findCharge(resource);
  const after = await readBalances(resource);
  expect([before[0] - after[0], after[1] - before[1]]).toEqual([charge, charge]);
  expect(row).toMatchObject({
    network: resource.network,
    scheme: resource.scheme,
    paidFromCredit: false,
    settledMicroUsd: charge,
  });
  expect(row.settledAtomic?.toFixed(0)).toBe(String(charge));
  expect(await didSucceed(findChain(resource), row.txHash ?? "")).toBe(true);
  await vi.waitFor(() => expect(updates).toContainEqual({ id: row.id, status: "SETTLED", txHash: row.txHash }), {
    timeout: 20_000,
  });
  expect(updates).toContainEqual({ id: row.id, status: "SIGNED", txHash: null });
}

describe.each(resources)("%s", (_name, resource) => {
  it("is paid by signing, with the payment attached by the caller", async () => {
    const before = await readBalances(resource);
    const url = sandbox.shopUrl + resource.path;
    const { status, json } = await api.sign(url);
    expect(json).toMatchObject({
      success: true,
      network: resource.network,
      scheme: resource.scheme,
      amountPaid: Number(resource.priceAtomic) / 1e6,
      userWallet: findWallet(resource),
      signingWallet: findWallet(resource),
      paidFromCredit: false,
      headerName: resource.x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE",
    });
    expect(status).toBe(200);
    const sellerResponse = await fetch(url, { headers: { [json.headerName]: json.paymentHeader } });
    expect([sellerResponse.status, await sellerResponse.text()]).toEqual([200, expect.stringMatching(/^\{/)]);
    const { transaction } = readReceipt(sellerResponse.headers);
    await assertPaid(resource, json.paymentId, before);
    const [row] = (await listPayments(service, payer.accountId)).slice(-1);
    expect(row?.txHash).toBe(transaction);
  });

  it("is paid by the proxy", async () => {
    const before = await readBalances(resource);
    const response = await api.fetch(sandbox.shopUrl + resource.path);
    expect([response.status, typeof response.json]).toEqual([200, "object"]);
    expect(Number(response.headers.get("x-satchel-amount-paid"))).toBe(Number(resource.priceAtomic) / 1e6);
    const id = response.headers.get("x-satchel-payment-id") ?? "";
    await assertPaid(resource, id, before);
    const row = await service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
    expect(readReceipt(response.headers).transaction).toBe(row.txHash);
  });
});

it("sends the caller's JSON body to sellers of both protocol versions", async () => {
  for (const version of ["v1", "v2"]) {
    const url = `${sandbox.shopUrl}/${version}/echo`;
    const response = await fetch(
      `${service.baseUrl}/api/x402/fetch?method=POST&maxValue=10000&url=${encodeURIComponent(url)}`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${payer.token}`, "content-type": "application/json" },
        body: '{"question":"Where?"}',
      },
    );
    expect([response.status, await response.json()]).toEqual([
      200,
      { method: "POST", query: {}, body: { question: "Where?" } },
    ]);
    await waitUntilSettled(service, response.headers.get("x-satchel-payment-id") ?? "");
  }
});

it("returns the price before payment, and the reason against each other offer", async () => {
  const before = await listPayments(service, payer.accountId);
  const { json } = await api.graphql(
    `query ($url: Url!) { x402Requirements(url: $url) { ... on X402RequirementsSuccess {
      status free chosen { network amount { atomic symbol } } offers { chosen refusal explanation } } } }`,
    { url: `${sandbox.shopUrl}/multi` },
  );
  const { chosen, free, offers } = json.data.x402Requirements;
  expect([free, chosen]).toEqual([false, { network: "base", amount: { atomic: "15000", symbol: "USDC" } }]);
  const required = (await fetchRequirements(`${sandbox.shopUrl}/multi`)) as { accepts: unknown[] };
  expect(offers).toHaveLength(required.accepts.length);
  expect(offers.filter((offer: { chosen: boolean }) => offer.chosen)).toHaveLength(1);
  expect(await listPayments(service, payer.accountId)).toEqual(before);
});

it("leaves a ledger that matches its counters and every chain", async () => {
  const rows = await listPayments(service, payer.accountId);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["settled"]));
  expect(await auditLedger(service.deps.db)).toEqual([]);
  for (const [name, chain] of Object.entries(sandbox.networks)) {
    const spent = rows
      .filter(({ network }) => network === name)
      .reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
    const wallet = name.startsWith("solana") ? payer.solanaAddress : payer.evmAddress;
    expect(FUNDS_ATOMIC - (await readUsdcBalance(chain, wallet)), name).toBe(spent);
  }
});

function readReceipt(headers: Headers): { transaction: string } {
  const header = headers.get("x-payment-response") ?? headers.get("payment-response") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString() || "{}");
}

it("leaves transfers on chain that agree with the ledger", async () => {
  expect(await findChainDifferences(service.deps)).toEqual([]);
  expect(await service.deps.db.prisma.chainTransfer.count({ where: { transactionId: { not: null } } })).toBeGreaterThan(
    10,
  );
});
