import { expect, test } from "vitest";
import { startServer, subscribed, TICK, until } from "./server.ts";

type Server = Awaited<ReturnType<typeof startServer>>;

/** Opens an event stream and collects what it says. */
async function listen(server: Server, token: string, variables: object = { room: "a" }) {
  const abort = new AbortController();
  const response = await fetch(server.url, {
    method: "POST",
    signal: abort.signal,
    headers: { "content-type": "application/json", accept: "text/event-stream", "x-service-token": token },
    body: JSON.stringify({ query: TICK, variables }),
  });
  const stream = { status: response.status, type: response.headers.get("content-type"), text: "", ended: false };
  const reading = (async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString();
    stream.ended = true;
  })().catch(() => undefined);
  return { ...stream, stream, abort, reading };
}

test("a subscription is streamed as server-sent events and shares its source with sockets", async () => {
  const server = await startServer();
  const sse = await listen(server, "ann");
  expect([sse.status, sse.type]).toEqual([200, "text/event-stream"]);
  const socket = await subscribed(server, "ann");
  await until(() => server.counters.contexts === 2);
  server.topic.publish({ room: "a", count: 1 });
  await until(() => sse.stream.text.includes("event: next"));
  expect(sse.stream.text).toContain('data: {"data":{"tick":{"room":"a","count":1,"account":"ann"}}}\n\n');
  await until(() => socket.next().length === 1);
  expect([server.counters.sources, server.counters.executions]).toEqual([1, 1]);
  socket.socket.close();
  await socket.closed;
  sse.abort.abort();
  await until(() => server.topic.readers === 0, "the source to stop when the reader goes");
});

test("GET opens a stream too, as an EventSource does", async () => {
  const server = await startServer();
  const query = encodeURIComponent('subscription { tick(room: "a") { count } }');
  const abort = new AbortController();
  const response = await fetch(`${server.url}?query=${query}`, {
    headers: { accept: "text/event-stream" },
    signal: abort.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  abort.abort();
  await until(() => server.topic.readers === 0);
});

test("a client that accepts JSON first and streams too, gets the one for queries and the other for subscriptions", async () => {
  const server = await startServer();
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream, multipart/mixed",
  };
  const send = (query: string, signal?: AbortSignal) =>
    fetch(server.url, { method: "POST", headers, body: JSON.stringify({ query }), ...(signal ? { signal } : {}) });
  expect((await send("{ hello }")).headers.get("content-type")).toContain("application/json");
  const abort = new AbortController();
  const stream = await send('subscription { tick(room: "a") { count } }', abort.signal);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  abort.abort();
});

test("the stream ends when the source does, when the credential is revoked, and when the server closes", async () => {
  const server = await startServer();
  const first = await listen(server, "ann:one");
  await until(() => server.topic.readers === 1);
  server.topic.end();
  await until(() => first.stream.ended);
  expect(first.stream.text).toContain("event: complete");
  const second = await listen(server, "ann:two");
  server.transports.disconnect("two");
  await until(() => second.stream.ended);
  const third = await listen(server, "ann:three");
  await server.app.close();
  await until(() => third.stream.ended);
  expect(server.topic.readers).toBe(0);
});

test("streams count against the caps on connections", async () => {
  const server = await startServer({ limits: { maxConnectionsPerAccount: 1 } });
  const first = await listen(server, "ann:one");
  const refused = await listen(server, "ann:two");
  await until(() => refused.stream.ended);
  expect(refused.stream.text).toContain("OPERATION_LIMIT_EXCEEDED");
  first.abort.abort();
  await expect
    .poll(async () => {
      const again = await listen(server, "ann:three");
      await until(() => again.stream.text.length > 0);
      again.abort.abort();
      return again.stream.text.includes("OPERATION_LIMIT_EXCEEDED");
    })
    .toBe(false);
});
