import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { InvalidRequestError } from "../../../src/platform/errors.ts";
import { startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, PAYER, paymentResponse, TX_HASH, VIEWER } from "./shop.ts";

const PRICE = '{"x402Version":1,"accepts":[]}';

/** A shop that wants `X-PAYMENT` and then answers with what it was sent. */
const startShop = () =>
  startServer((request, response, body) => {
    if (!request.headers["x-payment"]) return response.writeHead(402, { "x-price": "1" }).end(PRICE);
    return response
      .writeHead(200, { "x-payment-response": paymentResponse({}), "set-cookie": "a=1" })
      .end(body.length ? body : "paid");
  });

test("a 402 is paid once and asked again with the payment", async () => {
  const shop = await startShop();
  const { deps, ledger } = openDeps();
  const bytes = Buffer.from('{"q":1}');
  const result = await x402Fetch(
    deps,
    VIEWER,
    input(`${shop.url}/p`, {
      method: "POST",
      body: { bytes, contentType: "application/json" },
      maxValueAtomic: 5n,
      idempotencyKey: "k",
    }),
  );
  expect(await textOf(result.body)).toBe('{"q":1}');
  expect(result).toMatchObject({
    status: 200,
    payment: { transactionId: "tx_1", amountPaidUsd: "0.01", network: "base-sepolia", scheme: "exact" },
    headers: {
      "x-satchel-payment-id": "tx_1",
      "x-satchel-amount-paid": "0.01",
      "x-payment-response": paymentResponse({}),
    },
  });
  expect(result.headers).not.toHaveProperty("set-cookie");
  expect(result.payment).not.toHaveProperty("paymentHeader");
  expect(ledger.orders).toMatchObject([
    {
      viewer: VIEWER,
      url: `${shop.url}/p`,
      method: "POST",
      maxValueAtomic: 5n,
      idempotencyKey: "k",
      paymentRequired: { status: 402, headers: { "x-price": "1" }, body: Buffer.from(PRICE) },
    },
  ]);
  expect(shop.requests.map(({ headers }) => headers["x-payment"])).toEqual([undefined, "signed-1"]);
  expect(shop.requests[1]).toMatchObject({
    method: "POST",
    path: "/p",
    body: bytes,
    headers: { "content-type": "application/json" },
  });
  expect(ledger.outcomes).toEqual([
    { transactionId: "tx_1", outcome: { kind: "claimed", claim: { txHash: TX_HASH, payer: expect.any(String) } } },
  ]);
  expect(JSON.stringify(ledger.outcomes).toLowerCase()).toContain(PAYER);
});

test("the payment goes in the header its version asks for, and an answer without a claim is one", async () => {
  const shop = await startServer((request, response) => {
    if (request.headers["payment-signature"]) response.end("paid");
    else response.writeHead(402).end("{}");
  });
  const { deps, ledger } = openDeps({}, "PAYMENT-SIGNATURE");
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(await textOf(result.body)).toBe("paid");
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: null } }]);
});

test("a refusal reaches the caller, and nothing more is sent", async () => {
  const shop = await startShop();
  const { deps, ledger } = openDeps({ payFor: () => Promise.reject(new InvalidRequestError("too dear", "maxValue")) });
  await expect(x402Fetch(deps, VIEWER, input(shop.url))).rejects.toThrow("too dear");
  expect(shop.requests).toHaveLength(1);
  expect(ledger.outcomes).toHaveLength(0);
});

test("a compressed 402 is read", async () => {
  const shop = await startServer((request, response) => {
    if (request.headers["x-payment"]) response.end("paid");
    else response.writeHead(402, { "content-encoding": "gzip" }).end(gzipSync(PRICE));
  });
  const { deps, ledger } = openDeps();
  (await x402Fetch(deps, VIEWER, input(shop.url, { headers: { "accept-encoding": "gzip" } }))).body.resume();
  expect(Buffer.from(ledger.orders[0]?.paymentRequired.body ?? []).toString()).toBe(PRICE);
});

test.each([
  ["plain", {}, Buffer.alloc(256 * 1024 + 1)],
  ["once decompressed", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(256 * 1024 + 1))],
])("a 402 larger than 256 KiB (%s) is not read, and not paid", async (_how, headers, body) => {
  const shop = await startServer((_request, response) => response.writeHead(402, headers).end(body));
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url))).rejects.toMatchObject({ code: "target_response_invalid" });
  expect(ledger.orders).toHaveLength(0);
});

test("a 402 that never ends is not waited for beyond the time-out", async () => {
  const shop = await startServer((_request, response) => response.writeHead(402).write("{"));
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url, { timeoutMs: 200 }))).rejects.toMatchObject({
    code: "target_timeout",
  });
  expect(ledger.orders).toHaveLength(0);
});

test("after a redirect, who asked is who is paid, as it was asked", async () => {
  const shop = await startShop();
  const door = await startServer((_request, response) =>
    response.writeHead(303, { location: `${shop.url}/inside` }).end(),
  );
  const { deps, ledger } = openDeps();
  const body = { bytes: Buffer.from("{}"), contentType: "application/json" };
  const result = await x402Fetch(
    deps,
    VIEWER,
    input(door.url, { method: "POST", body, headers: { "x-api-key": "door" } }),
  );
  expect(await textOf(result.body)).toBe("paid");
  expect(result.url).toBe(`${shop.url}/inside`);
  expect(ledger.orders).toMatchObject([{ url: `${shop.url}/inside`, method: "GET" }]);
  expect(door.requests).toHaveLength(1);
  for (const request of shop.requests) {
    expect(request.method).toBe("GET");
    expect(request.headers).not.toHaveProperty("x-api-key");
  }
});

test("the payment does not follow a redirect to another origin, but does within its own", async () => {
  const thief = await startServer((_request, response) => response.end("stolen"));
  const shop = await startServer((request, response) => {
    if (!request.headers["x-payment"]) response.writeHead(402).end(PRICE);
    else if (request.url === "/") response.writeHead(307, { location: "/next" }).end();
    else response.writeHead(307, { location: thief.url }).end();
  });
  const { deps } = openDeps();
  (await x402Fetch(deps, VIEWER, input(`${shop.url}/`, { headers: { "x-api-key": "key" } }))).body.resume();
  expect(shop.requests.map(({ path, headers }) => [path, headers["x-payment"]])).toEqual([
    ["/", undefined],
    ["/", "signed-1"],
    ["/next", "signed-1"],
  ]);
  expect(thief.requests).toHaveLength(1);
  expect(thief.requests[0]?.headers).not.toHaveProperty("x-payment");
  expect(thief.requests[0]?.headers).not.toHaveProperty("x-api-key");
});

test("an outcome that cannot be written down does not cost the caller the answer", async () => {
  const shop = await startShop();
  const { deps, ledger } = openDeps({ recordOutcome: () => Promise.reject(new Error("database gone")) });
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(await textOf(result.body)).toBe("paid");
  expect(ledger.logged).toMatchObject([{ fields: { transactionId: "tx_1", outcome: "claimed" } }]);
  expect(JSON.stringify(ledger.logged)).not.toContain("signed-1");
});
