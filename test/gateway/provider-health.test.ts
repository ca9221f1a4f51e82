import { beforeEach, expect, it } from "vitest";
import { createProviderHealth, type ProviderHealth } from "../../src/gateway/provider-health.ts";

let nowMs: number;
let health: ProviderHealth;
beforeEach(() => {
  nowMs = 1_000;
  health = createProviderHealth(() => nowMs);
});

/** Calls the model if it is not suspended. Returns whether it was called. */
function call(model: string, account: string, outcome: "succeed" | "fail" | "leave"): boolean {
  if (health.suspensionOf(model, account)) return false;
  health[outcome](model, account);
  return true;
}

it("suspends a model for the account alone whose calls fail", () => {
  for (let n = 0; n < 5; n++) expect(call("a", "one", "fail")).toBe(true);
  expect(health.suspensionOf("a", "one")).toEqual({ cause: "failing", retryAfterMs: 10_000 });
  expect([call("a", "two", "leave"), call("b", "one", "leave"), health.countSuspended()]).toEqual([true, true, 1]);
});

it("suspends a model for all after failures of three accounts, and probes it with one call", () => {
  for (const account of ["one", "two", "three"]) call("a", account, "fail");
  expect(call("a", "four", "succeed")).toBe(false);
  nowMs += 10_000;
  expect(health.suspensionOf("a", "four")).toBeNull();
  expect(health.suspensionOf("a", "five")).not.toBeNull();
  health.fail("a", "four");
  expect(health.suspensionOf("a", "five")).toMatchObject({ retryAfterMs: 10_000 });
  nowMs += 10_000;
  expect(call("a", "five", "succeed")).toBe(true);
  expect([call("a", "one", "leave"), call("a", "two", "leave")]).toEqual([true, true]);
});

it("does not extend the suspension of all for repeated failures of one account", () => {
  for (const account of ["one", "two", "three"]) call("a", account, "fail");
  nowMs += 10_000;
  expect(call("a", "three", "fail")).toBe(true);
  expect(call("a", "four", "succeed")).toBe(true);
});

it("permits another probe after one that says nothing about the provider", () => {
  for (const account of ["one", "two", "three"]) call("a", account, "fail");
  nowMs += 10_000;
  expect([call("a", "four", "leave"), call("a", "five", "leave")]).toEqual([true, true]);
});

it("counts only failures without a success between them", () => {
  for (let n = 0; n < 20; n++) {
    expect(call("a", "one", "fail")).toBe(true);
    if (n % 4 === 3) call("a", "two", "succeed");
  }
});

it("cools a model down for one account if the provider states no time", () => {
  health.coolDown("a", "one", null);
  expect(health.suspensionOf("a", "one")).toEqual({ cause: "rate_limited", retryAfterMs: 1_000 });
  expect(health.suspensionOf("a", "two")).toBeNull();
  nowMs += 1_000;
  expect(health.suspensionOf("a", "one")).toBeNull();
});

it("cools a model down for all accounts, five minutes at most, and no other", () => {
  health.coolDown("a", "one", 30_000);
  health.coolDown("a", "one", 1_000);
  expect(health.suspensionOf("a", "two")).toEqual({ cause: "rate_limited", retryAfterMs: 30_000 });
  expect(health.suspensionOf("b", "two")).toBeNull();
  nowMs += 30_000;
  expect(health.suspensionOf("a", "two")).toBeNull();
  health.coolDown("a", "one", 86_400_000);
  expect(health.suspensionOf("a", "two")).toMatchObject({ retryAfterMs: 300_000 });
});
