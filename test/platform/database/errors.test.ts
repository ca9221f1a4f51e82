import { expect, it } from "vitest";
import { isRolledBack } from "../../../src/platform/database/errors.ts";
import { retryDeadlocks } from "../../../src/platform/database/retry-deadlocks.ts";

const withState = (code: string) => Object.assign(new Error(code), { code });

it.each(["22003", "23505", "40001", "40P01", "SR001"])("isRolledBack returns true for %s", (state) => {
  expect(isRolledBack(withState(state))).toBe(true);
  const wrapped = { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: state } } } };
  expect(isRolledBack(wrapped)).toBe(true);
});

it.each(["40003", "08006", "57P01", "57014", "ECONNRESET", "P2024"])("isRolledBack returns false for %s", (state) => {
  expect(isRolledBack(withState(state))).toBe(false);
});

it("retryDeadlocks makes at most five attempts after deadlocks", async () => {
  let runs = 0;
  const result = await retryDeadlocks(async () => {
    if (++runs < 5) throw withState("40P01");
    return "done";
  });
  expect([result, runs]).toEqual(["done", 5]);
  runs = 0;
  const endless = retryDeadlocks(async () => {
    runs++;
    throw withState("40P01");
  });
  await expect(endless).rejects.toMatchObject({ code: "40P01" });
  expect(runs).toBe(5);
});

it("retryDeadlocks does not retry other errors", async () => {
  let runs = 0;
  const lost = retryDeadlocks(async () => {
    runs++;
    throw withState("08006");
  });
  await expect(lost).rejects.toMatchObject({ code: "08006" });
  expect(runs).toBe(1);
});
