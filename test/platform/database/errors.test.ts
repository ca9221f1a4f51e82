import { expect, it } from "vitest";
import { isRolledBack } from "../../../src/platform/database/errors.ts";
import { retryDeadlocks } from "../../../src/platform/database/retry-deadlocks.ts";

const withState = (code: string) => Object.assign(new Error(code), { code });

it.each(["22003", "23505", "40001", "40P01", "SR001"])("%s: the statement was rolled back", (state) => {
  expect(isRolledBack(withState(state))).toBe(true);
  const wrapped = { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: state } } } };
  expect(isRolledBack(wrapped)).toBe(true);
});

it.each(["40003", "08006", "57P01", "57014", "ECONNRESET", "P2024"])("%s: it may have been committed", (state) => {
  expect(isRolledBack(withState(state))).toBe(false);
});

it("repeats what was rolled back to end a deadlock, five times in all", async () => {
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

it("repeats nothing else", async () => {
  let runs = 0;
  const lost = retryDeadlocks(async () => {
    runs++;
    throw withState("08006");
  });
  await expect(lost).rejects.toMatchObject({ code: "08006" });
  expect(runs).toBe(1);
});
