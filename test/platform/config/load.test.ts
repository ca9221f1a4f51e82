import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "../../../src/platform/config/load.ts";

const PRODUCTION = {
  NODE_ENV: "production",
  BASE_URL: "https://satchel.example",
  DATABASE_URL: "postgresql://db.example/satchel",
  KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  FREE_CREDIT_USD: "5.00",
};

const ROOT = 0;
const OTHER_USER = 1_000;

function problemsOf(environment: Record<string, string>, userId = OTHER_USER): readonly string[] {
  try {
    loadConfig(environment, userId);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("loadConfig", () => {
  it("has a default for every variable and treats an empty variable as absent", () => {
    const config = loadConfig({ PORT: "", DATABASE_URL: "" });
    expect(config).toMatchObject({ PORT: 4000, SANDBOX: true, FREE_CREDIT_USD: 5_000_000n, NODE_ENV: "development" });
    expect(config.EGRESS_ALLOW_LOOPBACK).toBeUndefined();
    expect(loadConfig({ EGRESS_ALLOW_LOOPBACK: "0" }).EGRESS_ALLOW_LOOPBACK).toBe(false);
  });

  it("reports all problems together, each with the name of its variable", () => {
    const problems = problemsOf({
      PORT: "http",
      BASE_URL: "ftp://x",
      KEY_ENCRYPTION_KEY: "c2hvcnQ=",
      FREE_CREDIT_USD: "five",
      SANDBOX: "yes",
      DATABASE_URL: "mysql://x",
      ADMIN_TOKEN: "short",
    });
    const names = [
      "PORT",
      "BASE_URL",
      "KEY_ENCRYPTION_KEY",
      "FREE_CREDIT_USD",
      "SANDBOX",
      "DATABASE_URL",
      "ADMIN_TOKEN",
    ];
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual(names.sort());
    // An invalid secret must not be printed either.
    expect(problems.join()).not.toContain("c2hvcnQ");
  });

  it("accepts safe settings in production and disables the sandbox", () => {
    expect(loadConfig(PRODUCTION)).toMatchObject({ SANDBOX: false });
  });

  it.each([
    ["SANDBOX", { SANDBOX: "1" }],
    ["EGRESS_ALLOW_LOOPBACK", { EGRESS_ALLOW_LOOPBACK: "1" }],
    ["KEY_ENCRYPTION_KEY", { KEY_ENCRYPTION_KEY: "" }],
    ["DATABASE_URL", { DATABASE_URL: "" }],
    ["FREE_CREDIT_USD", { FREE_CREDIT_USD: "" }],
    ["BASE_URL", { BASE_URL: "http://satchel.example" }],
  ])("rejects an unsafe %s in production with a reason", (name, changes) => {
    const [problem, ...others] = problemsOf({ ...PRODUCTION, ...changes } as Record<string, string>);
    expect(problem).toMatch(new RegExp(`^${name}: .{20,}`));
    expect(others).toEqual([]);
  });

  it("rejects several sources of the key, and a weak key that is not an older key", () => {
    const sources = {
      KEY_ENCRYPTION_KEY: PRODUCTION.KEY_ENCRYPTION_KEY,
      KEY_FILE: "/run/key",
      AWS_KMS_KEY_ID: "alias/k",
    };
    expect(problemsOf(sources)).toEqual([
      expect.stringMatching(/^KEY_ENCRYPTION_KEY, KEY_FILE, AWS_KMS_KEY_ID: .*one/),
    ]);
    const weak = Buffer.alloc(32).toString("base64");
    expect(problemsOf({ KEY_ENCRYPTION_KEY: weak })).toEqual([expect.stringMatching(/^KEY_ENCRYPTION_KEY: .*weak/)]);
    expect(problemsOf({ ...PRODUCTION, OLDER_KEY_ENCRYPTION_KEYS: weak })).toEqual([]);
  });

  it("rejects checkout workers as root in production only, with a remedy", () => {
    const withWorkers = { ...PRODUCTION, CHECKOUT_WORKERS: "1" };
    const [problem, ...others] = problemsOf(withWorkers, ROOT);
    expect(problem).toMatch(/^CHECKOUT_WORKERS: .*root.*sandbox.*another user/);
    expect(others).toEqual([]);
    expect(problemsOf(withWorkers, OTHER_USER)).toEqual([]);
    expect(problemsOf(PRODUCTION, ROOT)).toEqual([]);
    expect(problemsOf({ CHECKOUT_WORKERS: "1" }, ROOT)).toEqual([]);
  });
});
