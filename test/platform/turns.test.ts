import { expect, it } from "vitest";
import { createTurns } from "../../src/platform/turns.ts";

it("lets so many of a key work at once, in the order they came, and those of other keys beside them", async () => {
  const inTurn = createTurns(2);
  const began: string[] = [];
  const works = new Map<string, PromiseWithResolvers<string>>();
  const ask = (key: string, name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    works.set(name, { promise, resolve, reject });
    return inTurn(key, () => {
      began.push(name);
      return promise;
    });
  };
  const asked = [ask("a", "one"), ask("a", "two"), ask("a", "three"), ask("a", "four"), ask("b", "other")];
  const settled = Promise.allSettled(asked);
  expect(began).toEqual(["one", "two", "other"]);

  works.get("two")?.reject(new Error("It failed."));
  await expect(asked[1]).rejects.toThrow("It failed.");
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
