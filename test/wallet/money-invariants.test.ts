/** The headers of the money statements name a test for each invariant. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const STATEMENTS = join(import.meta.dirname, "../../src/wallet");
/** The last column of a row: the test's file without its suffix, and part of its name. */
const NAMED_TEST = /\| (\S+): "([^"]+)" +\|$/gm;

it.each(["reserve-statement.ts", "close-statement.ts"])("%s names tests that exist", async (statement) => {
  const named = [...(await readFile(join(STATEMENTS, statement), "utf8")).matchAll(NAMED_TEST)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, file = "", name] of named) {
    const [path = "", ...others] = globSync(join(import.meta.dirname, `${file}.*test.ts`));
    expect(others).toEqual([]);
    expect(await readFile(path, "utf8")).toContain(name);
  }
});
