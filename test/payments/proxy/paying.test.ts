import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { InvalidRequestError } from "../../../src/platform/errors.ts";
import { startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, PAYER, paymentResponse, TX_HASH, VIEWER } from "./fixtures.ts";

const PRICE = '{"x402Version":1,"accepts":[]}';

/** Starts a seller that requires `X-PAYMENT` and then echoes the body. */
const startSeller = () =>
  startServer((request, response, body) => {
    if (!request.headers["x-payment"]) return response.writeHead(402, { "x-price": "1" }).end(PRICE);
    return response
      .writeHead(200, { "x-payment-response": paymentResponse({}), "set-cookie": "a=1" })
      .end(body.length ? body : "paid");
  });

test("pays a 402 once and repeats the request with the payment", async () => {
  const seller = await startSeller();
  const { deps, ledger } = openDeps();
  const bytes = Buffer.from('{"q":1}');
  const result = await x402Fetch(
    deps,
    VIEWER,
    input(`${seller.url}/p`, {
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
      url: `${seller.url}/p`,
      method: "POST",
      maxValueAtomic: 5n,
      idempotencyKey: "k",
      paymentRequired: { status: 402, headers: { "x-price": "1" }, body: Buffer.from(PRICE) },
    },
  ]);
  expect(seller.requests.map(({ headers }) => headers["x-payment"])).toEqual([undefined, "signed-1"]);
  expect(seller.requests[1]).toMatchObject({
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

test("sends the payment in the version's header, and counts a delivery without a settlement header as claimed", async () => {
  const seller = await startServer((request, response) => {
    if (request.headers["payment-signature"]) response.end("paid");
    else response.writeHead(402).end("{}");
  });
  const { deps, ledger } = openDeps({}, "PAYMENT-SIGNATURE");
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe("paid");
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: null } }]);
});

test("returns a refused payment to the caller and sends nothing more", async () => {
  const seller = await startSeller();
  const { deps, ledger } = openDeps({
    payFor: () => Promise.reject(new InvalidRequestError("too expensive", "maxValue")),
  });
  await expect(x402Fetch(deps, VIEWER, input(seller.url))).rejects.toThrow("too expensive");
  expect(seller.requests).toHaveLength(1);
  expect(ledger.outcomes).toHaveLength(0);
});

test("reads a compressed 402", async () => {
  const seller = await startServer((request, response) => {
    if (request.headers["x-payment"]) response.end("paid");
    else response.writeHead(402, { "content-encoding": "gzip" }).end(gzipSync(PRICE));
  });
  const { deps, ledger } = openDeps();
  (await x402Fetch(deps, VIEWER, input(seller.url, { headers: { "accept-encoding": "gzip" } }))).body.resume();
  expect(Buffer.from(ledger.orders[0]?.paymentRequired.body ?? []).toString()).toBe(PRICE);
});

test.each([
  ["plain", {}, Buffer.alloc(256 * 1024 + 1)],
  ["after decompression", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(256 * 1024 + 1))],
])("rejects a 402 larger than 256 KiB (%s) without payment", async (_case, headers, body) => {
  const seller = await startServer((_request, response) => response.writeHead(402, headers).end(body));
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url))).rejects.toMatchObject({ code: "target_response_invalid" });
  expect(ledger.orders).toHaveLength(0);
});

test("times out on a 402 that never ends", async () => {
  const seller = await startServer((_request, response) => response.writeHead(402).write("{"));
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url, { timeoutMs: 200 }))).rejects.toMatchObject({
    code: "target_timeout",
  });
  expect(ledger.orders).toHaveLength(0);
});

test("pays the redirect's target with the redirected method", async () => {
  const seller = await startSeller();
  const redirector = await startServer((_request, response) =>
    response.writeHead(303, { location: `${seller.url}/inside` }).end(),
  );
  const { deps, ledger } = openDeps();
  const body = { bytes: Buffer.from("{}"), contentType: "application/json" };
  const result = await x402Fetch(
    deps,
    VIEWER,
    input(redirector.url, { method: "POST", body, headers: { "x-api-key": "redirector" } }),
  );
  expect(await textOf(result.body)).toBe("paid");
  expect(result.url).toBe(`${seller.url}/inside`);
  expect(ledger.orders).toMatchObject([{ url: `${seller.url}/inside`, method: "GET" }]);
  expect(redirector.requests).toHaveLength(1);
  for (const request of seller.requests) {
    expect(request.method).toBe("GET");
    expect(request.headers).not.toHaveProperty("x-api-key");
  }
});

test("sends the payment after a redirect within the origin, but not to another origin", async () => {
  const otherOrigin = await startServer((_request, response) => response.end("stolen"));
  const seller = await startServer((request, response) => {
    if (!request.headers["x-payment"]) response.writeHead(402).end(PRICE);
    else if (request.url === "/") response.writeHead(307, { location: "/next" }).end();
    else response.writeHead(307, { location: otherOrigin.url }).end();
  });
  const { deps } = openDeps();
  (await x402Fetch(deps, VIEWER, input(`${seller.url}/`, { headers: { "x-api-key": "key" } }))).body.resume();
  expect(seller.requests.map(({ path, headers }) => [path, headers["x-payment"]])).toEqual([
    ["/", undefined],
    ["/", "signed-1"],
    ["/next", "signed-1"],
  ]);
  expect(otherOrigin.requests).toHaveLength(1);
  expect(otherOrigin.requests[0]?.headers).not.toHaveProperty("x-payment");
  expect(otherOrigin.requests[0]?.headers).not.toHaveProperty("x-api-key");
});

test("returns the response even if the outcome cannot be recorded", async () => {
  const seller = await startSeller();
  const { deps, ledger } = openDeps({ recordOutcome: () => Promise.reject(new Error("database gone")) });
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe("paid");
  expect(ledger.logged).toMatchObject([{ fields: { transactionId: "tx_1", outcome: "claimed" } }]);
  expect(JSON.stringify(ledger.logged)).not.toContain("signed-1");
});

test.each([true, false])("concludes the attempt by what the transport wrote to the client: %s", async (wasWritten) => {
  const seller = await startSeller();
  const { deps, ledger } = openDeps();
  const { promise: delivered, resolve } = Promise.withResolvers<boolean>();
  const { body } = await x402Fetch(deps, VIEWER, input(seller.url, { delivered }));
  expect(await textOf(body)).toBe("paid");
  await expect.poll(() => body.closed).toBe(true);
  expect(ledger.deliveries).toEqual([]);
  resolve(wasWritten);
  await expect
    .poll(() => ledger.deliveries)
    .toEqual([{ transactionId: "tx_1", delivery: wasWritten ? "delivered" : "none" }]);
});
