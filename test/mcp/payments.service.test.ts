/** Payments through tools: no call pays twice, regardless of what a client repeats, sends in parallel or loses. */
// @module-tag postgresql
import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { createToken, openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { connect, type TestClient } from "./clients.ts";

let stack: OwnStack;
let account: TestAccount;
let client: TestClient;

beforeAll(async () => {
  // The chain is unavailable, so payments come from credit and none settles.
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
});
beforeEach(async () => {
  account = await stack.account();
  client = await connect(`${stack.baseUrl}/mcp`, account.token);
  return () => client.close();
});
afterAll(async () => {
  const audited = await auditLedger(stack.service.deps.db);
  await stack.stop();
  expect(audited).toEqual([]);
});

const paymentsOf = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId, type: "x402" } });
const sell = (text: string) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "text/plain" }).end(text);
/** A seller of one price, 0.001 USD. */
const openSeller = (deliver: (response: ServerResponse) => void = sell("sold"), changes: () => object = () => ({})) =>
  openTarget((_request, response, isPaid) => (isPaid ? deliver(response) : respondWith402(response, changes())));
const priceOf = async (url: string, more: object = {}) => (await client.call("check_price", { url, ...more })).json;
const distinct = (payments: readonly string[]) => new Set(payments).size;

describe("a payment_id", () => {
  it("pays once for any number of parallel and repeated calls, and returns the first result", async () => {
    let sold = 0;
    const seller = await openSeller((response) => sell(`sold ${++sold}`)(response));
    const price = await priceOf(seller.origin);
    expect(price).toMatchObject({
      is_free: false,
      price: { amount: "0.001000", currency: "USDC", amount_usd: "0.001" },
    });
    const buy = () => client.call("fetch_paid_url", { url: seller.origin, payment_id: price.payment_id });
    const parallel = await Promise.all(Array.from({ length: 8 }, buy));
    for (const { isError, json } of parallel) {
      if (isError)
        expect(json.error).toMatchObject({
          code: "idempotency_in_flight",
          money: expect.stringContaining("No second"),
        });
      else expect(json.content.untrusted_content).toEqual({ text: "sold 1" });
    }
    for (let again = 0; again < 3; again++)
      expect((await buy()).json.content.untrusted_content).toEqual({ text: "sold 1" });
    expect(distinct(seller.payments)).toBe(1);
    expect(await paymentsOf(account)).toHaveLength(1);
  });

  it("pays once if the client is lost before the response, and the next client repeats the call", async () => {
    const crash = new AbortController();
    const seller = await openSeller((response) => {
      if (seller.payments.length === 1) crash.abort();
      else sell("sold")(response);
    });
    const { payment_id } = await priceOf(seller.origin);
    const args = { url: seller.origin, payment_id };
    await expect(callPlainly(account.token, "fetch_paid_url", args, crash.signal)).rejects.toThrow();
    await expect
      .poll(async () => (await client.call("fetch_paid_url", args)).json.content?.untrusted_content)
      .toEqual({ text: "sold" });
    expect(distinct(seller.payments)).toBe(1);
    expect(await paymentsOf(account)).toHaveLength(1);
  });

  it("is refused with other arguments, and for another token or account", async () => {
    const seller = await openSeller();
    const body = { q: 1 };
    const { payment_id } = await priceOf(`${seller.origin}/a`, { method: "POST", body });
    const args = { url: `${seller.origin}/a`, method: "POST", body, payment_id };
    const changed = [
      { ...args, url: `${seller.origin}/b` },
      { ...args, method: "PUT" },
      { ...args, body: { q: 2 } },
      { url: args.url, method: "POST", payment_id },
      { ...args, payment_id: `${payment_id.slice(0, -1)}${payment_id.endsWith("A") ? "B" : "A"}` },
      { ...args, payment_id: "x" },
    ];
    for (const more of changed) {
      const { json } = await client.call("fetch_paid_url", more);
      expect(json.error).toMatchObject({
        code: "invalid_request",
        field: "payment_id",
        money: "This call made no payment.",
      });
    }
    const other = await connect(`${stack.baseUrl}/mcp`, (await stack.account()).token);
    expect((await other.call("fetch_paid_url", args)).json.error.field).toBe("payment_id");
    await other.close();
    expect(seller.payments).toEqual([]);
    expect((await client.call("fetch_paid_url", args)).isError).toBe(false);
  });

  it("never pays more than the price that it was created for", async () => {
    let amount = "1000";
    const seller = await openSeller(sell("sold"), () => ({ maxAmountRequired: amount }));
    const { payment_id } = await priceOf(seller.origin);
    amount = "1001";
    const { json } = await client.call("fetch_paid_url", { url: seller.origin, payment_id });
    expect(json.error).toMatchObject({ code: "max_value_exceeded", money: "This call made no payment." });
    expect(json.error.message).toMatch(/requires \d+\.\d+ USDC/);
    expect(json.error.message).not.toContain("atomic");
    expect(seller.payments).toEqual([]);
  });

  it("pays exactly once for each handle in any order of calls", async () => {
    const seller = await openSeller();
    const calls = fc.array(fc.tuple(fc.nat(2), fc.boolean()), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(calls, async (order) => {
        const before = (await paymentsOf(account)).length;
        const prices = await Promise.all([0, 1, 2].map(() => priceOf(seller.origin)));
        const running: Promise<unknown>[] = [];
        for (const [index, isAwaited] of order) {
          const call = client.call("fetch_paid_url", { url: seller.origin, payment_id: prices[index].payment_id });
          running.push(call);
          if (isAwaited) await call;
        }
        await Promise.all(running);
        expect((await paymentsOf(account)).length - before).toBe(new Set(order.map(([index]) => index)).size);
      }),
      { numRuns: 12 },
    );
  });

  it("states that the rest of a body above 256 KiB cannot be read, instead of another response", async () => {
    const seller = await openSeller(sell("x".repeat(300_000)));
    const { payment_id } = await priceOf(seller.origin);
    const { json } = await client.call("fetch_paid_url", { url: seller.origin, payment_id });
    expect(json).toMatchObject({ is_truncated: true, next_cursor: null, note: expect.stringContaining("256 KiB") });
  });

  it("reads the pages of a long response without another payment", async () => {
    const text = "é".repeat(40_000);
    const seller = await openSeller(sell(text));
    const { payment_id } = await priceOf(seller.origin);
    let read = "";
    let cursor: string | null = null;
    do {
      const { json } = await client.call("fetch_paid_url", {
        url: seller.origin,
        payment_id,
        ...(cursor ? { cursor } : {}),
      });
      read += json.content.untrusted_content.text;
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(read).toBe(text);
    expect(distinct(seller.payments)).toBe(1);
  });
});

it("states the price of a request with its body", async () => {
  const received: unknown[] = [];
  const seller = await openTarget((request, response) => {
    let text = "";
    request.on("data", (data) => {
      text += data;
    });
    request.on("end", () => {
      received.push([request.method, request.headers["content-type"], text]);
      respondWith402(response);
    });
  });
  await priceOf(seller.origin, { method: "POST", body: { q: 1 } });
  expect(received).toEqual([["POST", "application/json", '{"q":1}']]);
});

describe("a call without a payment_id", () => {
  it("is a new purchase after its response was written", async () => {
    const seller = await openSeller();
    for (const count of [1, 2]) {
      expect((await client.call("fetch_paid_url", { url: seller.origin, max_usd: "0.01" })).isError).toBe(false);
      expect(distinct(seller.payments)).toBe(count);
    }
  });

  it("repeats its authorization if the client is lost before the response", async () => {
    const crash = new AbortController();
    const seller = await openSeller((response) => {
      if (seller.payments.length === 1) crash.abort();
      else sell("sold")(response);
    });
    const args = { url: seller.origin };
    await expect(callPlainly(account.token, "fetch_paid_url", args, crash.signal)).rejects.toThrow();
    await expect
      .poll(async () => (await paymentsOf(account)).every(({ attemptUntil }) => (attemptUntil ?? 0) <= new Date()))
      .toBe(true);
    expect((await client.call("fetch_paid_url", args)).json.content.untrusted_content).toEqual({ text: "sold" });
    expect(distinct(seller.payments)).toBe(1);
  });

  it("pays once under an idempotency_key", async () => {
    const seller = await openSeller();
    const args = { url: seller.origin, idempotency_key: "purchase-1" };
    const [first, again] = [await client.call("fetch_paid_url", args), await client.call("fetch_paid_url", args)];
    expect(again.json).toEqual(first.json);
    expect(distinct(seller.payments)).toBe(1);
    const { json } = await client.call("fetch_paid_url", { ...args, url: `${seller.origin}/other` });
    const [payment] = await paymentsOf(account);
    expect(json.error).toMatchObject({ code: "idempotency_key_reused", transaction_id: payment?.id });
  });

  it("pays nothing above max_usd, and nothing to read the next page of an unknown purchase", async () => {
    const seller = await openSeller();
    const above = await client.call("fetch_paid_url", { url: seller.origin, max_usd: "0.0009" });
    expect(above.json.error).toMatchObject({ code: "max_value_exceeded", money: "This call made no payment." });
    const next = await client.call("fetch_paid_url", { url: seller.origin, cursor: "10" });
    expect(next.json.error.code).toBe("max_value_exceeded");
    expect(seller.payments).toEqual([]);
  });

  it("states the payment that was sent before a failure", async () => {
    const seller = await openSeller((response) => void response.destroy());
    const { json } = await client.call("fetch_paid_url", { url: seller.origin, timeout_seconds: 1 });
    const [payment] = await paymentsOf(account);
    expect(json.error.money).toContain(payment?.id);
    const { json: status } = await client.call("get_request_status", { id: payment?.id });
    expect(status).toMatchObject({ kind: "payment", status: "signed", is_final: false });
  });
});

it("accepts no one-time purchase token", async () => {
  const seller = await openSeller();
  const { token } = await createToken(stack, account.token, { merchantUrl: seller.origin });
  const response = await postPlainly(token, "fetch_paid_url", { url: seller.origin });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/mcp");
  expect(seller.requests).toEqual([]);
});

function postPlainly(token: string, name: string, args: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${stack.baseUrl}/mcp`, {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
}

async function callPlainly(token: string, name: string, args: object, signal: AbortSignal): Promise<string> {
  return await (await postPlainly(token, name, args, signal)).text();
}
