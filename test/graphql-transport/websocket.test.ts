import { connect } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { createWsClient, openRawSocket, openSubscription, SUBSCRIBE_TICK, startServer, waitUntil } from "./server.ts";

test("a graphql-ws client subscribes, receives events, runs another operation and completes", async () => {
  const server = await startServer();
  const client = createWsClient(server.wsUrl, "ann");
  const ticks = client.iterate({ query: SUBSCRIBE_TICK, variables: { channel: "a" } });
  const first = ticks.next();
  await waitUntil(() => server.topic.readers === 1);
  server.topic.publish({ channel: "a", count: 1 });
  expect((await first).value).toEqual({ data: { tick: { channel: "a", count: 1, account: "ann" } } });
  for await (const result of client.iterate({ query: "mutation { pay }" }))
    expect(result).toEqual({ data: { pay: 1 } });
  await ticks.return?.();
  await waitUntil(() => server.topic.readers === 0);
  expect(server.operations.map(({ kind, transport }) => [kind, transport])).toEqual([
    ["subscription", "ws"],
    ["mutation", "ws"],
  ]);
  await client.dispose();
});

test("a source that ends completes its subscriptions, and one that fails hides its error", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann");
  await waitUntil(() => server.topic.readers === 1);
  server.topic.end();
  await waitUntil(() => ann.messages.length === 2);
  expect(ann.messages[1]).toEqual({ id: "1", type: "complete" });

  ann.send({ id: "2", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "b" } } });
  await waitUntil(() => server.counters.sources === 2);
  server.topic.end(new Error("connection string"));
  await waitUntil(() => ann.messages.some((message) => message["id"] === "2"));
  expect(ann.messages.find((message) => message["id"] === "2")).toEqual({
    id: "2",
    type: "error",
    payload: [expect.objectContaining({ message: "The service failed unexpectedly. Report the request id." })],
  });
  ann.socket.close();
});

test("a subscription rejected on start returns the reason to each client", async () => {
  const server = await startServer();
  for (let i = 0; i < 2; i++) {
    const client = createWsClient(server.wsUrl, "ann");
    for await (const result of client.iterate({ query: "subscription { refused { count } }" })) {
      expect(result.errors).toEqual([
        expect.objectContaining({ message: "Unknown channel.", extensions: { code: "not_found" } }),
      ]);
    }
    await client.dispose();
  }
});

test.each([
  ["no credential", {}, 4403],
  ["a revoked credential", { "X-Service-Token": "ann:gone" }, 4403],
  ["a credential whose check throws", { authorization: "nobody" }, 4403],
  ["an expired credential", { "X-Service-Token": "ann:old:1" }, 4403],
])("%s closes the socket", async (_what, payload, code) => {
  const server = await startServer();
  server.revoked.add("gone");
  const raw = await openRawSocket(server.wsUrl);
  raw.send({ type: "connection_init", payload });
  expect((await raw.closed).code).toBe(code);
  expect(raw.messages).toEqual([]);
  expect(JSON.stringify(server.unexpected)).toBe("[]");
});

test("protocol errors close the socket with the protocol's codes", async () => {
  const server = await startServer({ limits: { connectionInitTimeoutMs: 50 } });
  const late = await openRawSocket(server.wsUrl);
  expect((await late.closed).code).toBe(4408);
  const early = await openRawSocket(server.wsUrl);
  early.send({ id: "1", type: "subscribe", payload: { query: "{ hello }" } });
  expect((await early.closed).code).toBe(4401);
  const garbled = await openRawSocket(server.wsUrl);
  garbled.socket.send("nonsense");
  expect((await garbled.closed).code).toBe(4400);
  const twice = await openRawSocket(server.wsUrl);
  twice.init("ann");
  twice.init("ann");
  expect((await twice.closed).code).toBe(4429);
});

test("a credential that expires during a subscription closes the socket with 4403, without an event", async () => {
  const server = await startServer({ limits: { validityCheckIntervalMs: 20 } });
  const ann = await openSubscription(server, `ann:ann1:${Date.now() + 150}`);
  await waitUntil(() => server.topic.readers === 1);
  expect(await ann.closed).toEqual({ code: 4403, reason: "The credential has expired" });
  await waitUntil(() => server.topic.readers === 0);
});

test("an event after expiry or revocation is not delivered", async () => {
  const server = await startServer({ limits: { validityMaxAgeMs: -1, validityCheckIntervalMs: 3_600_000 } });
  const expiresAtMs = Date.now() + 100;
  const expiring = await openSubscription(server, `ann:short:${expiresAtMs}`);
  const revoked = await openSubscription(server, "ann:revoked");
  const valid = await openSubscription(server, "ann:valid");
  await waitUntil(() => server.counters.contexts === 3);
  server.revoked.add("revoked");
  await waitUntil(() => Date.now() > expiresAtMs);
  server.topic.publish({ channel: "a", count: 7 });
  expect((await expiring.closed).code).toBe(4403);
  expect((await revoked.closed).code).toBe(4403);
  await waitUntil(() => valid.next().length === 1);
  expect([expiring.next(), revoked.next()]).toEqual([[], []]);
  valid.socket.close();
});

test("disconnecting a credential closes all its sockets", async () => {
  const server = await startServer();
  const first = await openSubscription(server, "ann:key");
  const second = await openSubscription(server, "ann:key");
  const other = await openSubscription(server, "ann:other");
  server.transports.disconnect("key");
  expect([(await first.closed).code, (await second.closed).code]).toEqual([4403, 4403]);
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
  other.socket.close();
});

test("sockets without a credential are limited per address, and no longer count once they authenticate", async () => {
  const server = await startServer({ limits: { maxUnauthenticatedPerIp: 1 } });
  const first = await openRawSocket(server.wsUrl);
  await expect(openRawSocket(server.wsUrl)).rejects.toThrow("429");
  first.init("ann");
  await waitUntil(() => first.messages.length === 1);
  const second = await openRawSocket(server.wsUrl);
  await expect(openRawSocket(server.wsUrl)).rejects.toThrow("429");
  second.socket.close();
  await second.closed;
  await expect
    .poll(() =>
      openRawSocket(server.wsUrl).then(
        () => "open",
        () => "rejected",
      ),
    )
    .toBe("open");
});

test.each([
  ["total", { maxConnections: 2 }],
  ["address", { maxConnectionsPerIp: 2 }],
])("authenticated connections are limited in %s, and closed ones are not counted", async (cap, limits) => {
  const server = await startServer({ limits });
  const open = [await openSubscription(server, "ann"), await openSubscription(server, "bob")];
  const attempt = async () => {
    try {
      const raw = await openRawSocket(server.wsUrl);
      raw.init("cem");
      return await Promise.race([
        raw.closed.then(({ code, reason }) => `${code} ${reason}`),
        waitUntil(() => raw.messages.length > 0).then(() => "open"),
      ]);
    } catch (error) {
      return String(error);
    }
  };
  expect(await attempt()).toMatch(
    cap === "total" ? "429" : "1013 The limit of 2 open connections of the client address is reached.",
  );
  open[0]?.socket.close();
  await open[0]?.closed;
  await expect.poll(attempt).toBe("open");
});

test("the limit of the account is checked before the limit of its address", async () => {
  const server = await startServer({ limits: { maxConnectionsPerAccount: 1, maxConnectionsPerIp: 1 } });
  await openSubscription(server, "ann");
  const second = await openRawSocket(server.wsUrl);
  second.init("ann:two");
  expect(await second.closed).toEqual({
    code: 1013,
    reason: "The limit of 1 open connections of the account is reached. Close one.",
  });
});

test("connections are limited per account, and closed ones are not counted", async () => {
  const server = await startServer({ limits: { maxConnectionsPerAccount: 1 } });
  const first = await openSubscription(server, "ann:one");
  const second = await openRawSocket(server.wsUrl);
  second.init("ann:two");
  expect((await second.closed).code).toBe(1013);
  const bob = await openSubscription(server, "bob");
  first.socket.close();
  await first.closed;
  await expect
    .poll(async () => {
      const next = await openRawSocket(server.wsUrl);
      next.init("ann:three");
      return Promise.race([
        next.closed.then(() => "closed"),
        waitUntil(() => next.messages.length > 0).then(() => "open"),
      ]);
    })
    .toBe("open");
  bob.socket.close();
});

test("concurrent operations of a connection are limited, and a rejected one does not affect the others", async () => {
  const server = await startServer({ limits: { maxSubscriptionsPerConnection: 2 } });
  const ann = await openSubscription(server, "ann", { channel: "a" }, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "b" } } });
  ann.send({ id: "3", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "c" } } });
  await waitUntil(() => ann.messages.some((message) => message["type"] === "error"));
  expect(ann.messages.at(-1)).toMatchObject({
    id: "3",
    payload: [{ extensions: { code: "OPERATION_LIMIT_EXCEEDED" } }],
  });
  ann.send({ id: "1", type: "complete" });
  await waitUntil(() => server.topic.readers === 1);
  ann.send({ id: "3", type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables: { channel: "c" } } });
  await waitUntil(() => server.topic.readers === 2);
  ann.socket.close();
});

test("a message of the maximum size is accepted, and a larger one closes the socket with 1009", async () => {
  const server = await startServer({ limits: { maxMessageBytes: 500 } });
  const fits = await openRawSocket(server.wsUrl);
  fits.socket.send(JSON.stringify({ type: "ping" }).padEnd(500));
  await waitUntil(() => fits.messages.length === 1);
  fits.socket.send(JSON.stringify({ type: "ping" }).padEnd(501));
  expect((await fits.closed).code).toBe(1009);
});

test("a socket that does not respond to pings is terminated", async () => {
  const server = await startServer({ limits: { pingIntervalMs: 30 } });
  const mute = await openRawSocket(server.wsUrl, { autoPong: false });
  const responsive = await openRawSocket(server.wsUrl);
  expect((await mute.closed).code).toBe(1006);
  expect(responsive.socket.readyState).toBe(WebSocket.OPEN);
  responsive.socket.close();
});

test("a socket that does not read is closed, while others receive everything", async () => {
  const server = await startServer({ limits: { maxBufferedBytes: 20_000, closeTimeoutMs: 50 } });
  const slow = await openSubscription(server, "ann", { channel: "all" });
  const quick = await openSubscription(server, "ann", { channel: "all" });
  await waitUntil(() => server.counters.contexts === 2);
  slow.socket.pause();
  const channel = "x".repeat(100_000);
  let published = 0;
  const openSockets = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_, count) => resolve(count)));
  // Each round waits for the fast reader. Only the slow one falls behind.
  while ((await openSockets()) > 1 && published < 500) {
    server.topic.publish({ channel, count: ++published });
    await waitUntil(() => quick.next().length === published);
  }
  expect(published).toBeLessThan(500);
  slow.socket.resume();
  const { code } = await slow.closed;
  expect([1006, 1013]).toContain(code);
  expect(slow.next().length).toBeLessThan(published);
  quick.socket.close();
});

test("a page of another origin cannot open a socket with cookies", async () => {
  const server = await startServer({ isOriginAllowed: async (origin) => origin === "https://app.example" });
  const headers = (origin: string) => ({ headers: { cookie: "session=1" }, origin });
  await expect(openRawSocket(server.wsUrl, headers("https://evil.example"))).rejects.toThrow("403");
  for (const origin of ["https://app.example", `http://127.0.0.1:${server.port}`]) {
    const raw = await openRawSocket(server.wsUrl, headers(origin));
    raw.socket.close();
  }
  const tokenOnly = await openRawSocket(server.wsUrl, { origin: "https://evil.example" });
  tokenOnly.socket.close();
});

test("an upgrade request for another path is rejected", async () => {
  const server = await startServer();
  const tcp = connect(server.port, "127.0.0.1");
  tcp.write("GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  const response = await new Promise<string>((resolve) => tcp.once("data", (data) => resolve(String(data))));
  expect(response).toContain("404");
});
