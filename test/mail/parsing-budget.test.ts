import { expect, it } from "vitest";
import { createParsingBudget } from "../../src/mail/incoming/parsing-budget.ts";

const HOST = "192.0.2.7";
let nowMs = 1;
const open = () => createParsingBudget({ now: () => nowMs });

it("refuses a host whose slow messages used 20 seconds in a minute, temporarily, and no other", () => {
  const budget = open();
  for (let count = 0; count < 4; count++) budget.spend(HOST, 4_999);
  expect(() => budget.assertLeft(HOST)).not.toThrow();
  nowMs += 30_000;
  budget.spend(HOST, 1_000);
  expect(() => budget.assertLeft(HOST)).toThrow(expect.objectContaining({ responseCode: 451 }));
  expect(() => budget.assertLeft("192.0.2.8")).not.toThrow();
  expect(() => budget.assertLeft(null)).not.toThrow();
  nowMs += 30_001;
  expect(() => budget.assertLeft(HOST)).not.toThrow();
});

it("counts the networks of IPv6 hosts, and no usual message", () => {
  const budget = open();
  budget.spend("2001:db8::1", 25_000);
  expect(() => budget.assertLeft("2001:db8::2")).toThrow("4.7.1");
  for (let count = 0; count < 100; count++) budget.spend(HOST, 999);
  expect(() => budget.assertLeft(HOST)).not.toThrow();
});
