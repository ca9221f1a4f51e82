import { connect } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawSocket, startServer, subscribed, TICK, until, wsClient } from "./server.ts";

test("a graphql-ws client subscribes, receives, queries beside it and completes", async () => {
  const server = await startServer();
  const client = wsClient(server.wsUrl, "ann");
  const ticks = client.iterate({ query: TICK, variables: { room: "a" } });
  const first = ticks.next();
  await until(() => server.topic.readers === 1);
  server.topic.publish({ room: "a", count: 1 });
  expect((await first).value).toEqual({ data: { tick: { room: "a", count: 1, account: "ann" } } });
  for await (const result of client.iterate({ query: "mutation { pay }" }))
    expect(result).toEqual({ data: { pay: 1 } });
  await ticks.return?.();
  await until(() => server.topic.readers === 0);
  expect(server.operations.map(({ kind, transport }) => [kind, transport])).toEqual([
    ["subscription", "ws"],
    ["mutation", "ws"],
  ]);
  await client.dispose();
});

test("a source that ends completes its subscribers; one that fails tells them so and nothing else", async () => {
  const server = await startServer();
  const ann = await subscribed(server, "ann");
  await until(() => server.topic.readers === 1);
  server.topic.end();
  await until(() => ann.messages.length === 2);
  expect(ann.messages[1]).toEqual({ id: "1", type: "complete" });

  ann.send({ id: "2", type: "subscribe", payload: { query: TICK, variables: { room: "b" } } });
  await until(() => server.counters.sources === 2);
  server.topic.end(new Error("connection string"));
  await until(() => ann.messages.some((message) => message["id"] === "2"));
  expect(ann.messages.find((message) => message["id"] === "2")).toEqual({
    id: "2",
    type: "error",
    payload: [expect.objectContaining({ message: "The service failed unexpectedly. Report the request id." })],
  });
  ann.socket.close();
});

test("a subscription that is refused when it opens says why, to each who asks", async () => {
  const server = await startServer();
  for (let i = 0; i < 2; i++) {
    const client = wsClient(server.wsUrl, "ann");
    for await (const result of client.iterate({ query: "subscription { refused { count } }" })) {
      expect(result.errors).toEqual([
        expect.objectContaining({ message: "No such room.", extensions: { code: "not_found" } }),
      ]);
    }
    await client.dispose();
  }
});

test.each([
  ["no credential", {}, 4403],
  ["a revoked one", { "X-Service-Token": "ann:gone" }, 4403],
  ["one whose check throws", { authorization: "nobody" }, 4403],
  ["an expired one", { "X-Service-Token": "ann:old:1" }, 4403],
])("%s closes the socket", async (_what, payload, code) => {
  const server = await startServer();
  server.revoked.add("gone");
  const raw = await rawSocket(server.wsUrl);
  raw.send({ type: "connection_init", payload });
  expect((await raw.closed).code).toBe(code);
  expect(raw.messages).toEqual([]);
  expect(JSON.stringify(server.unexpected)).toBe("[]");
});

test("protocol errors close with the protocol's codes", async () => {
  const server = await startServer({ limits: { connectionInitTimeoutMs: 50 } });
  const late = await rawSocket(server.wsUrl);
  expect((await late.closed).code).toBe(4408);
  const early = await rawSocket(server.wsUrl);
  early.send({ id: "1", type: "subscribe", payload: { query: "{ hello }" } });
  expect((await early.closed).code).toBe(4401);
  const garbled = await rawSocket(server.wsUrl);
  garbled.socket.send("nonsense");
  expect((await garbled.closed).code).toBe(4400);
  const twice = await rawSocket(server.wsUrl);
  twice.init("ann");
  twice.init("ann");
  expect((await twice.closed).code).toBe(4429);
});

test("a credential that expires while subscribed closes the socket with 4403, without an event", async () => {
  const server = await startServer({ limits: { validityCheckIntervalMs: 20 } });
  const ann = await subscribed(server, `ann:ann1:${Date.now() + 150}`);
  await until(() => server.topic.readers === 1);
  expect(await ann.closed).toEqual({ code: 4403, reason: "The credential has expired" });
  await until(() => server.topic.readers === 0);
});

test("an event after expiry or revocation is not delivered", async () => {
  const server = await startServer({ limits: { validityMaxAgeMs: -1, validityCheckIntervalMs: 3_600_000 } });
  const expiresAtMs = Date.now() + 100;
  const expiring = await subscribed(server, `ann:short:${expiresAtMs}`);
  const revoked = await subscribed(server, "ann:lost");
  const staying = await subscribed(server, "ann:kept");
  await until(() => server.counters.contexts === 3);
  server.revoked.add("lost");
  await until(() => Date.now() > expiresAtMs);
  server.topic.publish({ room: "a", count: 7 });
  expect((await expiring.closed).code).toBe(4403);
  expect((await revoked.closed).code).toBe(4403);
  await until(() => staying.next().length === 1);
  expect([expiring.next(), revoked.next()]).toEqual([[], []]);
  staying.socket.close();
});

test("a credential can be disconnected at once, wherever it is connected", async () => {
  const server = await startServer();
  const first = await subscribed(server, "ann:key");
  const second = await subscribed(server, "ann:key");
  const other = await subscribed(server, "ann:other");
  server.transports.disconnect("key");
  expect([(await first.closed).code, (await second.closed).code]).toEqual([4403, 4403]);
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
  other.socket.close();
});

test("connections are capped in all and by address, and places are given back", async () => {
  for (const limits of [{ maxConnections: 2 }, { maxConnectionsPerIp: 2 }]) {
    const server = await startServer({ limits });
    const open = [await rawSocket(server.wsUrl), await rawSocket(server.wsUrl)];
    await expect(rawSocket(server.wsUrl)).rejects.toThrow("429");
    open[0]?.socket.close();
    await open[0]?.closed;
    await expect
      .poll(() =>
        rawSocket(server.wsUrl).then(
          () => "open",
          () => "refused",
        ),
      )
      .toBe("open");
  }
});

test("connections are capped by account, and places are given back", async () => {
  const server = await startServer({ limits: { maxConnectionsPerAccount: 1 } });
  const first = await subscribed(server, "ann:one");
  const second = await rawSocket(server.wsUrl);
  second.init("ann:two");
  expect((await second.closed).code).toBe(1013);
  const bob = await subscribed(server, "bob");
  first.socket.close();
  await first.closed;
  await expect
    .poll(async () => {
      const again = await rawSocket(server.wsUrl);
      again.init("ann:three");
      return Promise.race([
        again.closed.then(() => "closed"),
        until(() => again.messages.length > 0).then(() => "open"),
      ]);
    })
    .toBe("open");
  bob.socket.close();
});

test("operations at once on a connection are capped; the one too many is refused and the rest go on", async () => {
  const server = await startServer({ limits: { maxSubscriptionsPerConnection: 2 } });
  const ann = await subscribed(server, "ann", { room: "a" }, "1");
  ann.send({ id: "2", type: "subscribe", payload: { query: TICK, variables: { room: "b" } } });
  ann.send({ id: "3", type: "subscribe", payload: { query: TICK, variables: { room: "c" } } });
  await until(() => ann.messages.some((message) => message["type"] === "error"));
  expect(ann.messages.at(-1)).toMatchObject({
    id: "3",
    payload: [{ extensions: { code: "OPERATION_LIMIT_EXCEEDED" } }],
  });
  ann.send({ id: "1", type: "complete" });
  await until(() => server.topic.readers === 1);
  ann.send({ id: "3", type: "subscribe", payload: { query: TICK, variables: { room: "c" } } });
  await until(() => server.topic.readers === 2);
  ann.socket.close();
});

test("a message of the allowed size is read and a larger one closes with 1009", async () => {
  const server = await startServer({ limits: { maxMessageBytes: 500 } });
  const fits = await rawSocket(server.wsUrl);
  fits.socket.send(JSON.stringify({ type: "ping" }).padEnd(500));
  await until(() => fits.messages.length === 1);
  fits.socket.send(JSON.stringify({ type: "ping" }).padEnd(501));
  expect((await fits.closed).code).toBe(1009);
});

test("a socket that does not answer pings is cut", async () => {
  const server = await startServer({ limits: { pingIntervalMs: 30 } });
  const mute = await rawSocket(server.wsUrl, { autoPong: false });
  const answering = await rawSocket(server.wsUrl);
  expect((await mute.closed).code).toBe(1006);
  expect(answering.socket.readyState).toBe(WebSocket.OPEN);
  answering.socket.close();
});

test("a socket that does not read is closed, while others receive everything", async () => {
  const server = await startServer({ limits: { maxBufferedBytes: 20_000, closeTimeoutMs: 50 } });
  const slow = await subscribed(server, "ann", { room: "all" });
  const quick = await subscribed(server, "ann", { room: "all" });
  await until(() => server.counters.contexts === 2);
  slow.socket.pause();
  const room = "x".repeat(100_000);
  let published = 0;
  const openSockets = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_, count) => resolve(count)));
  // Each round waits for the quick reader, so that only the slow one falls behind.
  while ((await openSockets()) > 1 && published < 500) {
    server.topic.publish({ room, count: ++published });
    await until(() => quick.next().length === published);
  }
  expect(published).toBeLessThan(500);
  slow.socket.resume();
  const { code } = await slow.closed;
  expect([1006, 1013]).toContain(code);
  expect(slow.next().length).toBeLessThan(published);
  quick.socket.close();
});

test("closing completes subscriptions, closes sockets with 1001 and stops sources", async () => {
  const server = await startServer();
  const ann = await subscribed(server, "ann");
  const idle = await rawSocket(server.wsUrl);
  await until(() => server.topic.readers === 1);
  await server.app.close();
  expect((await ann.closed).code).toBe(1001);
  expect((await idle.closed).code).toBe(1001);
  expect(server.topic.readers).toBe(0);
});

test("a page of another origin cannot open a socket with this host's cookies", async () => {
  const server = await startServer({ isOriginAllowed: async (origin) => origin === "https://app.example" });
  const headers = (origin: string) => ({ headers: { cookie: "session=1" }, origin });
  await expect(rawSocket(server.wsUrl, headers("https://evil.example"))).rejects.toThrow("403");
  for (const origin of ["https://app.example", `http://127.0.0.1:${server.port}`]) {
    const raw = await rawSocket(server.wsUrl, headers(origin));
    raw.socket.close();
  }
  const tokenOnly = await rawSocket(server.wsUrl, { origin: "https://evil.example" });
  tokenOnly.socket.close();
});

test("an upgrade of another path is refused", async () => {
  const server = await startServer();
  const tcp = connect(server.port, "127.0.0.1");
  tcp.write("GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  const answer = await new Promise<string>((resolve) => tcp.once("data", (data) => resolve(String(data))));
  expect(answer).toContain("404");
});
