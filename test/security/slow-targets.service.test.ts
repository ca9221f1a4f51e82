/** Targets that never finish and callers that disconnect, over GraphQL. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { openSeller } from "./seller.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  // Credit pays, so the tests need no settlement on a chain.
  stack = await sharedStack();
  account = await stack.account();
});

const FETCH = `mutation ($url: Url!, $timeout: Int!, $key: String) {
  x402Fetch(input: { url: $url, timeoutMs: $timeout, idempotencyKey: $key }) {
    __typename
    ... on TargetTimeoutError { code paidTransactionId }
    ... on X402FetchSuccess { text }
  }
}`;

/** Sends the headers, then single bytes until the response closes. */
function sendSlowly(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/plain" });
  const timer = setInterval(() => response.write("."), 50);
  response.once("close", () => clearInterval(timer));
}

async function openTarget(respond: (response: ServerResponse) => void) {
  const counts = { requests: 0, closed: 0 };
  const server = createServer((_request, response) => {
    counts.requests += 1;
    response.once("close", () => {
      counts.closed += 1;
    });
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, counts };
}

it("aborts a slow response body after the timeout of the request", async () => {
  const { url, counts } = await openTarget(sendSlowly);
  const startedMs = performance.now();
  const { json } = await stack.graphql(account.token, FETCH, { url, timeout: 1_500 });
  expect(json.data.x402Fetch).toEqual({
    __typename: "TargetTimeoutError",
    code: "TARGET_TIMEOUT",
    paidTransactionId: null,
  });
  expect(performance.now() - startedMs).toBeGreaterThan(1_400);
  await expect.poll(() => counts.closed).toBe(1);
});

it("allows a second for the body if the headers used the timeout", async () => {
  const { url } = await openTarget((response) => {
    setTimeout(() => response.writeHead(200).write("so"), 500);
    setTimeout(() => response.end("ld"), 1_200);
  });
  const { json } = await stack.graphql(account.token, FETCH, { url, timeout: 900 });
  expect(json.data.x402Fetch).toEqual({ __typename: "X402FetchSuccess", text: "sold" });
});

it.each([null, "slow"])("returns the payment id if a paid seller responds too slowly (key %s)", async (key) => {
  const seller = await openSeller({}, sendSlowly);
  onTestFinished(() => void seller.close());
  const { json } = await stack.graphql(account.token, FETCH, { url: seller.url, timeout: 1_000, key });
  const { code, paidTransactionId } = json.data.x402Fetch;
  expect(code).toBe("TARGET_TIMEOUT");
  const { accountId } = account;
  const paid = await stack.service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: paidTransactionId } });
  expect(paid.accountId).toBe(accountId);
  expect(seller.payments).toHaveLength(1);
});

it.each([
  ["does not respond", () => {}],
  ["responds slowly", sendSlowly],
])("aborts the request to a target that %s when the caller disconnects", async (_what, respond) => {
  const { url, counts } = await openTarget(respond);
  const caller = new AbortController();
  const pending = fetch(`${stack.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": account.token },
    body: JSON.stringify({ query: FETCH, variables: { url, timeout: 120_000 } }),
    signal: caller.signal,
  });
  await expect.poll(() => counts.requests).toBe(1);
  caller.abort();
  await expect(pending).rejects.toThrow("aborted");
  await expect.poll(() => counts.closed).toBe(1);
});

it("aborts the requests of a WebSocket when it disconnects", async () => {
  const { url, counts } = await openTarget(sendSlowly);
  const socket = new WebSocket(`${stack.baseUrl.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.once("open", () => send({ type: "connection_init", payload: { "X-Service-Token": account.token } }));
  socket.once("message", () => {
    const payload = { query: FETCH, variables: { url, timeout: 120_000 } };
    for (const id of ["1", "2"]) send({ id, type: "subscribe", payload });
  });
  await expect.poll(() => counts.requests).toBe(2);
  socket.terminate();
  await expect.poll(() => counts.closed).toBe(2);
});
