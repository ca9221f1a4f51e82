/** A target that never finishes, and a caller that does not wait for it, over GraphQL. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { openShop } from "./shop.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  // Configured and never there: what credit pays needs no chain.
  stack = await sharedStack();
  account = await stack.account();
});

const FETCH = `mutation ($url: Url!, $timeout: Int!, $key: String) {
  x402Fetch(input: { url: $url, timeout: $timeout, idempotencyKey: $key }) {
    __typename
    ... on TargetTimeoutError { code paidTransactionId }
    ... on X402FetchSuccess { text }
  }
}`;

/** Sends the headers and then a byte at a time, for as long as it is let. */
function drip(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/plain" });
  const timer = setInterval(() => response.write("."), 50);
  response.once("close", () => clearInterval(timer));
}

async function openTarget(answer: (response: ServerResponse) => void) {
  const seen = { requests: 0, closed: 0 };
  const server = createServer((_request, response) => {
    seen.requests += 1;
    response.once("close", () => {
      seen.closed += 1;
    });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

it("a body that drips is given up after the time that the caller gave", async () => {
  const { url, seen } = await openTarget(drip);
  const startedMs = performance.now();
  const { json } = await stack.graphql(account.token, FETCH, { url, timeout: 1_500 });
  expect(json.data.x402Fetch).toEqual({
    __typename: "TargetTimeoutError",
    code: "target_timeout",
    paidTransactionId: null,
  });
  expect(performance.now() - startedMs).toBeGreaterThan(1_400);
  await expect.poll(() => seen.closed).toBe(1);
});

it("an answer whose headers took the time gets a second for its body", async () => {
  const { url } = await openTarget((response) => {
    setTimeout(() => response.writeHead(200).write("so"), 500);
    setTimeout(() => response.end("ld"), 1_200);
  });
  const { json } = await stack.graphql(account.token, FETCH, { url, timeout: 900 });
  expect(json.data.x402Fetch).toEqual({ __typename: "X402FetchSuccess", text: "sold" });
});

it.each([null, "dripping"])("a shop that was paid and drips leaves the payment's id (key %s)", async (key) => {
  const shop = await openShop({}, drip);
  onTestFinished(() => void shop.close());
  const { json } = await stack.graphql(account.token, FETCH, { url: shop.url, timeout: 1_000, key });
  const { code, paidTransactionId } = json.data.x402Fetch;
  expect(code).toBe("target_timeout");
  const { accountId } = account;
  const paid = await stack.service.deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: paidTransactionId } });
  expect(paid.accountId).toBe(accountId);
  expect(shop.payments).toHaveLength(1);
});

it.each([
  ["answers nothing", () => {}],
  ["drips", drip],
])("a caller that goes away ends the request to a target that %s", async (_what, answer) => {
  const { url, seen } = await openTarget(answer);
  const caller = new AbortController();
  const left = fetch(`${stack.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": account.token },
    body: JSON.stringify({ query: FETCH, variables: { url, timeout: 120_000 } }),
    signal: caller.signal,
  });
  await expect.poll(() => seen.requests).toBe(1);
  caller.abort();
  await expect(left).rejects.toThrow("aborted");
  await expect.poll(() => seen.closed).toBe(1);
});

it("a WebSocket that breaks ends the requests made on it", async () => {
  const { url, seen } = await openTarget(drip);
  const socket = new WebSocket(`${stack.baseUrl.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.once("open", () => send({ type: "connection_init", payload: { "X-Service-Token": account.token } }));
  socket.once("message", () => {
    const payload = { query: FETCH, variables: { url, timeout: 120_000 } };
    for (const id of ["1", "2"]) send({ id, type: "subscribe", payload });
  });
  await expect.poll(() => seen.requests).toBe(2);
  socket.terminate();
  await expect.poll(() => seen.closed).toBe(2);
});
