import { expect, it, onTestFinished, vi } from "vitest";
import { createKeyedSemaphore, MAX_WAIT_MS } from "../../../src/platform/concurrency/keyed-semaphore.ts";
import { RateLimitedError } from "../../../src/platform/errors.ts";

it("runs up to `permits` works per key concurrently, in order of arrival, independent of other keys", async () => {
  const withPermit = createKeyedSemaphore(2);
  const began: string[] = [];
  const works = new Map<string, PromiseWithResolvers<string>>();
  const start = (key: string, name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    works.set(name, { promise, resolve, reject });
    return withPermit(key, () => {
      began.push(name);
      return promise;
    });
  };
  const results = [start("a", "one"), start("a", "two"), start("a", "three"), start("a", "four"), start("b", "other")];
  const settled = Promise.allSettled(results);
  expect(began).toEqual(["one", "two", "other"]);

  works.get("two")?.reject(new Error("It failed."));
  await expect(results[1]).rejects.toThrow("It failed.");
  await expect.poll(() => began).toEqual(["one", "two", "other", "three"]);
  for (const name of ["one", "three", "four", "other"]) works.get(name)?.resolve(name);
  expect((await settled).map((end) => (end.status === "fulfilled" ? end.value : null))).toEqual([
    "one",
    null,
    "three",
    "four",
    "other",
  ]);
  expect(began).toEqual(["one", "two", "other", "three", "four"]);
});

it("rejects a caller that waits too long and never gives it a permit", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const withPermit = createKeyedSemaphore(1);
  const first = Promise.withResolvers<string>();
  const began: string[] = [];
  const work = (name: string) => async () => {
    began.push(name);
    return name;
  };
  const working = withPermit("a", () => first.promise);
  const late = withPermit("a", work("late")).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS - 1);
  const next = withPermit("a", work("next"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBeInstanceOf(RateLimitedError);
  first.resolve("first");
  expect(await Promise.all([working, next])).toEqual(["first", "next"]);
  expect(began).toEqual(["next"]);
});
