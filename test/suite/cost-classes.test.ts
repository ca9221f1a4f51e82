/** Rules of the test suite: each file has one cost class, and tests that need a server run in the pass that has one. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COST_CLASSES } from "../support/cost-classes.ts";
import { readDurations } from "../support/durations.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Matches a test or case that is skipped without a server. */
const SKIPS = /\bskip(?:If)?\b|\? \[\] :|includes\(null\)/;
const SERVER = /\b(?:postgresqlUrl|redisUrl|databaseUrl)\b/;
const TAG = "@module-tag postgresql";
const files = globSync("test/**/*.test.ts", { cwd: ROOT });

it("puts every test file into exactly one cost class", () => {
  const classified = COST_CLASSES.flatMap(({ include, exclude }) => globSync(include, { cwd: ROOT, exclude }));
  expect(classified.toSorted()).toEqual(files.toSorted());
});

it("runs tests that need PostgreSQL or Redis in the pass that has them", () => {
  const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const skipping = files.filter(
    (file) => SKIPS.test(textOf(file)) && SERVER.test(textOf(file)) && !/soak|suite/.test(file),
  );
  expect(skipping.length).toBeGreaterThan(8);
  expect(skipping.filter((file) => !textOf(file).includes(TAG))).toEqual([]);
});

it("has recorded durations of existing files only", () => {
  expect(Object.keys(readDurations()).filter((file) => !files.includes(file))).toEqual([]);
});
