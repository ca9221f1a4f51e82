/** Tests that are named in the headers of the money statements. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const STATEMENTS = join(import.meta.dirname, "../../src/wallet");
/** Matches the last column of a row: the test file without its suffix, and a part of the test's title. */
const NAMED_TEST = /\| (\S+): "([^"]+)" +\|$/gm;

it.each(["reserve-statement.ts", "close-statement.ts"])("%s names only existing tests", async (statement) => {
  const named = [...(await readFile(join(STATEMENTS, statement), "utf8")).matchAll(NAMED_TEST)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, file = "", name] of named) {
    const [path = "", ...others] = globSync(join(import.meta.dirname, `${file}.*test.ts`));
    expect(others).toEqual([]);
    expect(await readFile(path, "utf8")).toContain(name);
  }
});
