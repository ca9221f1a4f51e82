import { defineConfig } from "vitest/config";

export default defineConfig({
  // Node resolves `graphql` to its CommonJS build and Vite to its module build: two copies that refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test leaves running would hide in the next one.
    isolate: true,
    restoreMocks: true,
    // A machine that others share may stall a test past its bound: it runs once more, and the report says so.
    retry: process.env["CI"] ? 1 : 0,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
  },
});
