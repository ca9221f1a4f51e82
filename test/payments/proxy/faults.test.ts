import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { ReceivedBody } from "../../../src/platform/egress/body.ts";
import type { EgressRequest } from "../../../src/platform/egress/egress.ts";
import { startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, paymentResponse, TX_HASH, VIEWER } from "./fixtures.ts";

type Act = (request: IncomingMessage, response: ServerResponse) => unknown;

const fail: Act = (_request, response) => response.writeHead(500).end("broken");
const failToSettle: Act = (_request, response) =>
  response
    .writeHead(500, { "x-payment-response": paymentResponse({ success: false, errorReason: "invalid_payload" }) })
    .end("broken");
const beBusy =
  (status: number, retryAfter?: string): Act =>
  (_request, response) =>
    response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end("busy");
const drop: Act = (request) => request.socket.destroy();
const hang: Act = () => {};
const respondWith402: Act = (_request, response) =>
  response.writeHead(402, { "x-again": "1" }).end('{"error":"again"}');
const redirectToPrivateAddress: Act = (_request, response) =>
  response.writeHead(307, { location: "http://10.0.0.1/" }).end();
const sendOversized402: Act = (_request, response) => response.writeHead(402).end(Buffer.alloc(300_000));
const deliver: Act = (_request, response) => response.end("paid");
const settleAndFail: Act = (_request, response) =>
  response.writeHead(500, { "x-payment-response": paymentResponse({}) }).end("broken");

/** Starts a seller that handles paid requests with the given acts in order, and all further ones with the last act. */
const startSeller = (...acts: Act[]) => {
  let paid = 0;
  return startServer((request, response) => {
    if (!request.headers["x-payment"]) return response.writeHead(402).end("{}");
    return acts[Math.min(paid++, acts.length - 1)]?.(request, response);
  });
};

const paymentsSent = (seller: Awaited<ReturnType<typeof startSeller>>) =>
  seller.requests.map(({ headers }) => headers["x-payment"]).filter((header) => header !== undefined);

test.each([
  ["a 5xx", fail],
  ["a dropped connection", drop],
  ["a second 402", respondWith402],
  ["a timeout", hang],
])("sends the same payment again after %s", async (_case, act) => {
  const seller = await startSeller(act, deliver);
  const { deps, ledger } = openDeps();
  const body = { bytes: Buffer.from('{"q":1}'), contentType: "application/json" };
  const result = await x402Fetch(deps, VIEWER, input(seller.url, { method: "POST", body, timeoutMs: 1_500 }));
  expect(await textOf(result.body)).toBe("paid");
  expect(paymentsSent(seller)).toEqual(["signed-1", "signed-1"]);
  expect(seller.requests.at(-1)?.body.toString()).toBe('{"q":1}');
  expect(ledger.orders).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: null } }]);
});

test("sends one payment through different faults until the seller delivers", async () => {
  const seller = await startSeller(fail, drop, respondWith402, beBusy(429), deliver);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe("paid");
  expect(paymentsSent(seller)).toEqual(Array(5).fill("signed-1"));
  expect(ledger.orders).toHaveLength(1);
});

test.each([503, 429, 402])("obeys Retry-After of a %i", async (status) => {
  const arrivalsMs: number[] = [];
  const act = beBusy(status, "1");
  const seller = await startSeller(
    (request, response) => {
      arrivalsMs.push(performance.now());
      return act(request, response);
    },
    (_request, response) => {
      arrivalsMs.push(performance.now());
      response.end("paid");
    },
  );
  const { deps } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe("paid");
  const [first = 0, second = 0] = arrivalsMs;
  expect(second - first).toBeGreaterThan(990);
});

test("repeats a 402 with Retry-After more than three times", async () => {
  const seller = await startSeller(...Array(4).fill(beBusy(402, "0")), deliver);
  const { deps } = openDeps();
  expect(await textOf((await x402Fetch(deps, VIEWER, input(seller.url))).body)).toBe("paid");
  expect(paymentsSent(seller)).toHaveLength(5);
});

test.each([503, 429, 402])("returns a %i at once if its Retry-After is after the deadline", async (status) => {
  const seller = await startSeller(beBusy(status, "3600"), deliver);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(result).toMatchObject({ status, headers: { "retry-after": "3600", "x-satchel-payment-id": "tx_1" } });
  expect(await textOf(result.body)).toBe("busy");
  expect(paymentsSent(seller)).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: status === 402 ? "refused" : "unknown" } }]);
});

test("sends no payment that has expired", async () => {
  const seller = await startSeller(fail, deliver);
  const { deps } = openDeps();
  const { payFor } = deps.payments;
  const payments = {
    ...deps.payments,
    payFor: async (...order: Parameters<typeof payFor>) => ({ ...(await payFor(...order)), expiresAtMs: Date.now() }),
  };
  const result = await x402Fetch({ ...deps, payments }, VIEWER, input(seller.url));
  expect([result.status, await textOf(result.body)]).toEqual([500, "broken"]);
  expect(paymentsSent(seller)).toHaveLength(1);
});

test("repeats no attempt after paidRetryMs", async () => {
  const seller = await startSeller(fail, deliver);
  const { deps } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url, { paidRetryMs: 0 }));
  expect([result.status, await textOf(result.body)]).toEqual([500, "broken"]);
});

test.each([
  ["a 5xx", fail],
  ["a dropped connection", drop],
  ["a failed settlement", failToSettle],
])("records an unknown outcome for a 402 after %s", async (_case, act) => {
  const seller = await startSeller(act, respondWith402);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe('{"error":"again"}');
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("records a refusal if the seller only responds with 402", async () => {
  const seller = await startSeller(respondWith402);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  expect(await textOf(result.body)).toBe('{"error":"again"}');
  expect(paymentsSent(seller)).toHaveLength(3);
  expect(ledger.outcomes).toMatchObject([
    {
      outcome: {
        kind: "refused",
        response: { status: 402, headers: { "x-again": "1" }, body: Buffer.from('{"error":"again"}') },
      },
    },
  ]);
});

test("returns the last response of a seller that fails until the deadline, and records an unknown outcome", async () => {
  const seller = await startSeller(fail);
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url, { timeoutMs: 2_000 }));
  // More than three attempts: with the backoff, the fourth begins after 1.0 s at the latest.
  expect(paymentsSent(seller).length).toBeGreaterThan(3);
  expect(result).toMatchObject({ status: 500, payment: { transactionId: "tx_1" } });
  expect(await textOf(result.body)).toBe("broken");
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("records a settlement claimed before a failure", async () => {
  const seller = await startSeller(settleAndFail, fail, drop);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url, { timeoutMs: 900 }))).rejects.toMatchObject({
    transactionId: "tx_1",
  });
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "claimed", claim: { txHash: TX_HASH } } }]);
});

test.each([
  ["target_unreachable", drop],
  ["target_timeout", hang],
  ["target_response_invalid", sendOversized402],
])("fails with %s and the payment's id if no response is usable", async (code, act) => {
  const seller = await startSeller(act);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url, { timeoutMs: 1_500 }))).rejects.toMatchObject({
    code,
    transactionId: "tx_1",
    message: expect.stringContaining("outcome is not known yet"),
  });
  expect(new Set(paymentsSent(seller))).toEqual(new Set(["signed-1"]));
  expect(paymentsSent(seller).length).toBeGreaterThan(1);
  expect(ledger.orders).toHaveLength(1);
  expect(ledger.outcomes).toEqual([{ transactionId: "tx_1", outcome: { kind: "unknown" } }]);
});

test("does not follow a redirect to a private address after payment, and reports the payment's id", async () => {
  const seller = await startSeller(redirectToPrivateAddress);
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url))).rejects.toMatchObject({
    code: "target_response_invalid",
    transactionId: "tx_1",
  });
  expect(paymentsSent(seller)).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("returns a 4xx after payment without a retry and records an unknown outcome", async () => {
  const seller = await startSeller((_request, response) => response.writeHead(404).end("gone"));
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url));
  result.body.resume();
  expect(result.status).toBe(404);
  expect(paymentsSent(seller)).toHaveLength(1);
  expect(ledger.outcomes).toMatchObject([{ outcome: { kind: "unknown" } }]);
});

test("stops retrying and records the outcome when the caller disconnects", async () => {
  let isClosed = false;
  const seller = await startSeller((request) => {
    request.socket.on("close", () => {
      isClosed = true;
    });
  });
  const { deps, ledger } = openDeps();
  const caller = new AbortController();
  const pending = x402Fetch(deps, VIEWER, input(seller.url, { signal: caller.signal }));
  await expect.poll(() => paymentsSent(seller).length).toBe(1);
  caller.abort();
  await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => isClosed).toBe(true);
  expect(paymentsSent(seller)).toHaveLength(1);
  expect(ledger.outcomes).toEqual([{ transactionId: "tx_1", outcome: { kind: "unknown" } }]);
});

test("makes no payment if the caller disconnects before it", async () => {
  const caller = new AbortController();
  const seller = await startServer((_request, response) => {
    response.on("finish", () => caller.abort());
    response.writeHead(402).end("{}");
  });
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input(seller.url, { signal: caller.signal }))).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(ledger.orders).toHaveLength(0);
});

test.each(["one chunk", "two chunks"])(
  "makes no payment if the caller disconnects during a 402 of %s",
  async (chunks) => {
    const caller = new AbortController();
    const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
    const seller = await startServer(async (_request, response) => {
      response.writeHead(402);
      if (chunks === "two chunks") {
        response.write("{");
        await begun;
        response.end("}");
      } else response.end("{}");
    });
    const { deps, ledger } = openDeps();
    const target = {
      async request(options: EgressRequest) {
        const response = await deps.target.request(options);
        if (response.body instanceof ReceivedBody) caller.abort();
        else response.body.on("close", () => caller.abort());
        hasBegun();
        return response;
      },
    };
    const pending = x402Fetch({ ...deps, target }, VIEWER, input(seller.url, { signal: caller.signal }));
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect(ledger.orders).toHaveLength(0);
  },
);
