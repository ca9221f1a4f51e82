import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextEventLoopIteration } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type HttpServerConfig } from "../../../src/platform/http/server.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

const CONFIG: HttpServerConfig = {
  BASE_URL: undefined,
  CORS_ORIGINS: [],
  TRUST_PROXY: [],
  ACCESS_LOG: true,
  ACCESS_LOG_ADDRESS: "truncated",
};

function createApp(config: Partial<HttpServerConfig> = {}) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const app = createHttpServer({
    config: { ...CONFIG, ...config },
    logger: createLogger("info", { write: (line) => void lines.push(line) }),
    metrics,
  });
  app.post("/echo", async (request) => ({ body: request.body }));
  app.get("/items/:id", async (request) => ({ ip: request.ip }));
  app.get("/broken", async () => {
    throw new Error("password=hunter2");
  });
  opened.push(app);
  return { app, metrics, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const json = { "content-type": "application/json" };

test.each([
  ["malformed JSON", { method: "POST", url: "/echo", headers: json, payload: '{"a":' }, 400, "invalid_request"],
  [
    "an empty JSON body",
    { method: "POST", url: "/echo", headers: { ...json, "content-length": "0" }, payload: "" },
    400,
    "invalid_request",
  ],
  [
    "a prototype in JSON",
    { method: "POST", url: "/echo", headers: json, payload: '{"__proto__":1}' },
    400,
    "invalid_request",
  ],
  [
    "another content type",
    { method: "POST", url: "/echo", headers: { "content-type": "a/b" }, payload: "x" },
    415,
    "invalid_request",
  ],
  [
    "more than 1 MiB",
    { method: "POST", url: "/echo", headers: json, payload: `"${"x".repeat(1_048_576)}"` },
    413,
    "payload_too_large",
  ],
  ["a path that cannot be decoded", { method: "GET", url: "/items/%E0%A4%A" }, 400, "invalid_request"],
  ["a very long parameter", { method: "GET", url: `/items/${"x".repeat(600)}` }, 414, "invalid_request"],
  ["an unknown route", { method: "GET", url: "/nowhere" }, 404, "not_found"],
  ["another method", { method: "DELETE", url: "/echo" }, 404, "not_found"],
] as const)("responds to %s with a JSON error", async (_case, request, status, error) => {
  const { app } = createApp();
  const response = await app.inject(request);
  expect(response.statusCode).toBe(status);
  const body = response.json<Record<string, string>>();
  expect(Object.keys(body)).toEqual(["error", "error_description", "message"]);
  expect(body["error"]).toBe(error);
  expect(response.headers["x-request-id"]).toMatch(/^req_\d+_\w{12}$/);
});

test("an unexpected error response contains only the request id; the log contains the error", async () => {
  const { app, lines } = createApp();
  const response = await app.inject({ url: "/broken" });
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ error: "internal_error", request_id: response.headers["x-request-id"] });
  expect(response.body).not.toContain("hunter2");
  const logged = lines().find(({ level }) => level === "error");
  expect(logged).toMatchObject({ requestId: response.headers["x-request-id"], route: "/broken" });
});

test.each([
  ["logs a valid id of the client as its own field", "trace-1:a/b.c", "trace-1:a/b.c"],
  ["omits an id with characters that could corrupt a log", 'a"b', undefined],
  ["omits an id that is too long", "x".repeat(101), undefined],
])("request id: %s, and responds with its own", async (_case, clientRequestId, logged) => {
  const { app, lines } = createApp();
  const response = await app.inject({ url: "/items/1", headers: { "x-request-id": clientRequestId } });
  const requestId = response.headers["x-request-id"];
  expect(requestId).toMatch(/^req_\d+_\w{12}$/);
  await nextEventLoopIteration();
  const [line = {}] = lines();
  expect(line).toMatchObject({ requestId });
  expect(line["clientRequestId"]).toBe(logged);
});

test.each([
  ["truncated", "203.0.113.77", "203.0.113.0/24"],
  ["truncated", "2001:db8:1:2::3", "2001:db8:1::/48"],
  ["truncated", "::ffff:203.0.113.77", "203.0.113.0/24"],
  ["full", "2001:db8:1:2::3", "2001:db8:1:2::3"],
  ["none", "203.0.113.77", undefined],
] as const)(
  "the access log has addresses as configured: %s, %s",
  async (ACCESS_LOG_ADDRESS, remoteAddress, expected) => {
    const { app, lines } = createApp({ ACCESS_LOG_ADDRESS });
    await app.inject({ url: "/items/1", remoteAddress });
    await nextEventLoopIteration();
    expect(lines()[0]).toMatchObject({ stream: "access", route: "/items/:id", status: 200, msg: "request" });
    expect(lines()[0]?.["address"]).toBe(expected);
  },
);

test("ACCESS_LOG=0 writes no line and still measures requests", async () => {
  const { app, lines, metrics } = createApp({ ACCESS_LOG: false });
  await app.inject({ url: "/items/1" });
  await nextEventLoopIteration();
  expect(lines()).toEqual([]);
  expect(await metrics.text()).toContain('route="/items/:id",status="200"} 1');
});

test("logs and metrics contain the route, not the URL", async () => {
  const { app, metrics, lines } = createApp();
  await app.inject({ url: "/items/secret-1?token=secret-2" });
  await app.inject({ url: "/secret-3" });
  await nextEventLoopIteration();
  const measured = await metrics.text();
  expect(lines()[0]).toMatchObject({ method: "GET", route: "/items/:id", status: 200, msg: "request" });
  expect(JSON.stringify(lines()) + measured).not.toContain("secret-");
  expect(measured).toContain('http_request_duration_seconds_count{method="GET",route="/items/:id",status="200"} 1');
  expect(measured).toContain('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1');
});

test("every response has security headers, unless the route sets its own policy or disables them", async () => {
  const { app } = createApp({ BASE_URL: "https://satchel.example" });
  app.get("/page", async (_request, reply) =>
    reply.header("content-security-policy", "default-src 'self'").send("page"),
  );
  app.get("/proxied", { config: { securityHeaders: false } }, async () => "forwarded");
  const [plain, page, proxied] = [
    await app.inject({ url: "/nowhere" }),
    await app.inject({ url: "/page" }),
    await app.inject({ url: "/proxied" }),
  ];
  expect(plain.headers).toMatchObject({
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
  });
  expect(page.headers["content-security-policy"]).toBe("default-src 'self'");
  expect(proxied.headers["content-security-policy"]).toBeUndefined();
  expect(proxied.headers["x-request-id"]).toBeDefined();
});

test("only configured origins receive CORS headers", async () => {
  const { app } = createApp({ CORS_ORIGINS: ["https://app.example"] });
  const preflight = (origin: string) =>
    app.inject({ method: "OPTIONS", url: "/echo", headers: { origin, "access-control-request-method": "POST" } });
  expect((await preflight("https://app.example")).headers["access-control-allow-origin"]).toBe("https://app.example");
  expect((await preflight("https://evil.example")).headers["access-control-allow-origin"]).toBeUndefined();
  const without = createApp();
  const response = await without.app.inject({ url: "/items/1", headers: { origin: "https://app.example" } });
  expect(response.headers["access-control-allow-origin"]).toBeUndefined();
});

test("X-Forwarded-For is ignored unless the peer is a trusted proxy", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const untrusted = await createApp().app.inject({ url: "/items/1", headers });
  expect(untrusted.json()).toEqual({ ip: "127.0.0.1" });
  const trusted = await createApp({ TRUST_PROXY: ["127.0.0.1"] }).app.inject({ url: "/items/1", headers });
  expect(trusted.json()).toEqual({ ip: "203.0.113.9" });
});

test.each([
  ["not HTTP", "hello\r\n\r\n", "HTTP/1.1 400"],
  ["oversized headers", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, "HTTP/1.1 431"],
])("responds to %s on the socket with a JSON error", async (_case, bytes, status) => {
  const { app } = createApp();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  const response = await text(socket);
  expect(response.startsWith(status)).toBe(true);
  expect(JSON.parse(response.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: "invalid_request" });
});

test.each([
  ["with Content-Length", (size: number) => `content-length: ${size}\r\n\r\n`, ""],
  ["in one chunk", (size: number) => `transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n`, "\r\n0\r\n\r\n"],
])("a client that sends an oversized body %s before reading receives 413", async (_case, opening, end) => {
  const { app } = createApp();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  // Far more than the socket buffers of both ends.
  const body = Buffer.alloc(24 * 1024 * 1024, "x");
  socket.write(`POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${opening(body.length)}`);
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(body, (error) => (error ? reject(error) : resolve()));
  });
  socket.write(`${end}GET /items/1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  const responses = await text(socket);
  expect(responses).toMatch(/^HTTP\/1\.1 413 .*"payload_too_large".*HTTP\/1\.1 200 .*"ip"/s);
});

test("an endless body is not drained for ever", async () => {
  const { app } = createApp();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {}).resume();
  socket.write(
    "POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
  );
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const writeMore = () => void (socket.writable && socket.write(chunk, writeMore));
  writeMore();
  await ended;
});

test("an in-flight request completes while the server closes", async () => {
  const { app } = createApp();
  const released = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  app.get("/slow", async () => {
    started.resolve();
    await released.promise;
    return { done: true };
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const body = fetch(`${address}/slow`).then((response) => response.json());
  await started.promise;
  const closing = app.close();
  released.resolve();
  expect(await body).toEqual({ done: true });
  await closing;
});

test("a connection without a request does not prevent the server from closing", async () => {
  const { app } = createApp();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const silent = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await Promise.all([once(app.server, "connection"), once(silent, "connect")]);
  const closed = once(silent, "close");
  silent.resume();
  await app.close();
  await closed;
});

test("batched responses are complete, and one with an invalid header fails alone", async () => {
  const { app, lines } = createApp();
  app.get("/unwritable", (_request, reply) => reply.header("x-note", "a\nb").send("never"));
  const urls = ["/items/1", "/unwritable", "/items/2", "/unwritable", "/nowhere"];
  const responses = await Promise.all(urls.map((url) => app.inject({ url })));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200, 500, 404]);
  expect(responses[1]?.headers).not.toHaveProperty("x-note");
  expect(responses[2]?.json()).toEqual({ ip: "127.0.0.1" });
  await nextEventLoopIteration();
  expect(lines().filter(({ msg }) => msg === "request")).toHaveLength(urls.length);
});

test("responses are written together at the end of the event loop iteration", async () => {
  const { app } = createApp();
  const ready = Promise.withResolvers<string>();
  const responses: ServerResponse[] = [];
  app.get("/waits", async (_request, reply) => {
    responses.push(reply.raw);
    return await ready.promise;
  });
  const received = ["a", "b"].map(() => app.inject({ url: "/waits" }));
  while (responses.length < received.length) await nextEventLoopIteration();
  ready.resolve("now");
  for (let microtask = 0; microtask < 100; microtask++) await null;
  expect(responses.map(({ headersSent }) => headersSent)).toEqual([false, false]);
  await nextEventLoopIteration();
  expect(responses.map(({ headersSent }) => headersSent)).toEqual([true, true]);
  expect((await Promise.all(received)).map(({ body }) => body)).toEqual(["now", "now"]);
});

test.each([
  ["twice", "Host: pay.example\r\nhost: other.example\r\n", 400],
  ["once", "HOST: pay.example\r\nX-Host: other.example\r\n", 200],
])("a request that names its host %s", async (_label, headers, status) => {
  const { app } = createApp();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET /items/1 HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
