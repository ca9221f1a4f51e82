import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { COST_CLASSES } from "./test/support/cost-classes.ts";
import { FileOrder } from "./test/support/file-order.ts";
import { RunReport } from "./test/support/run-report.ts";

/** With TEST_TAG, only the files that carry `@module-tag` with it: none of the others is even loaded. */
const tag = process.env["TEST_TAG"];

/** A file to write the result to as JSON: CI counts the tests in it. */
const result = process.env["TEST_RESULT"];

function filesOf(patterns: readonly string[], exclude: readonly string[]): string[] {
  const files = globSync(patterns, { cwd: import.meta.dirname, exclude });
  return tag ? files.filter((file) => readFileSync(file, "utf8").includes(`@module-tag ${tag}`)) : files;
}

/** Of tests that start processes, one after the other: seconds each, and many times that on a busy machine. */
const PATIENTLY = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  // Node resolves `graphql` to its CommonJS build and Vite to its module build: two copies that refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // Two thirds of a run would else be the service's modules, read and compiled again for every file.
    isolate: false,
    sequence: { sequencer: FileOrder },
    // Files wait a third of their time. No more than four: a server takes a hundred connections, and each may want twenty.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    reporters: result ? ["default", new RunReport(), ["json", { outputFile: result }]] : ["default", new RunReport()],
    tags: [{ name: "postgresql", description: "Runs a second time on PostgreSQL and Redis." }],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 90_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    restoreMocks: true,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    projects: COST_CLASSES.map(({ name, include, exclude }) => ({
      extends: true,
      test: { name, include: filesOf(include, exclude), ...(name === "process" ? PATIENTLY : {}) },
    })),
  },
});
