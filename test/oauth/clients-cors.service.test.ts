/** CORS for the origins of approved applications (spec section 2.2), without cookies. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type ClientsApi, createClientsApi, STEPS } from "./clients-fixture.ts";

let stack: OwnStack;
let clients: ClientsApi;
let owner: TestAccount;

beforeAll(async () => {
  stack = await startStack({ env: { CORS_ORIGINS: "https://configured.example" } });
  clients = createClientsApi(stack);
  owner = await stack.account();
});
afterAll(() => stack.stop());

async function register(origin: string) {
  const { client } = await clients.register(owner.token, { oauth: { ...STEPS.oauth, javascriptOrigins: [origin] } });
  return client;
}

const fetchAllowedOrigin = async (origin: string, path = "/graphql", method = "OPTIONS") => {
  const { headers } = await fetch(stack.baseUrl + path, {
    method,
    redirect: "manual",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,authorization",
    },
  });
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("vary")?.toLowerCase()).toContain("origin");
  return headers.get("access-control-allow-origin");
};

it("allows the API's paths while the application is approved", async () => {
  const origin = "https://spa.example";
  const client = await register(origin);
  expect(await fetchAllowedOrigin(origin)).toBeNull();
  await clients.review({ id: client.id, decision: "APPROVE" });
  await expect.poll(() => fetchAllowedOrigin(origin)).toBe(origin);
  for (const path of [
    "/api/balance",
    "/oauth/token",
    "/oauth/revoke",
    "/oauth/introspect",
    "/oauth/userinfo",
    "/v1/models",
    "/graphql?x=1",
  ]) {
    expect(await fetchAllowedOrigin(origin, path), path).toBe(origin);
  }
  for (const path of [
    "/",
    "/consent",
    "/oauth/authorize",
    "/oauth/continue",
    "/oauth/tokens",
    "/auth/upstream/start",
    "/metrics",
    "/graphqlx",
    "/dashboard",
  ]) {
    expect(await fetchAllowedOrigin(origin, path), path).toBeNull();
    expect(await fetchAllowedOrigin(origin, path, "GET"), path).toBeNull();
  }
  for (const other of [
    "https://spa.example.evil",
    "https://SPA.example",
    "http://spa.example",
    "https://spa.example:8443",
    "null",
  ]) {
    expect(await fetchAllowedOrigin(other), other).toBeNull();
  }
  await clients.review({ id: client.id, decision: "REVOKE", reason: "No longer." });
  await expect.poll(() => fetchAllowedOrigin(origin)).toBeNull();
});

it("allows every path for the origins in CORS_ORIGINS", async () => {
  expect(await fetchAllowedOrigin("https://configured.example")).toBe("https://configured.example");
  expect(await fetchAllowedOrigin("https://configured.example", "/consent")).toBe("https://configured.example");
});

it("exposes the response headers and accepts tokens, but not cookies", async () => {
  const origin = "https://reader.example";
  const client = await register(origin);
  await clients.review({ id: client.id, decision: "APPROVE" });
  const preflight = await fetch(`${stack.baseUrl}/graphql`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-service-token",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type,x-service-token");
  const query = "{ viewer { account { accountId } } }";
  const byToken = await stack.graphql(owner.token, query, {}, { origin });
  expect(byToken.headers.get("access-control-allow-origin")).toBe(origin);
  expect(byToken.headers.get("access-control-expose-headers")).toContain("x-satchel-payment-id");
  expect(byToken.json.data.viewer.account.accountId).toBe(owner.accountId);
  const cookie = await clients.browser(owner.accountId);
  const byCookie = await stack.graphql(null, query, {}, { origin, ...cookie });
  expect(byCookie.json.errors[0].extensions.code).toBe("unauthorized");
  expect((await stack.graphql(null, query, {}, cookie)).json.data.viewer.account.accountId).toBe(owner.accountId);
});

it("allows WebSockets with tokens, but not with cookies", async () => {
  const origin = "https://socket.example";
  const client = await register(origin);
  await clients.review({ id: client.id, decision: "APPROVE" });
  const { cookie } = await clients.browser(owner.accountId);
  const url = `${stack.baseUrl.replace("http", "ws")}/graphql`;
  const open = async (from: string) => {
    const socket = new WebSocket(url, "graphql-transport-ws", { origin: from, headers: { cookie } });
    await once(socket, "open");
    return socket;
  };
  await expect(open("https://evil.example")).rejects.toThrow("403");
  const socket = await open(origin);
  socket.send(JSON.stringify({ type: "connection_init" }));
  const [code] = await once(socket, "close");
  expect(code).toBe(4403);
  const withToken = await open(origin);
  withToken.send(JSON.stringify({ type: "connection_init", payload: { "X-Service-Token": owner.token } }));
  const [message] = await once(withToken, "message");
  expect(JSON.parse(String(message))).toEqual({ type: "connection_ack" });
  withToken.close();
});
