import { expect, test } from "vitest";
import { openStream, openSubscription, startServer, waitUntil } from "./server.ts";

test("a subscription is sent as server-sent events and shares its source with WebSockets", async () => {
  const server = await startServer();
  const sse = await openStream(server, "ann");
  expect([sse.status, sse.type]).toEqual([200, "text/event-stream"]);
  const socket = await openSubscription(server, "ann");
  await waitUntil(() => server.counters.contexts === 2);
  server.topic.publish({ channel: "a", count: 1 });
  await waitUntil(() => sse.stream.text.includes("event: next"));
  expect(sse.stream.text).toContain('data: {"data":{"tick":{"channel":"a","count":1,"account":"ann"}}}\n\n');
  await waitUntil(() => socket.next().length === 1);
  expect([server.counters.sources, server.counters.executions]).toEqual([1, 1]);
  socket.socket.close();
  await socket.closed;
  sse.abort.abort();
  await waitUntil(() => server.topic.readers === 0, "the source to stop when the reader disconnects");
});

test("GET opens a stream, as EventSource requires", async () => {
  const server = await startServer();
  const query = encodeURIComponent('subscription { tick(channel: "a") { count } }');
  const abort = new AbortController();
  const response = await fetch(`${server.url}?query=${query}`, {
    headers: { accept: "text/event-stream" },
    signal: abort.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  abort.abort();
  await waitUntil(() => server.topic.readers === 0);
});

test("a client that accepts JSON and event streams receives JSON for queries and a stream for subscriptions", async () => {
  const server = await startServer();
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream, multipart/mixed",
  };
  const send = (query: string, signal?: AbortSignal) =>
    fetch(server.url, { method: "POST", headers, body: JSON.stringify({ query }), ...(signal ? { signal } : {}) });
  expect((await send("{ hello }")).headers.get("content-type")).toContain("application/json");
  const abort = new AbortController();
  const stream = await send('subscription { tick(channel: "a") { count } }', abort.signal);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  abort.abort();
});

test("streams count towards the connection limits", async () => {
  const server = await startServer({ limits: { maxConnectionsPerAccount: 1 } });
  const first = await openStream(server, "ann:one");
  const rejected = await openStream(server, "ann:two");
  await waitUntil(() => rejected.stream.ended);
  expect(rejected.stream.text).toContain('"code":"OPERATION_LIMIT_EXCEEDED","cap":"account","limit":1');
  first.abort.abort();
  await expect
    .poll(async () => {
      const next = await openStream(server, "ann:three");
      await waitUntil(() => next.stream.text.length > 0);
      next.abort.abort();
      return next.stream.text.includes("OPERATION_LIMIT_EXCEEDED");
    })
    .toBe(false);
});
