import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { ReceivedBody } from "../../../src/platform/egress/body.ts";
import type { EgressRequest } from "../../../src/platform/egress/egress.ts";
import { startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, paymentResponse, TX_HASH, VIEWER } from "./shop.ts";

type Act = (request: IncomingMessage, response: ServerResponse) => unknown;

const fail: Act = (_request, response) => response.writeHead(500).end("broken");
const failToSettle: Act = (_request, response) =>
  response
    .writeHead(500, { "x-payment-response": paymentResponse({ success: false, errorReason: "invalid_payload" }) })
    .end("broken");
const drop: Act = (request) => request.socket.destroy();
const hang: Act = () => {};
const askAgain: Act = (_request, response) => response.writeHead(402, { "x-again": "1" }).end('{"error":"again"}');
const leadAstray: Act = (_request, response) => response.writeHead(307, { location: "http://10.0.0.1/" }).end();
const answerTooMuch: Act = (_request, response) => response.writeHead(402).end(Buffer.alloc(300_000));
const deliver: Act = (_request, response) => response.end("paid");
const settleAndFail: Act = (_request, response) =>
  response.writeHead(500, { "x-payment-response": paymentResponse({}) }).end("broken");

/** A shop that acts so on each paid request, the last act for all that follow. */
const startShop = (...acts: Act[]) => {
  let paid = 0;
  return startServer((request, response) => {
    if (!request.headers["x-payment"]) return response.writeHead(402).end("{}");
    return acts[Math.min(paid++, acts.length - 1)]?.(request, response);
  });
};

const paymentsSent = (shop: Awaited<ReturnType<typeof startShop>>) =>
  shop.requests.map(({ headers }) => headers["x-payment"]).filter((header) => header !== undefined);

test.each([
  ["a 5xx", fail],
  ["a dropped connection", drop],
  ["a second 402", askAgain],
  ["a time-out", hang],
])("after %s the same payment is sent again", async (_what, act) => {
  const shop = await startShop(act, deliver);
  const { deps, ledger } = openDeps();
  const body = { bytes: Buffer.from('{"q":1}'), contentType: "application/json" };
  const result = await x402Fetch(deps, VIEWER, input(shop.url, { method: "POST", body, timeoutMs: 1_500 }));
  expect(await textOf(result.body)).toBe("paid");
  expect(paymentsSent(shop)).toEqual(["signed-1", "signed-1"]);
  expect(shop.requests.at(-1)?.body.toString()).toBe('{"q":1}');
  expect(ledger.orders).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: null } }]);
});

test("mixed faults see one distinct payment, three times at most", async () => {
  const shop = await startShop(fail, drop, askAgain, deliver);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(result).toMatchObject({ status: 402, headers: { "x-again": "1", "x-satchel-payment-id": "tx_1" } });
  expect(await textOf(result.body)).toBe('{"error":"again"}');
  expect(paymentsSent(shop)).toEqual(["signed-1", "signed-1", "signed-1"]);
  expect(ledger.orders).toHaveLength(1);
  expect(ledger.outcomes).toEqual([{ transactionId: "tx_1", outcome: { kind: "unknown" } }]);
});

test.each([
  ["a 5xx", fail],
  ["a dropped connection", drop],
  ["a settlement that failed", failToSettle],
])("a 402 after %s refuses nothing: the money may have been taken", async (_what, act) => {
  const shop = await startShop(act, askAgain);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(await textOf(result.body)).toBe('{"error":"again"}');
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("a shop that only ever asks again has refused", async () => {
  const shop = await startShop(askAgain);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(await textOf(result.body)).toBe('{"error":"again"}');
  expect(paymentsSent(shop)).toHaveLength(3);
  expect(ledger.outcomes).toMatchObject([
    {
      outcome: {
        kind: "refused",
        answer: { status: 402, headers: { "x-again": "1" }, body: Buffer.from('{"error":"again"}') },
      },
    },
  ]);
});

test("a shop that keeps failing: its last answer passes, the outcome is unknown", async () => {
  const shop = await startShop(fail);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  expect(result).toMatchObject({ status: 500, payment: { transactionId: "tx_1" } });
  expect(await textOf(result.body)).toBe("broken");
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("a settlement that was claimed before a failure is not forgotten", async () => {
  const shop = await startShop(settleAndFail, fail, drop);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url))).rejects.toMatchObject({ transactionId: "tx_1" });
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: { txHash: TX_HASH } } }]);
});

test.each([
  ["target_unreachable", drop],
  ["target_timeout", hang],
  ["target_response_invalid", answerTooMuch],
])("no usable answer at all is %s, with the payment to watch", async (code, act) => {
  const shop = await startShop(act);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url, { timeoutMs: 900 }))).rejects.toMatchObject({
    code,
    transactionId: "tx_1",
    message: expect.stringContaining("outcome is not known yet"),
  });
  expect(new Set(paymentsSent(shop))).toEqual(new Set(["signed-1"]));
  expect(paymentsSent(shop).length).toBeGreaterThan(1);
  expect(ledger.orders).toHaveLength(1);
  expect(ledger.outcomes).toEqual([{ transactionId: "tx_1", outcome: { kind: "unknown" } }]);
});

test("a paid target that redirects to a private address is followed no further, and the payment is named", async () => {
  const shop = await startShop(leadAstray);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url))).rejects.toMatchObject({
    code: "target_response_invalid",
    transactionId: "tx_1",
  });
  expect(paymentsSent(shop)).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("a caller error after payment is final and proves nothing", async () => {
  const shop = await startShop((_request, response) => response.writeHead(404).end("gone"));
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(shop.url));
  result.body.resume();
  expect(result.status).toBe(404);
  expect(paymentsSent(shop)).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("a caller that goes away ends it: nothing is sent again, and the outcome is written down", async () => {
  let isClosed = false;
  const shop = await startShop((request) => {
    request.socket.on("close", () => {
      isClosed = true;
    });
  });
  const { deps, ledger } = openDeps();
  const caller = new AbortController();
  const asked = x402Fetch(deps, VIEWER, input(shop.url, { signal: caller.signal }));
  await expect.poll(() => paymentsSent(shop).length).toBe(1);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => isClosed).toBe(true);
  expect(paymentsSent(shop)).toHaveLength(1);
  expect(ledger.outcomes).toEqual([{ transactionId: "tx_1", outcome: { kind: "unknown" } }]);
});

test("a caller that went away before the payment is not charged", async () => {
  const caller = new AbortController();
  const shop = await startServer((_request, response) => {
    response.on("finish", () => caller.abort());
    response.writeHead(402).end("{}");
  });
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(shop.url, { signal: caller.signal }))).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(ledger.orders).toHaveLength(0);
});

test.each(["in one piece", "in two"])("a caller that goes away once it was asked %s is not charged", async (pieces) => {
  const caller = new AbortController();
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const shop = await startServer(async (_request, response) => {
    response.writeHead(402);
    if (pieces === "in two") {
      response.write("{");
      await begun;
      response.end("}");
    } else response.end("{}");
  });
  const { deps, ledger } = openDeps();
  const egress = {
    async request(asked: EgressRequest) {
      const response = await deps.egress.request(asked);
      if (response.body instanceof ReceivedBody) caller.abort();
      else response.body.on("close", () => caller.abort());
      hasBegun();
      return response;
    },
  };
  const asked = x402Fetch({ ...deps, egress }, VIEWER, input(shop.url, { signal: caller.signal }));
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(ledger.orders).toHaveLength(0);
});
