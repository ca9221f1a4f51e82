import fastify, { type FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { registerHealth } from "../../../src/platform/http/health.ts";

function createApp(timeoutMs = 1_000) {
  const app = fastify();
  return { app, health: registerHealth(app, { timeoutMs }) };
}

test("/health/live always succeeds, /health/ready only between start and shutdown", async () => {
  const { app, health } = createApp();
  health.addCheck({ name: "database", isRequired: true, check: async () => {} });
  const ready = async () => {
    const response = await app.inject({ url: "/health/ready" });
    return [response.statusCode, response.json<{ status: string }>().status];
  };
  expect((await app.inject({ url: "/health/live" })).json()).toEqual({ status: "ok" });
  expect(await ready()).toEqual([503, "starting"]);
  health.setPhase("ready");
  expect(await ready()).toEqual([200, "ready"]);
  health.setPhase("stopping");
  expect(await ready()).toEqual([503, "stopping"]);
  expect((await app.inject({ url: "/health/live" })).statusCode).toBe(200);
});

test("/health/ready lists failing, throwing and hanging checks by name, without the cause", async () => {
  const { app, health } = createApp(20);
  health.setPhase("ready");
  health.addCheck({ name: "database", isRequired: true, check: async () => {} });
  health.addCheck({
    name: "redis",
    isRequired: true,
    check: () => Promise.reject(new Error("redis://user:pass@host")),
  });
  health.addCheck({ name: "chain", isRequired: true, check: () => new Promise(() => {}) });
  health.addCheck({
    name: "jobs",
    isRequired: true,
    check() {
      throw new Error("not started");
    },
  });
  const response = await app.inject({ url: "/health/ready" });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toEqual({
    status: "failing",
    checks: { database: "ok", redis: "failing", chain: "failing", jobs: "failing" },
  });
});

test("/health/ready responds with 200 while a part is degraded, and states the reason to operators only", async () => {
  const since = new Date("2026-11-26T00:00:00Z");
  const state = { status: "degraded", reason: "ECONNREFUSED", since, isFault: false } as const;
  const app = fastify();
  const parts = {
    states: () => new Map([["smtp", state]]),
    hasAccess: (request: FastifyRequest) => request.headers.authorization === "Bearer operator",
  };
  const health = registerHealth(app, { parts });
  health.setPhase("ready");
  health.addCheck({ name: "pubsub", isRequired: false, check: () => Promise.reject(new Error("away")) });
  const [anyone, operator] = [
    await app.inject({ url: "/health/ready" }),
    await app.inject({ url: "/health/ready", headers: { authorization: "Bearer operator" } }),
  ];
  const expected = { status: "degraded", checks: { pubsub: "degraded" } };
  expect([anyone.statusCode, anyone.json()]).toEqual([200, expected]);
  const details = { smtp: { status: "degraded", reason: "ECONNREFUSED", since: since.toISOString() } };
  expect([operator.statusCode, operator.json()]).toEqual([200, { ...expected, parts: details }]);
});
