import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { FileOrder } from "./test/support/file-order.ts";

/** They measure time or memory, or give what they ask a second or two: after the others, with nothing beside them. */
const MEASURING = [
  "test/e2e/faults.test.ts",
  "test/gateway/stream-timing.test.ts",
  "test/mail/arrival.test.ts",
  "test/mail/hostile-mail.test.ts",
  "test/mail/new-text.test.ts",
  "test/mail/sanitise-html.test.ts",
];

/** Minutes of it, and none of the suite's: `npm run soak`. */
const SOAK = process.env["SOAK_MINUTES"] ? [] : ["test/soak/**"];

export default defineConfig({
  // Node resolves `graphql` to its CommonJS build and Vite to its module build: two copies that refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // Two thirds of a run would else be the service's modules, read and compiled again for every file.
    isolate: false,
    sequence: { sequencer: FileOrder },
    // Files wait half of their time. No more than four: a server takes a hundred connections, and each may want twenty.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    // A machine that others share may stall a test past its bound: it runs once more, and the report says so.
    retry: process.env["CI"] ? 1 : 0,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...MEASURING, ...SOAK],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // One after the other in one process, `hostile-mail` first.
        test: { name: "measuring", include: MEASURING, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
