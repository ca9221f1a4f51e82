import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { COST_CLASSES } from "./test/support/cost-classes.ts";
import { FileOrder } from "./test/support/file-order.ts";
import { RunReport } from "./test/support/run-report.ts";

/** With TEST_TAG, only files with that `@module-tag` run; other files are not loaded. */
const tag = process.env["TEST_TAG"];

/** Path of the JSON report, in which CI counts the tests. */
const result = process.env["TEST_RESULT"];

function filesOf(patterns: readonly string[], exclude: readonly string[]): string[] {
  const files = globSync(patterns, { cwd: import.meta.dirname, exclude });
  return tag ? files.filter((file) => readFileSync(file, "utf8").includes(`@module-tag ${tag}`)) : files;
}

/** Timeouts of tests that start several processes, which lasts minutes on a busy machine. */
const PROCESS_TIMEOUTS = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  // Node resolves `graphql` to its CommonJS build, Vite to its ESM build. The two copies would reject each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // With isolation, loading the service's modules again for each file would be two thirds of the run time.
    isolate: false,
    sequence: { sequencer: FileOrder },
    // One more than the CPUs, since files are idle for a third of their time. At most four: PostgreSQL allows 100
    // connections, and a worker may open 20.
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
      test: { name, include: filesOf(include, exclude), ...(name === "process" ? PROCESS_TIMEOUTS : {}) },
    })),
  },
});
