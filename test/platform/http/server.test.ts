import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turnOfTheEventLoop } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type HttpServerConfig } from "../../../src/platform/http/server.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

function open(config: Partial<HttpServerConfig> = {}) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const app = createHttpServer({
    config: { BASE_URL: undefined, CORS_ORIGINS: [], TRUST_PROXY: [], ...config },
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
] as const)("%s is answered in the house's form", async (_what, request, status, error) => {
  const { app } = open();
  const response = await app.inject(request);
  expect(response.statusCode).toBe(status);
  const body = response.json<Record<string, string>>();
  expect(Object.keys(body)).toEqual(["error", "error_description", "message"]);
  expect(body["error"]).toBe(error);
  expect(response.headers["x-request-id"]).toMatch(/^req_\d+_\w{12}$/);
});

test("an unexpected error tells the caller its request id and nothing else; the log tells the rest", async () => {
  const { app, lines } = open();
  const response = await app.inject({ url: "/broken" });
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ error: "internal_error", request_id: response.headers["x-request-id"] });
  expect(response.body).not.toContain("hunter2");
  const logged = lines().find(({ level }) => level === "error");
  expect(logged).toMatchObject({ requestId: response.headers["x-request-id"], route: "/broken" });
});

test.each([
  ["a sane id is kept", "trace-1:a/b.c", "trace-1:a/b.c"],
  ["one that could break a log is replaced", 'a"b', /^req_/],
  ["one too long is replaced", "x".repeat(101), /^req_/],
])("request ids: %s", async (_what, given, expected) => {
  const { app } = open();
  const response = await app.inject({ url: "/items/1", headers: { "x-request-id": given } });
  expect(response.headers["x-request-id"]).toMatch(expected);
});

test("logs and metrics name the route, not the URL", async () => {
  const { app, metrics, lines } = open();
  await app.inject({ url: "/items/secret-1?token=secret-2" });
  await app.inject({ url: "/secret-3" });
  await turnOfTheEventLoop();
  const measured = await metrics.text();
  expect(lines()[0]).toMatchObject({ method: "GET", route: "/items/:id", status: 200, msg: "request" });
  expect(JSON.stringify(lines()) + measured).not.toContain("secret-");
  expect(measured).toContain('http_request_duration_seconds_count{method="GET",route="/items/:id",status="200"} 1');
  expect(measured).toContain('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1');
});

test("every answer carries the headers that keep browsers safe; a route may have its own policy or none", async () => {
  const { app } = open({ BASE_URL: "https://satchel.example" });
  app.get("/page", async (_request, reply) =>
    reply.header("content-security-policy", "default-src 'self'").send("page"),
  );
  app.get("/proxied", { config: { securityHeaders: false } }, async () => "from elsewhere");
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

test("browsers of listed origins may call, others may not", async () => {
  const { app } = open({ CORS_ORIGINS: ["https://shop.example"] });
  const preflight = (origin: string) =>
    app.inject({ method: "OPTIONS", url: "/echo", headers: { origin, "access-control-request-method": "POST" } });
  expect((await preflight("https://shop.example")).headers["access-control-allow-origin"]).toBe("https://shop.example");
  expect((await preflight("https://evil.example")).headers["access-control-allow-origin"]).toBeUndefined();
  const without = open();
  const response = await without.app.inject({ url: "/items/1", headers: { origin: "https://shop.example" } });
  expect(response.headers["access-control-allow-origin"]).toBeUndefined();
});

test("X-Forwarded-For counts only from a trusted proxy", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const untrusted = await open().app.inject({ url: "/items/1", headers });
  expect(untrusted.json()).toEqual({ ip: "127.0.0.1" });
  const trusted = await open({ TRUST_PROXY: ["127.0.0.1"] }).app.inject({ url: "/items/1", headers });
  expect(trusted.json()).toEqual({ ip: "203.0.113.9" });
});

test.each([
  ["not HTTP", "hello\r\n\r\n", "HTTP/1.1 400"],
  ["headers beyond all measure", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, "HTTP/1.1 431"],
])("on the socket, %s is refused in the house's form", async (_what, bytes, status) => {
  const { app } = open();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  const answer = await text(socket);
  expect(answer.startsWith(status)).toBe(true);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: "invalid_request" });
});

test.each([
  ["of a length it tells", (size: number) => `content-length: ${size}\r\n\r\n`, ""],
  ["in a chunk", (size: number) => `transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n`, "\r\n0\r\n\r\n"],
])("who reads no answer before all is sent gets that of a body too large, %s", async (_what, opening, end) => {
  const { app } = open();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  // Far more than what waits in the buffers of both ends.
  const body = Buffer.alloc(24 * 1024 * 1024, "x");
  socket.write(`POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${opening(body.length)}`);
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(body, (error) => (error ? reject(error) : resolve()));
  });
  socket.write(`${end}GET /items/1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  const answers = await text(socket);
  expect(answers).toMatch(/^HTTP\/1\.1 413 .*"payload_too_large".*HTTP\/1\.1 200 .*"ip"/s);
});

test("the rest of a body without end is not taken", async () => {
  const { app } = open();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {}).resume();
  socket.write(
    "POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
  );
  const piece = Buffer.alloc(1024 * 1024, "x");
  const goOn = () => void (socket.writable && socket.write(piece, goOn));
  goOn();
  await ended;
});

test("a request under way is answered while the server closes", async () => {
  const { app } = open();
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  app.get("/slow", async () => {
    started.resolve();
    await held.promise;
    return { done: true };
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const answer = fetch(`${address}/slow`).then((response) => response.json());
  await started.promise;
  const closing = app.close();
  held.resolve();
  expect(await answer).toEqual({ done: true });
  await closing;
});

test("a connection that has not asked for anything does not keep the server from closing", async () => {
  const { app } = open();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const silent = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await Promise.all([once(app.server, "connection"), once(silent, "connect")]);
  const closed = once(silent, "close");
  silent.resume();
  await app.close();
  await closed;
});

test("answers that are ready together come in full, and one that cannot be written fails alone", async () => {
  const { app, lines } = open();
  app.get("/unwritable", (_request, reply) => reply.header("x-note", "a\nb").send("never"));
  const urls = ["/items/1", "/unwritable", "/items/2", "/unwritable", "/nowhere"];
  const answers = await Promise.all(urls.map((url) => app.inject({ url })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200, 500, 404]);
  expect(answers[1]?.headers).not.toHaveProperty("x-note");
  expect(answers[2]?.json()).toEqual({ ip: "127.0.0.1" });
  await turnOfTheEventLoop();
  expect(lines().filter(({ msg }) => msg === "request")).toHaveLength(urls.length);
});

test("answers are written together, at the end of the turn in which they are ready", async () => {
  const { app } = open();
  const ready = Promise.withResolvers<string>();
  const answers: ServerResponse[] = [];
  app.get("/waits", async (_request, reply) => {
    answers.push(reply.raw);
    return await ready.promise;
  });
  const received = ["a", "b"].map(() => app.inject({ url: "/waits" }));
  while (answers.length < received.length) await turnOfTheEventLoop();
  ready.resolve("now");
  for (let microtask = 0; microtask < 100; microtask++) await null;
  expect(answers.map(({ headersSent }) => headersSent)).toEqual([false, false]);
  await turnOfTheEventLoop();
  expect(answers.map(({ headersSent }) => headersSent)).toEqual([true, true]);
  expect((await Promise.all(received)).map(({ body }) => body)).toEqual(["now", "now"]);
});
