import fastify from "fastify";
import { expect, test } from "vitest";
import { registerMetricsRoute } from "../../../src/platform/http/metrics-route.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";

const TOKEN = "0123456789abcdef";

function createApp(...tokens: string[]) {
  const metrics = createMetrics();
  metrics.counter("payments_total", "Payments.", ["network"]).inc({ network: "base" });
  metrics.gauge("queue_length", "Jobs waiting.", [], async () => 7);
  const app = fastify();
  registerMetricsRoute(app, metrics, tokens);
  return app;
}

test("requires the bearer token if one is configured", async () => {
  const app = createApp(TOKEN);
  const status = async (authorization?: string) =>
    (await app.inject({ url: "/metrics", headers: authorization ? { authorization } : {} })).statusCode;
  expect(await status(`Bearer ${TOKEN}`)).toBe(200);
  expect(await status(`Bearer ${TOKEN}x`)).toBe(401);
  expect(await status(`Bearer ${TOKEN.slice(1)}`)).toBe(401);
  expect(await status(TOKEN)).toBe(401);
  expect(await status()).toBe(401);
});

test("accepts each token while the operator replaces it", async () => {
  const app = createApp(TOKEN, "fedcba9876543210");
  for (const token of [TOKEN, "fedcba9876543210"]) {
    const response = await app.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
    expect(response.statusCode).toBe(200);
  }
  expect((await app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" })).statusCode).toBe(401);
});

test.each([
  ["127.0.0.1", {}, 200],
  ["::1", {}, 200],
  ["::ffff:127.0.0.1", {}, 200],
  ["10.0.0.7", {}, 403],
  ["2001:db8::1", {}, 403],
  ["127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, 403],
  ["127.0.0.1", { forwarded: "for=203.0.113.9" }, 403],
])("without a configured token, responds to %s with headers %o with %i", async (remoteAddress, headers, expected) => {
  const response = await createApp().inject({ url: "/metrics", remoteAddress, headers });
  expect(response.statusCode).toBe(expected);
});

test("returns counters and gauges in Prometheus text format", async () => {
  const response = await createApp().inject({ url: "/metrics" });
  expect(response.headers["content-type"]).toMatch(/^text\/plain/);
  expect(response.body).toContain('payments_total{network="base"} 1');
  expect(response.body).toContain("queue_length 7");
});

test("includes the process metrics once in each service of the process", async () => {
  const apps = [createApp(), createApp()];
  const bodies = await Promise.all(apps.map(async (app) => (await app.inject({ url: "/metrics" })).body));
  for (const body of bodies) expect(body.match(/^nodejs_eventloop_lag_seconds /gm)).toHaveLength(1);
});
