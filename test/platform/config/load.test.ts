import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "../../../src/platform/config/load.ts";
import { configSchema, SETTING_SECTIONS } from "../../../src/platform/config/schema.ts";

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
    loadConfig(environment, { userId });
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

  it("names unknown settings: each of .env, and names in the environment that resemble a setting", () => {
    const environment = { KEY_ENCRYPTON_KEY: "x", HOSTNAME: "node", REDIS_HOST: "x", AWS_REGION: "eu-west-1" };
    const problems = (fileNames: string[]) => {
      try {
        loadConfig(environment, { fileNames });
      } catch (error) {
        return (error as ConfigError).problems;
      }
      return [];
    };
    expect(problems([])).toEqual(["KEY_ENCRYPTON_KEY: there is no such setting; KEY_ENCRYPTION_KEY is one"]);
    const inFile = ["KEY_ENCRYPTON_KEY", "REDIS_HOST", "AWS_REGION", "WORKER_PORT", "SANDBOX_NETWORKS"];
    expect(problems(inFile).map((problem) => problem.split(":")[0])).toEqual(["KEY_ENCRYPTON_KEY", "REDIS_HOST"]);
  });

  it("reports invalid values, contradictions and unsafe settings together, each setting once", () => {
    const problems = problemsOf({
      ...PRODUCTION,
      PORT: "http",
      BASE_URL: "nowhere",
      OIDC_ISSUER: "https://id.example",
      SANDBOX: "1",
    });
    const names = problems.map((problem) => problem.split(":")[0]);
    expect(names.sort()).toEqual(["BASE_URL", "OIDC_CLIENT_ID", "PORT", "SANDBOX"]);
  });

  it.each(["https://x.example/path", "https://x.example/?a=1", "https://x.example/#a", "https://a:b@x.example"])(
    "rejects the BASE_URL %s",
    (BASE_URL) => {
      expect(problemsOf({ BASE_URL })).toEqual([expect.stringMatching(/^BASE_URL: must be an origin/)]);
    },
  );

  it("requires NODE_ENV beside a database on another machine, and then has no sandbox by default", () => {
    const DATABASE_URL = "postgresql://db.example/satchel";
    expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^NODE_ENV: must be set/)]);
    expect(loadConfig({ DATABASE_URL, NODE_ENV: "development" }).SANDBOX).toBe(false);
    expect(loadConfig({ DATABASE_URL, NODE_ENV: "development", SANDBOX: "1" }).SANDBOX).toBe(true);
    expect(loadConfig({ DATABASE_URL }, { isCommand: true }).SANDBOX).toBe(false);
    for (const local of [
      "postgresql://localhost/a",
      "postgresql://u@127.0.0.1:5432/a",
      "postgresql:///a?host=/run/pg",
    ]) {
      expect(loadConfig({ DATABASE_URL: local }).SANDBOX).toBe(true);
    }
  });

  it.each([
    ["CARD_SECURITY_CODE", "keep"],
    ["SMTP_URL", "smtp://mail.example?ignoreTLS=true"],
    ["REDIS_URL", "redis://redis.example"],
    ["RPC_URL_BASE", "http://rpc.example"],
    ["FACILITATOR_URLS", "https://one.example,http://two.example"],
    ["DEX_URL", "http://dex.example"],
  ])("accepts an unsafe %s in production only if it is acknowledged", (name, value) => {
    const [problem, ...others] = problemsOf({ ...PRODUCTION, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name}: .*ACKNOWLEDGED_RISKS`));
    expect(others).toEqual([]);
    expect(problemsOf({ ...PRODUCTION, [name]: value, ACKNOWLEDGED_RISKS: name })).toEqual([]);
    expect(problemsOf({ [name]: value })).toEqual([]);
  });

  it("accepts connections with TLS or on this machine without an acknowledgement", () => {
    const safe = {
      SMTP_URL: "smtp://mail.example:587",
      REDIS_URL: "rediss://redis.example",
      RPC_URL_BASE: "http://[::1]:8545",
    };
    expect(problemsOf({ ...PRODUCTION, ...safe })).toEqual([]);
    expect(problemsOf({ ACKNOWLEDGED_RISKS: "PORT" })).toEqual([expect.stringMatching(/^ACKNOWLEDGED_RISKS: PORT/)]);
  });

  it("has a description for every setting", () => {
    const settings = Object.values(SETTING_SECTIONS).flatMap((section) => Object.entries(section));
    expect(settings.filter(([, setting]) => !setting.description).map(([name]) => name)).toEqual([]);
    expect(settings.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(configSchema.shape)));
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
