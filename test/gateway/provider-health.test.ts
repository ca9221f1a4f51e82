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

it("suspends a model for the account alone whose calls fail, and probes it with one call", () => {
  for (let n = 0; n < 5; n++) expect(call("a", "one", "fail")).toBe(true);
  expect(health.suspensionOf("a", "one")).toEqual({ cause: "failing", retryAfterMs: 10_000 });
  expect([call("a", "two", "leave"), call("b", "one", "leave"), health.countSuspended()]).toEqual([true, true, 1]);
  nowMs += 10_000;
  expect(health.suspensionOf("a", "one")).toBeNull();
  expect(health.suspensionOf("a", "one")).toMatchObject({ cause: "failing" });
  health.fail("a", "one");
  expect(health.suspensionOf("a", "one")).toMatchObject({ retryAfterMs: 10_000 });
});

it("refuses a model to no other account, however many fail, and calls its provider last", () => {
  for (const account of ["one", "two"]) for (let n = 0; n < 9; n++) call("a", account, "fail");
  expect(health.isDoubtful("a")).toBe(false);
  for (let n = 3; n < 50; n++) call("a", `account ${n}`, "fail");
  expect([health.isDoubtful("a"), health.isDoubtful("b"), health.suspensionOf("a", "four")]).toEqual([
    true,
    false,
    null,
  ]);
  nowMs += 10_000;
  expect(health.isDoubtful("a")).toBe(false);
});

it("does not doubt a model for repeated failures of one account", () => {
  for (const account of ["one", "two", "three"]) call("a", account, "fail");
  nowMs += 10_000;
  for (let n = 0; n < 9; n++) health.fail("a", "three");
  expect(health.isDoubtful("a")).toBe(false);
});

it("permits another probe after one that says nothing about the provider", () => {
  for (let n = 0; n < 5; n++) call("a", "one", "fail");
  nowMs += 10_000;
  expect([call("a", "one", "leave"), call("a", "one", "leave")]).toEqual([true, true]);
});

it("counts only failures without a success between them", () => {
  for (let n = 0; n < 20; n++) {
    expect(call("a", "one", "fail")).toBe(true);
    if (n % 4 === 3) call("a", "two", "succeed");
  }
});

it("cools a model down for the account that was rate limited, one second if the provider states no time", () => {
  health.coolDown("a", "one", null);
  expect(health.suspensionOf("a", "one")).toEqual({ cause: "rate_limited", retryAfterMs: 1_000 });
  expect(health.suspensionOf("a", "two")).toBeNull();
  nowMs += 1_000;
  expect(health.suspensionOf("a", "one")).toBeNull();
});

it("cools a model down for the stated time, five minutes at most, and no other", () => {
  health.coolDown("a", "one", 30_000);
  health.coolDown("a", "one", 1_000);
  expect(health.suspensionOf("a", "one")).toEqual({ cause: "rate_limited", retryAfterMs: 30_000 });
  expect([health.suspensionOf("b", "one"), health.suspensionOf("a", "two")]).toEqual([null, null]);
  nowMs += 30_000;
  expect(health.suspensionOf("a", "one")).toBeNull();
  health.coolDown("a", "one", 86_400_000);
  expect(health.suspensionOf("a", "one")).toMatchObject({ retryAfterMs: 300_000 });
});
