import { once } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { startSender, startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, VIEWER } from "./fixtures.ts";

test.each(["GET", "POST", "PUT", "DELETE", "PATCH"] as const)(
  "forwards %s with its body and returns the response",
  async (method) => {
    const server = await startServer((_request, response) => response.writeHead(201, { "x-shop": "1" }).end("made"));
    const { deps, ledger } = openDeps();
    const bytes = Buffer.from('{"a":[1,"é"]}');
    const result = await x402Fetch(
      deps,
      VIEWER,
      input(`${server.url}/a?b=1`, { method, body: { bytes, contentType: "application/json" } }),
    );
    expect(result).toMatchObject({ status: 201, payment: null, url: `${server.url}/a?b=1` });
    expect(result.headers["x-shop"]).toBe("1");
    expect(result.headers).not.toHaveProperty("x-satchel-payment-id");
    expect(await textOf(result.body)).toBe("made");
    expect(server.requests).toMatchObject([
      { method, path: "/a?b=1", headers: { "content-type": "application/json" } },
    ]);
    expect(server.requests[0]?.body).toEqual(bytes);
    expect(ledger.orders).toHaveLength(0);
  },
);

test("returns an error before payment unchanged, without a retry", async () => {
  const server = await startServer((_request, response) => response.writeHead(503).end("down"));
  const { deps, ledger } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(server.url));
  expect(result).toMatchObject({ status: 503, payment: null });
  expect(await textOf(result.body)).toBe("down");
  expect(server.requests).toHaveLength(1);
  expect(ledger.orders).toHaveLength(0);
});

test("does not forward headers meant for Satchel", async () => {
  const server = await startServer((_request, response) => response.end());
  const { deps } = openDeps();
  const dropped = {
    Authorization: "Bearer satchel_sk_x",
    Cookie: "session=1",
    "X-Service-Token": "satchel_sk_x",
    "X-Satchel-Token": "satchel_sk_x",
    "X-PAYMENT": "own",
    "Payment-Signature": "own",
    "X-Forwarded-For": "10.1.2.3",
    "X-Forwarded": "for=10.1.2.3",
    Forwarded: "for=10.1.2.3",
    "X-Real-IP": "10.1.2.3",
    "X-Client-IP": "10.1.2.3",
    "True-Client-IP": "10.1.2.3",
    "Fly-Client-IP": "10.1.2.3",
    "CF-Connecting-IP": "10.1.2.3",
    "X-Amzn-Oidc-Data": "eyJ.signed.identity",
    "X-Goog-IAP-JWT-Assertion": "eyJ.signed.identity",
    "Idempotency-Key": "own",
    Origin: "https://app.test",
    Referer: "https://app.test/?secret",
    "Sec-Fetch-Site": "cross-site",
    "Proxy-Authorization": "Basic x",
    TE: "trailers",
    "X-Hop": "1",
    Upgrade: "h2c",
  };
  const headers = {
    ...dropped,
    Connection: "keep-alive, X-Hop",
    Host: "other.test",
    Accept: "text/plain",
    "X-Api-Key": "key",
  };
  (await x402Fetch(deps, VIEWER, input(server.url, { headers }))).body.resume();
  const [request] = server.requests;
  for (const name of Object.keys(dropped)) expect(request?.headers).not.toHaveProperty(name.toLowerCase());
  expect(request?.headers).toMatchObject({ accept: "text/plain", "x-api-key": "key", host: new URL(server.url).host });
});

test("does not send credentials to another origin after a redirect", async () => {
  const other = await startServer((_request, response) => response.end());
  const server = await startServer((_request, response) => response.writeHead(307, { location: other.url }).end());
  const { deps } = openDeps();
  const headers = { "X-Api-Key": "key", Accept: "text/plain" };
  (await x402Fetch(deps, VIEWER, input(server.url, { headers }))).body.resume();
  expect(other.requests[0]?.headers).toMatchObject({ accept: "text/plain" });
  expect(other.requests[0]?.headers).not.toHaveProperty("x-api-key");
});

test("removes cookies, hop-by-hop, origin-scoped and x-satchel headers from the response", async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, {
      "set-cookie": "a=1",
      connection: "keep-alive, x-hop",
      "keep-alive": "timeout=5",
      "x-hop": "1",
      "proxy-authenticate": "Basic",
      "x-satchel-payment-id": "tx_forged",
      "x-request-id": "req_forged",
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      "alt-svc": 'h3="evil.test:443"',
      "clear-site-data": '"*"',
      "content-security-policy": "script-src *",
      "content-security-policy-report-only": "script-src *",
      nel: '{"report_to":"a","max_age":1}',
      "report-to": '{"group":"a"}',
      "reporting-endpoints": 'a="https://evil.test"',
      "service-worker-allowed": "/",
      "strict-transport-security": "max-age=0",
      "x-content-type-options": "sniff",
      "content-type": "image/png",
      "content-length": "3",
      vary: "accept",
    });
    response.end("abc");
  });
  const { deps } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(server.url));
  result.body.resume();
  const { date: _date, ...headers } = result.headers;
  expect(headers).toEqual({ "content-type": "image/png", "content-length": "3", vary: "accept" });
});

test("streams 200 MB with backpressure, and closes the target's connection when the caller disconnects", {
  timeout: 60_000,
}, async () => {
  const totalBytes = 200 * 1024 * 1024;
  const { url, progress } = await startSender(totalBytes);
  const { deps } = openDeps();
  const whole = await x402Fetch(deps, VIEWER, input(url));
  let receivedBytes = 0;
  let aheadBytes = 0;
  for await (const part of whole.body) {
    receivedBytes += (part as Buffer).length;
    await nextTick();
    aheadBytes = Math.max(aheadBytes, progress.sentBytes - receivedBytes);
  }
  expect(receivedBytes).toBe(totalBytes);
  // Buffered in sockets and streams; nearly everything without backpressure.
  expect(aheadBytes).toBeLessThan(32 * 1024 * 1024);

  const caller = new AbortController();
  const broken = await x402Fetch(deps, VIEWER, input(url, { signal: caller.signal }));
  await once(broken.body, "data");
  caller.abort();
  await expect.poll(() => progress.isClosed).toBe(true);
  expect(progress.sentBytes).toBeLessThan(totalBytes);
});

test.each([
  ["method", { method: "HEAD" as "GET" }],
  ["timeout", { timeoutMs: 0 }],
  ["timeout", { timeoutMs: 120_001 }],
  ["timeout", { timeoutMs: 1.5 }],
  ["maxValue", { maxValueAtomic: -1n }],
  ["body", { body: { bytes: new Uint8Array(10 * 1024 * 1024 + 1), contentType: "application/json" } }],
  ["url", { url: "not a URL" }],
])("rejects an invalid %s before any request", async (field, more) => {
  const server = await startServer((_request, response) => response.end());
  await expect(x402Fetch(openDeps().deps, VIEWER, input(server.url, more))).rejects.toMatchObject({
    code: "invalid_request",
    field,
  });
  expect(server.requests).toHaveLength(0);
});

test("fails for disallowed and unreachable URLs", async () => {
  const { deps, ledger } = openDeps();
  await expect(x402Fetch(deps, VIEWER, input("http://10.0.0.1/"))).rejects.toMatchObject({ code: "url_not_allowed" });
  const error = await x402Fetch(deps, VIEWER, input("http://127.0.0.1:1/")).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "target_unreachable" });
  expect(error).not.toHaveProperty("transactionId");
  expect(ledger.outcomes).toHaveLength(0);
});
