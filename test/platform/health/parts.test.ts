import { afterEach, expect, it, vi } from "vitest";
import { createParts, PartFault } from "../../../src/platform/health/parts.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createMetrics } from "../../../src/platform/observability/metrics.ts";

afterEach(() => {
  vi.useRealTimers();
});

function createTestParts(timeoutMs = 1_000) {
  const lines: { part: string; reason?: string; msg: string }[] = [];
  const metrics = createMetrics();
  const logger = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  return { parts: createParts({ logger, metrics, timeoutMs }), lines, metrics };
}

it("records, logs and measures a degraded part once, until it recovers", async () => {
  const { parts, lines, metrics } = createTestParts();
  let failure: Error | null = new PartFault("serves chain 1");
  parts.add({ name: "network:base", check: async () => (failure ? Promise.reject(failure) : null) });
  parts.add({ name: "smtp", check: async () => {} });
  await parts.checkAll();
  await parts.checkAll();
  expect(parts.states().get("network:base")).toMatchObject({
    status: "degraded",
    reason: "serves chain 1",
    isFault: true,
  });
  expect(parts.states().get("smtp")).toMatchObject({ status: "ok", reason: null, isFault: false });
  const text = await metrics.text();
  expect(text).toContain('satchel_part_degraded{part="network:base"} 1');
  expect(text).toContain('satchel_part_degraded{part="smtp"} 0');
  failure = null;
  await parts.checkAll();
  expect(lines.map(({ part, reason, msg }) => [part, reason, msg])).toEqual([
    ["network:base", "serves chain 1", "Part is degraded"],
    ["network:base", undefined, "Part is no longer degraded"],
  ]);
});

it("does not wait for a part that hangs, and hides messages of libraries", async () => {
  const { parts } = createTestParts(20);
  parts.add({ name: "oidc", check: () => new Promise(() => {}) });
  parts.add({
    name: "smtp",
    check: () => Promise.reject(Object.assign(new Error("smtp://user:pass@host"), { code: "EAUTH" })),
  });
  await parts.checkAll();
  expect(parts.states().get("oidc")).toMatchObject({ reason: "no response within 0.02 s", isFault: false });
  expect(parts.states().get("smtp")).toMatchObject({ reason: "EAUTH", isFault: false });
});

it("checks degraded parts every 15 seconds and all parts every minute", async () => {
  vi.useFakeTimers();
  const { parts } = createTestParts();
  const counts = { good: 0, bad: 0 };
  parts.add({
    name: "good",
    check: async () => {
      counts.good += 1;
    },
  });
  parts.add({
    name: "bad",
    check: async () => {
      counts.bad += 1;
      throw new PartFault("bad");
    },
  });
  await parts.checkAll();
  parts.startChecking();
  await vi.advanceTimersByTimeAsync(45_000);
  expect(counts).toEqual({ good: 1, bad: 4 });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(counts).toEqual({ good: 2, bad: 5 });
  parts.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(counts).toEqual({ good: 2, bad: 5 });
});
