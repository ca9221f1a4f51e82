/** A target's page is served from this service's origin and must not act with that origin's rights. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const ORIGIN = "https://app.example";
let received: IncomingHttpHeaders = {};
const target = createServer((request, response) => {
  received = request.headers;
  response.writeHead(200, {
    "content-type": "text/html",
    "content-security-policy": "script-src 'unsafe-inline'",
    "x-content-type-options": "sniff",
    "access-control-allow-origin": "*",
    "access-control-allow-credentials": "true",
    "clear-site-data": '"*"',
    "service-worker-allowed": "/",
    "x-request-id": "req_forged",
    "set-cookie": "session=1",
    vary: "accept-language",
  });
  response.end("<script>fetch('/graphql')</script>");
});

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  stack = await startStack({ env: { CORS_ORIGINS: ORIGIN } });
  account = await stack.account();
});
afterAll(async () => {
  await stack.stop();
  target.close();
});

const path = () => `/api/x402/fetch?url=http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
const fetchTarget = (headers: Record<string, string> = {}) =>
  stack.rest(account.token, "POST", path(), undefined, { "x-request-id": "own-id", ...headers });

it("a target receives no proof of the caller's key", async () => {
  await fetchTarget({ dpop: "proof", "x-own": "1" });
  expect(received).toMatchObject({ "x-own": "1" });
  expect(received).not.toHaveProperty("dpop");
});

it("a target's response is sandboxed, without headers that affect the origin", async () => {
  const { status, headers, text } = await fetchTarget();
  expect(status).toBe(200);
  expect(text).toContain("<script>");
  expect(headers.get("content-type")).toBe("text/html");
  expect(headers.get("content-security-policy")).toBe("sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  for (const name of ["clear-site-data", "service-worker-allowed", "set-cookie", "access-control-allow-origin"]) {
    expect(headers.has(name), name).toBe(false);
  }
});

it("a target's response is readable only by the origins in CORS_ORIGINS", async () => {
  const allowed = (await fetchTarget({ origin: ORIGIN })).headers;
  expect(allowed.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(allowed.get("access-control-allow-credentials")).toBeNull();
  expect(allowed.get("vary")?.toLowerCase().split(/, */).sort()).toEqual(["accept-language", "origin"]);
  const { headers } = await fetchTarget({ origin: "https://evil.example" });
  expect(headers.get("access-control-allow-origin")).toBeNull();
  const preflight = await stack.rest(null, "OPTIONS", path(), undefined, {
    origin: ORIGIN,
    "access-control-request-method": "POST",
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe(ORIGIN);
});
