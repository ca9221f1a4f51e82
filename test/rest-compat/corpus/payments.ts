/** Payments through the proxy, signed payments and purchase tokens. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { signLoginToken } from "../../../src/accounts/login-token.ts";
import { MAX_IN_FLIGHT } from "../../../src/platform/egress/in-flight-limit.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import type { TestAccount } from "../../support/stack.ts";
import { createScopedAccount, exhaust, recordEvent, reopenKey, type Scenario } from "./scenario.ts";

const SIGN = "POST /api/sign-payment";
const FETCH = "POST /api/x402/fetch";
const CREATE = "POST /api/purchase-token/create";

export async function recordPayments(scenario: Scenario): Promise<void> {
  const { stack } = scenario;
  const seller = stack.sandbox.shopUrl;
  const account = await stack.account();
  await stack.fund(account, "5000000");
  await recordSigning(scenario, account, seller);
  await recordProxy(scenario, account, seller);
  await recordPurchaseTokens(scenario, account, seller);
  await recordLedger(scenario);
  await recordDeclinedPayments(scenario);
}

async function readRequirements(url: string): Promise<{ accepts: Record<string, unknown>[] }> {
  return (await (await fetch(url)).json()) as { accepts: Record<string, unknown>[] };
}

/** Replaces the facilitator of a permit by an unknown one. */
function replaceAddresses(extra: unknown): unknown {
  return JSON.parse(JSON.stringify(extra).replaceAll(/0x[0-9a-fA-F]{40}/g, `0x${"9a".repeat(20)}`));
}

async function recordSigning(
  { stack, send, bare, sendToBare }: Scenario,
  { token, ...account }: TestAccount,
  seller: string,
) {
  const url = `${seller}/v1/weather`;
  const paymentRequirements = await readRequirements(url);
  const [offer = {}] = paymentRequirements.accepts;
  const body = { paymentRequirements, requestData: { url, method: "GET" } };
  await send(SIGN, "200 exact, from credit", { token, body });
  const key = { "idempotency-key": "signed-once" };
  await send(SIGN, "200 with a key", { token, body, headers: key });
  await send(SIGN, "422 another request with the key", {
    token,
    body: { ...body, requestData: { url: `${seller}/v1/echo` } },
    headers: key,
  });
  await reopenKey(stack, account, key["idempotency-key"]);
  await send(SIGN, "409 the key's first request is in flight", { token, body, headers: key });
  const uptoUrl = `${seller}/v1/upto/base-sepolia`;
  const upto = { paymentRequirements: await readRequirements(uptoUrl), requestData: { url: uptoUrl } };
  await send(SIGN, "200 upto, from the wallet", { token, body: upto });
  await send(SIGN, "409 a permit is outstanding", { token, body: upto });
  const version2 = await fetch(`${seller}/v2/weather`);
  const required = JSON.parse(Buffer.from(version2.headers.get("payment-required") ?? "", "base64").toString());
  await send(SIGN, "200 version 2", {
    token,
    body: { paymentRequirements: required, requestData: { url: `${seller}/v2/weather` } },
  });
  await send(SIGN, "400 no body", { token });
  await send(SIGN, "400 not JSON", { token, body: "{", headers: { "content-type": "application/json" } });
  await send(SIGN, "400 text", { token, body: "{}", headers: { "content-type": "text/plain" } });
  await send(SIGN, "400 no url", { token, body: { paymentRequirements, requestData: {} } });
  const malformed = { ...paymentRequirements, accepts: [{ ...offer, maxAmountRequired: -1 }] };
  await send(SIGN, "400 malformed amount", { token, body: { ...body, paymentRequirements: malformed } });
  await send(SIGN, "413 too large", {
    token,
    body: JSON.stringify({ fill: "x".repeat(2 ** 20) }),
    headers: { "content-type": "application/json" },
  });
  const narrow = await stack.account({ token: { allowedHosts: ["merchant.example"] } });
  await send(SIGN, "403 allowed hosts", { token: narrow.token, body });
  const scoped = await createScopedAccount(stack, []);
  await send(SIGN, "403 scope", { token: scoped.token, body });
  const off = await stack.account({ x402: false });
  await send(SIGN, "400 X402 is not enabled", { token: off.token, body });
  for (const [period, limits] of [
    ["transaction", { perTransactionMicroUsd: 5_000n }],
    ["day", { dailyMicroUsd: 5_000n }],
    ["month", { monthlyMicroUsd: 5_000n }],
  ] as const) {
    const limited = await stack.account({ limits });
    await send(SIGN, `402 limit of a ${period}`, { token: limited.token, body });
  }
  const poor = await stack.account();
  const dear = { ...paymentRequirements, accepts: [{ ...offer, maxAmountRequired: "6000000" }] };
  await send(SIGN, "402 balance", { token: poor.token, body: { ...body, paymentRequirements: dear } });
  const { usdc } = NETWORKS.avalanche;
  const refusals = {
    "unsupported scheme": { scheme: "exotic" },
    "unsupported network": { network: "mars" },
    "network of no configuration": { network: "avalanche", asset: usdc.address, extra: usdc.domain },
    "another asset": { asset: `0x${"12".repeat(20)}` },
    "another domain": { extra: { name: "Coin", version: "9" } },
    "no recipient": { payTo: "nobody" },
    "no time": { maxTimeoutSeconds: 0 },
  };
  for (const [name, change] of Object.entries(refusals)) {
    const other = { ...paymentRequirements, accepts: [{ ...offer, ...change }] };
    await send(SIGN, `offer with ${name}`, { token, body: { ...body, paymentRequirements: other } });
  }
  const [uptoOffer = {}] = upto.paymentRequirements.accepts;
  const accepts = [
    { ...offer, maxAmountRequired: -1 },
    { ...uptoOffer, extra: replaceAddresses(uptoOffer["extra"]) },
    { ...offer, extra: { ...(offer["extra"] as object), assetTransferMethod: "other" } },
  ];
  await send(SIGN, "402 several offers", {
    token,
    body: { ...body, paymentRequirements: { ...paymentRequirements, accepts } },
  });
  await send(SIGN, "402 price above maxValue", { token, body: { ...body, maxValue: "9999" } });
  await send(SIGN, "400 maxValue", { token, body: { ...body, maxValue: "" } });
  const base = await stack.account({ token: { networks: ["base"] } });
  await send(SIGN, "402 network not allowed", { token: base.token, body });
  const payees = await stack.account({ token: { allowedPayees: [`0x${"34".repeat(20)}`] } });
  await send(SIGN, "402 payee not allowed", { token: payees.token, body });
  const offline = await bare.account();
  await bare.service.deps.db.prisma.credit.updateMany({ data: { availableMicroUsd: 0n } });
  await sendToBare(SIGN, "500 the network does not respond", { token: offline.token, body });
}

/** Starts a target of the proxy for the time of `use`. */
async function withTarget(respond: RequestListener, use: (url: string) => Promise<unknown>): Promise<void> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

async function recordProxy({ stack, send, bare, sendToBare, ...more }: Scenario, account: TestAccount, seller: string) {
  const { token } = account;
  const weather = `${seller}/v1/weather`;
  await send(FETCH, "200 paid from credit", { token, query: { url: weather } });
  await send(FETCH, "200 version 2", { token, query: { url: `${seller}/v2/weather`, method: "GET" } });
  await send(FETCH, "200 a body", { token, query: { url: `${seller}/v1/echo`, method: "POST" }, body: { n: 1 } });
  await send(FETCH, "200 free", { token, query: { url: `${seller}/free` } });
  const key = { "idempotency-key": "fetched-once" };
  await send(FETCH, "200 with a key", { token, query: { url: weather }, headers: key });
  await send(FETCH, "422 another request with the key", { token, query: { url: `${seller}/v1/echo` }, headers: key });
  await reopenKey(stack, account, key["idempotency-key"]);
  await send(FETCH, "409 the key's first request is in flight", { token, query: { url: weather }, headers: key });
  await withTarget(
    (_request, response) => void response.writeHead(418, { "content-type": "text/x-tea", "x-own": "1" }).end("short"),
    (url) => send(FETCH, "418 of the target", { token, query: { url, method: "PUT" }, body: { n: 1 } }),
  );
  await send(FETCH, "400 no url", { token });
  await send(FETCH, "400 unknown parameter", { token, query: { url: weather, max_value: 1 } });
  await send(FETCH, "400 method", { token, query: { url: weather, method: "TRACE" } });
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
    await withTarget(
      (request, response) => void response.writeHead(200, { "content-type": "text/plain" }).end(request.method),
      (url) => send(FETCH, `200 method ${method}`, { token, query: { url, method } }),
    );
  }
  await send(FETCH, "400 url not allowed", { token, query: { url: "http://10.0.0.1/" } });
  await send(FETCH, "400 body", { token, query: { url: weather }, body: "{" });
  await send(FETCH, "413 too large", {
    token,
    query: { url: weather },
    body: JSON.stringify({ fill: "x".repeat(10 * 2 ** 20) }),
    headers: { "content-type": "application/json" },
  });
  await send(FETCH, "402 above maxValue", { token, query: { url: weather, maxValue: 9_999 } });
  const limited = await stack.account({ limits: { perTransactionMicroUsd: 1n } });
  await send(FETCH, "402 limit", { token: limited.token, query: { url: weather } });
  await send(FETCH, "402 balance", { token: limited.token, query: { url: `${seller}/v1/price/9000000` } });
  const poor = await stack.account();
  await send(FETCH, "402 balance of the wallet", { token: poor.token, query: { url: `${seller}/v1/price/9000000` } });
  const base = await stack.account({ token: { networks: ["base"] } });
  await send(FETCH, "402 no acceptable offer", { token: base.token, query: { url: weather } });
  const narrow = await stack.account({ token: { allowedHosts: ["merchant.example"] } });
  await send(FETCH, "403 allowed hosts", { token: narrow.token, query: { url: weather } });
  const off = await stack.account({ x402: false });
  await send(FETCH, "400 X402 is not enabled", { token: off.token, query: { url: weather } });
  const permit = await stack.account();
  await stack.fund(permit, "1000000");
  const uptoUrl = `${seller}/v1/upto/base-sepolia`;
  const upto = { paymentRequirements: await readRequirements(uptoUrl), requestData: { url: uptoUrl } };
  await stack.rest(permit.token, "POST", "/api/sign-payment", upto);
  await send(FETCH, "409 a permit is outstanding", { token: permit.token, query: { url: uptoUrl } });
  const offline = await bare.account();
  await bare.service.deps.db.prisma.credit.updateMany({ data: { availableMicroUsd: 0n } });
  await sendToBare(FETCH, "500 the network does not respond", { token: offline.token, query: { url: weather } });
  let closed = "";
  await withTarget(
    () => {},
    async (url) => {
      closed = url;
    },
  );
  await send(FETCH, "500 unreachable", { token, query: { url: closed } });
  await withTarget(
    () => {},
    (url) => send(FETCH, "500 timeout", { token, query: { url, timeout: 100 } }),
  );
  await recordInFlightLimit();
  await send(FETCH, "500 invalid response", { token, query: { url: `${seller}/fault/malformed/truncated` } });
  await send(FETCH, "500 of a paid target", {
    token,
    query: { url: `${seller}/fault/settles-then-500`, timeout: 1_000 },
  });
  await recordEvent({ stack, send, bare, sendToBare, ...more }, await createPaid(), "payment.settled");

  async function recordInFlightLimit() {
    const arrived = Promise.withResolvers<void>();
    let count = 0;
    const hang = () => void (++count === MAX_IN_FLIGHT && arrived.resolve());
    await withTarget(hang, async (url) => {
      const leave = new AbortController();
      const headers = { "x-service-token": token };
      const address = `${stack.baseUrl}/api/x402/fetch?url=${encodeURIComponent(url)}`;
      const open = () => fetch(address, { method: "POST", headers, signal: leave.signal }).catch(() => {});
      const requests = Array.from({ length: MAX_IN_FLIGHT }, open);
      await arrived.promise;
      await send(FETCH, "429", { token, query: { url } });
      leave.abort();
      await Promise.all(requests);
    });
  }

  async function createPaid() {
    const once = await stack.account();
    await stack.rest(once.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(weather)}`);
    return once;
  }
}

async function recordPurchaseTokens({ stack, send }: Scenario, account: TestAccount, seller: string) {
  const body = { merchant_url: `${seller}/v1/weather`, network: "base-sepolia", max_amount_usd: 0.25 };
  const login = async ({ accountId }: TestAccount) => {
    const { token } = await signLoginToken(stack.service.deps, accountId, { lifetimeSeconds: 60 });
    return { authorization: `Bearer ${token}` };
  };
  const headers = await login(account);
  const created = await send(CREATE, "200 base-sepolia", { body, headers });
  for (const network of ["base", "solana", "solana-devnet"]) {
    await send(CREATE, `network ${network}`, { body: { ...body, network }, headers });
  }
  await send(CREATE, "400 network that is not configured", { body: { ...body, network: "avalanche" }, headers });
  await send(CREATE, "400 unknown network", { body: { ...body, network: "mars" }, headers });
  await send(CREATE, "400 amount", { body: { ...body, max_amount_usd: "1" }, headers });
  await send(CREATE, "400 no merchant", { body: { ...body, merchant_url: undefined }, headers });
  await send(CREATE, "413 too large", { body: { ...body, merchant_url: "x".repeat(2 ** 20) }, headers });
  await send(CREATE, "401 an API token", { body, token: account.token });
  const { token } = created.json;
  const url = body.merchant_url;
  await send(FETCH, "403 another URL than the purchase token's", { token, query: { url: `${seller}/v1/echo` } });
  await send(FETCH, "200 with a purchase token", { token, query: { url } });
  await send(FETCH, "401 a used purchase token", { token, query: { url } });
  await exhaust(stack, "purchase_token", account.accountId, 30).catch(() => {});
  await send(CREATE, "429", { body, headers });
}

const TYPES = ["x402", "trade", "transfer", "credit", "gateway", "deposit"] as const;
const STATUSES = ["reserved", "signed", "settled", "released", "failed"] as const;

/** Records the ledger with an entry of each type and status, from stored rows. */
async function recordLedger(scenario: Scenario) {
  const { stack, send } = scenario;
  const route = "GET /api/transactions";
  const account = await stack.account();
  const { token, accountId } = account;
  const { prisma } = stack.service.deps.db;
  const first = await prisma.transaction.findFirstOrThrow({ where: { accountId } });
  await send(route, "200 the credit of a new account", { token });
  const row = {
    ...{ ...first, authorization: undefined as never, network: "base-sepolia", scheme: "exact", asset: "native" },
    ...{ resource: "https://merchant.example/report", payTo: `0x${"56".repeat(20)}`, nextCheckAt: null },
  };
  const entries = [
    ...TYPES.map((type) => ({ type, status: "settled", direction: type === "deposit" ? "in" : "out" })),
    ...STATUSES.map((status) => ({ type: "x402", status, direction: "out" })),
    { type: "x402", status: "settled", direction: "out", scheme: "upto", network: "solana", asset: null },
  ];
  await prisma.transaction.createMany({
    data: entries.map((entry, at) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, at));
      const settledAt = entry.status === "settled" ? createdAt : null;
      const txHash = settledAt ? `0x${"78".repeat(32)}` : null;
      return { ...row, ...entry, id: `tx_entry_${at}`, createdAt, settledAt, txHash, updatedAt: createdAt };
    }),
  });
  await send(route, "200 each type and status", { token });
  for (const type of TYPES) await send(route, `200 type ${type}`, { token, query: { type, to: "2026-01-02" } });
  for (const status of STATUSES)
    await send(route, `200 status ${status}`, { token, query: { status, to: "2026-01-02" } });
  for (const network of Object.keys(NETWORKS))
    await send(route, `200 network ${network}`, { token, query: { network, limit: 1 } });
  const query = { limit: 2, from: "2026-01-01T00:02:00Z" };
  const { json } = await send(route, "200 a page", { token, query });
  await send(route, "200 the next page", { token, query: { ...query, cursor: json.nextCursor } });
  await send(route, "400 type", { token, query: { type: "gift" } });
  await send(route, "400 limit", { token, query: { limit: 101 } });
  await send(route, "400 cursor", { token, query: { cursor: "!!" } });
  await send(route, "400 from", { token, query: { from: "yesterday" } });
  await send(route, "400 repeated", {
    token,
    query: [
      ["limit", "1"],
      ["limit", "2"],
    ],
  });
  const recently = new Date();
  for (const status of ["released", "failed"]) {
    const id = `tx_${status}`;
    await prisma.transaction.create({
      data: {
        ...row,
        id,
        type: "x402",
        status,
        direction: "out",
        createdAt: recently,
        updatedAt: recently,
        settledAt: null,
      },
    });
    stack.service.deps.pubsub.publish(`transaction:${accountId}`, id);
    await recordEvent(scenario, account, `payment.${status}`);
  }
}

/** Records declined payments with each enumeration value, from stored rows. */
async function recordDeclinedPayments({ stack, send }: Scenario) {
  const route = "GET /api/declined-payments";
  const { token, accountId } = await stack.account();
  await send(route, "200 none", { token });
  const limit = { amountMicroUsd: 250_000n, limitMicroUsd: 5_000_000n, remainingMicroUsd: 100_000n };
  const entries = [
    { type: "x402", limitOwner: "account", limitPeriod: "transaction", ...limit },
    { type: "gateway", limitOwner: "token", limitPeriod: "day", ...limit },
    { type: "transfer", limitOwner: "token", limitPeriod: "month", ...limit, resource: null },
    { type: "x402", reason: "insufficient_balance", network: "base-sepolia", amountMicroUsd: 250_000n, occurrences: 3 },
  ];
  await stack.service.deps.db.prisma.declinedPayment.createMany({
    data: entries.map((entry, slot) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, slot));
      const times = { hour: createdAt, createdAt, lastDeclinedAt: createdAt };
      const terms = {
        reason: "spending_limit_exceeded",
        message: "Declined.",
        resource: "https://merchant.example/report",
      };
      return { id: `dp_entry_${slot}`, accountId, slot, budgetIds: [accountId], ...terms, ...times, ...entry };
    }),
  });
  await send(route, "200 each type and limit", { token });
  const { json } = await send(route, "200 a page", { token, query: { limit: 2 } });
  await send(route, "200 the next page", { token, query: { limit: 2, cursor: json.nextCursor } });
  await send(route, "400 limit", { token, query: { limit: 101 } });
  await send(route, "400 cursor", { token, query: { cursor: "!!" } });
}
