// @module-tag postgresql
/** The main job: an agent pays each kind of shop on each network, and the money moves by exactly what was asked. */
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { NETWORK_NAMES } from "../../sandbox/networks.ts";
import { payTo } from "../../sandbox/shop/requirements.ts";
import { WARES, type Ware } from "../../sandbox/shop/resources.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, apiOf, requirementsOf } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { didSucceed, usdcOf } from "../support/usdc.ts";
import { paymentsOf, settled } from "./settle.ts";

/** What `upto` shops charge when nothing else is asked for. */
const UPTO_CHARGE_ATOMIC = 12_000n;
const FUNDS_ATOMIC = 10_000_000n;

let sandbox: TestSandbox;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let api: Api;
let subscriptions: Client;
const seen: { id: string; status: string; txHash: string | null }[] = [];

beforeAll(async () => {
  sandbox = await openSandbox(NETWORK_NAMES);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  service = await satchel.open();
  payer = await satchel.payer({ usdcAtomic: FUNDS_ATOMIC });
  api = apiOf(service.baseUrl, payer.token);
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
        if (row) seen.push({ id: row.transactionId, status: row.status, txHash: row.txHash });
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

/** Of everything sold: each network, scheme, version and way of naming the chain once. */
const wares = WARES.filter(
  ({ path, priceAtomic }) => typeof priceAtomic === "bigint" && path.split("/").length > 3,
).map((ware) => [`${ware.scheme} on ${ware.network}, version ${ware.x402Version}, ${ware.path}`, ware] as const);
const walletOf = (ware: Ware) => (ware.network.startsWith("solana") ? payer.solanaAddress : payer.evmAddress);
const chainOf = (ware: Ware) => sandbox.networks[ware.network] as SandboxNetwork;
const chargeOf = (ware: Ware) => (ware.scheme === "upto" ? UPTO_CHARGE_ATOMIC : (ware.priceAtomic as bigint));
const balancesOf = (ware: Ware) =>
  Promise.all([usdcOf(chainOf(ware), walletOf(ware)), usdcOf(chainOf(ware), payTo(ware.network))]);

/** Holds what the ledger, the chain and the subscription say against what the shop asked for. */
async function expectPaid(ware: Ware, transactionId: string, before: [bigint, bigint]): Promise<void> {
  const row = await settled(service, transactionId);
  const charge = chargeOf(ware);
  const after = await balancesOf(ware);
  expect([before[0] - after[0], after[1] - before[1]]).toEqual([charge, charge]);
  expect(row).toMatchObject({
    network: ware.network,
    scheme: ware.scheme,
    paidFromCredit: false,
    settledMicroUsd: charge,
  });
  expect(row.settledAtomic?.toFixed(0)).toBe(String(charge));
  expect(await didSucceed(chainOf(ware), row.txHash ?? "")).toBe(true);
  await vi.waitFor(() => expect(seen).toContainEqual({ id: row.id, status: "settled", txHash: row.txHash }), {
    timeout: 20_000,
  });
  expect(seen).toContainEqual({ id: row.id, status: "signed", txHash: null });
}

describe.each(wares)("%s", (_name, ware) => {
  it("is paid by signing, the caller attaching the payment itself", async () => {
    const before = await balancesOf(ware);
    const url = sandbox.shopUrl + ware.path;
    const { status, json } = await api.sign(url);
    expect(json).toMatchObject({
      success: true,
      network: ware.network,
      scheme: ware.scheme,
      amountPaid: Number(ware.priceAtomic) / 1e6,
      userWallet: walletOf(ware),
      signingWallet: walletOf(ware),
      paidFromCredit: false,
      headerName: ware.x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE",
    });
    expect(status).toBe(200);
    const served = await fetch(url, { headers: { [json.headerName]: json.paymentHeader } });
    expect([served.status, await served.text()]).toEqual([200, expect.stringMatching(/^\{/)]);
    const { transaction } = receiptIn(served.headers);
    await expectPaid(ware, json.paymentId, before);
    const [row] = (await paymentsOf(service, payer.accountId)).slice(-1);
    expect(row?.txHash).toBe(transaction);
  });

  it("is paid by the proxy", async () => {
    const before = await balancesOf(ware);
    const answer = await api.fetch(sandbox.shopUrl + ware.path);
    expect([answer.status, typeof answer.json]).toEqual([200, "object"]);
    expect(Number(answer.headers.get("x-satchel-amount-paid"))).toBe(Number(ware.priceAtomic) / 1e6);
    const id = answer.headers.get("x-satchel-payment-id") ?? "";
    await expectPaid(ware, id, before);
    const row = await service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
    expect(receiptIn(answer.headers).transaction).toBe(row.txHash);
  });
});

it("sends the caller's JSON body to both kinds of shop", async () => {
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
    await settled(service, response.headers.get("x-satchel-payment-id") ?? "");
  }
});

it("tells a price before it is paid, and why the other offers lose", async () => {
  const before = await paymentsOf(service, payer.accountId);
  const { json } = await api.graphql(
    `query ($url: Url!) { x402Requirements(url: $url) { ... on X402RequirementsSuccess {
      status free chosen { network amountAtomic } offers { chosen refusal explanation } } } }`,
    { url: `${sandbox.shopUrl}/multi` },
  );
  const { chosen, free, offers } = json.data.x402Requirements;
  expect([free, chosen]).toEqual([false, { network: "base", amountAtomic: "15000" }]);
  const asked = (await requirementsOf(`${sandbox.shopUrl}/multi`)) as { accepts: unknown[] };
  expect(offers).toHaveLength(asked.accepts.length);
  expect(offers.filter((offer: { chosen: boolean }) => offer.chosen)).toHaveLength(1);
  expect(await paymentsOf(service, payer.accountId)).toEqual(before);
});

it("leaves a ledger that agrees with its counters and with every chain", async () => {
  const rows = await paymentsOf(service, payer.accountId);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["settled"]));
  expect(await auditLedger(service.deps.db)).toEqual([]);
  for (const [name, chain] of Object.entries(sandbox.networks)) {
    const spent = rows
      .filter(({ network }) => network === name)
      .reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
    const wallet = name.startsWith("solana") ? payer.solanaAddress : payer.evmAddress;
    expect(FUNDS_ATOMIC - (await usdcOf(chain, wallet)), name).toBe(spent);
  }
});

function receiptIn(headers: Headers): { transaction: string } {
  const header = headers.get("x-payment-response") ?? headers.get("payment-response") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString() || "{}");
}
