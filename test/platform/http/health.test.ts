import fastify from "fastify";
import { expect, test } from "vitest";
import { registerHealth } from "../../../src/platform/http/health.ts";

function createApp(timeoutMs = 1_000) {
  const app = fastify();
  return { app, health: registerHealth(app, { timeoutMs }) };
}

test("/health/live always succeeds, /health/ready only between start and shutdown", async () => {
  const { app, health } = createApp();
  health.addCheck({ name: "database", check: async () => {} });
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
  health.addCheck({ name: "database", check: async () => {} });
  health.addCheck({ name: "redis", check: () => Promise.reject(new Error("redis://user:pass@host")) });
  health.addCheck({ name: "chain", check: () => new Promise(() => {}) });
  health.addCheck({
    name: "jobs",
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
