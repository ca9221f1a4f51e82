import { expect, it } from "vitest";
import { ConfigError } from "../../src/platform/config/load.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";

const ROOT = 0;
const OTHER_USER = 1_000;

it("rejects root in production, because Chromium would handle cards without its sandbox", () => {
  const loadAsRoot = () => loadWorkerConfig({ NODE_ENV: "production" }, ROOT);
  expect(loadAsRoot).toThrow(ConfigError);
  expect(loadAsRoot).toThrow(/root.*sandbox.*another user/);
});

it.each([
  ["another user in production", { NODE_ENV: "production" }, OTHER_USER],
  ["root in development", { NODE_ENV: "development" }, ROOT],
])("accepts %s", (_case, environment, userId) => {
  expect(loadWorkerConfig(environment, userId)).toMatchObject(environment);
});
