import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

/** Starts a TCP server that sends `bytes` on every connection; null: nothing. */
async function startRaw(bytes: string | null): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => bytes !== null && socket.end(bytes));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

test("accepts response headers of 130 KB and rejects 132 KB", async () => {
  const server = await startServer((request, response) => {
    response.writeHead(200, { "x-large": "x".repeat(Number(request.url?.slice(1))) }).end();
  });
  const egress = openEgress();
  const response = await egress.request(get(`${server.url}/130000`));
  response.body.resume();
  expect(response.headers["x-large"]).toHaveLength(130_000);
  await expect(egress.request(get(`${server.url}/132000`))).rejects.toMatchObject({ code: "target_response_invalid" });
});

test("reports a non-HTTP response as invalid, and a closed connection or port as unreachable", async () => {
  const egress = openEgress();
  await expect(egress.request(get(await startRaw("not HTTP at all\r\n\r\n")))).rejects.toMatchObject({
    code: "target_response_invalid",
  });
  await expect(egress.request(get(await startRaw("")))).rejects.toMatchObject({ code: "target_unreachable" });
  await expect(egress.request(get("http://127.0.0.1:1/"))).rejects.toMatchObject({ code: "target_unreachable" });
});

test("times out without response headers, also after a redirect", async () => {
  const silent = await startRaw(null);
  const server = await startServer((_request, response) => response.writeHead(302, { location: silent }).end());
  const egress = openEgress();
  await expect(egress.request(get(silent, { timeoutMs: 100 }))).rejects.toMatchObject({ code: "target_timeout" });
  await expect(egress.request(get(server.url, { timeoutMs: 100 }))).rejects.toMatchObject({ code: "target_timeout" });
});

test("times out while the host name is being resolved", async () => {
  const egress = openEgress({ resolveAll: () => new Promise(() => {}) });
  await expect(egress.request(get("http://slow.test/", { timeoutMs: 100 }))).rejects.toMatchObject({
    code: "target_timeout",
  });
});

test("limits the time for connecting separately", async () => {
  const egress = openEgress({ resolveAll: () => new Promise(() => {}), connectTimeoutMs: 100 });
  await expect(egress.request(get("http://slow.test/", { timeoutMs: 30_000 }))).rejects.toMatchObject({
    code: "target_timeout",
  });
});

test("times out when a body stalls", async () => {
  const server = await startServer((_request, response) => response.writeHead(200).write("begun"));
  const response = await openEgress({ bodyIdleTimeoutMs: 100 }).request(get(server.url));
  await expect(textOf(response.body)).rejects.toMatchObject({ code: "target_timeout" });
});

test("reports an incomplete body as an error", async () => {
  const url = await startRaw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this");
  const response = await openEgress().request(get(url));
  await expect(textOf(response.body)).rejects.toMatchObject({ code: /^target_/ });
});

test("does not decompress bodies and requests compression only if the caller does", async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "set-cookie": ["a=1", "b=2"] }).end("not really gzip");
  });
  const egress = openEgress();
  const plain = await egress.request(get(server.url));
  expect(await textOf(plain.body)).toBe("not really gzip");
  expect(plain.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  await textOf((await egress.request(get(server.url, { headers: { "Accept-Encoding": "br" } }))).body);
  expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual(["identity", "br"]);
});

test("ignores framing headers and host from the caller", async () => {
  const server = await startServer((_request, response) => response.end("ok"));
  const headers = { Host: "other.test", "Content-Length": "3", "Transfer-Encoding": "chunked", Connection: "upgrade" };
  await textOf((await openEgress().request(get(server.url, { method: "POST", headers, body: "hello" }))).body);
  expect(server.requests[0]?.headers.host).toBe(new URL(server.url).host);
  expect(server.requests[0]?.body.toString()).toBe("hello");
});

test("rejects a malformed header as an invalid request", async () => {
  await expect(
    openEgress().request(get("http://127.0.0.1:1/", { headers: { "x-a": "b\r\nc: d" } })),
  ).rejects.toMatchObject({
    code: "invalid_request",
    field: "headers",
  });
});

test("evicting an origin closes idle connections and completes in-flight requests", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const respondLater = async (_request: unknown, response: { end(text: string): unknown }) => {
    await released;
    response.end("done");
  };
  const [one, two] = await Promise.all([startServer(respondLater), startServer(respondLater)]);
  const egress = openEgress({ maxOrigins: 1 });
  const responses = [one, two, one].map(({ url }) => egress.request(get(url)));
  await expect.poll(() => one.requests.length + two.requests.length).toBe(3);
  release();
  const bodies = (await Promise.all(responses)).map(({ body }) => textOf(body));
  expect(await Promise.all(bodies)).toEqual(["done", "done", "done"]);
});
