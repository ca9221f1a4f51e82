/** The client without a browser: sign-in on another device, a token in the environment, usage errors. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { type BrowserUser, type Cli, openBrowserUser, openCli, type Running } from "./cli-harness.ts";

let stack: Stack;
let account: TestAccount;
let user: BrowserUser;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openBrowserUser(stack, account.accountId);
});

const machine = (env: Record<string, string> = {}) => openCli({ SATCHEL_URL: stack.baseUrl, ...env });
const file = (cli: Cli) => join(cli.configHome, "satchel/credentials.json");
const getSubject = () => `did:web:${encodeURIComponent(new URL(stack.baseUrl).host)}:users:${account.accountId}`;
const readUserCode = async (login: Running) =>
  (await login.waitForOutput(/[B-Z]{4}-[B-Z]{4}"?\n?/)).replace(/[^B-Z-]/g, "");

describe("login on another device", () => {
  it("is chosen over SSH, shows the page and the code, and stores tokens after the approval", async () => {
    const cli = machine({ SSH_CONNECTION: "203.0.113.7 50000 203.0.113.8 22", DISPLAY: ":0" });
    const denied = machine();
    const logins = [cli.start(["login"]), denied.start(["login", "--device", "--json"])] as const;
    await user.decideDevice(await readUserCode(logins[0]), true);
    await user.decideDevice(await readUserCode(logins[1]), false);
    const { code, stdout, stderr } = await logins[0].finished;
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${stack.service.deps.site.browserUrl()}/device`)]);
    expect(stdout).toContain(getSubject());
    const stored = JSON.parse(readFileSync(file(cli), "utf8")).services[stack.baseUrl];
    expect(stored).toMatchObject({ sub: getSubject(), accessToken: expect.stringMatching(/^satchel_at_/) });
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
    expect(await logins[1].finished).toMatchObject({ code: 3, stderr: expect.stringContaining("access_denied") });
    expect(existsSync(file(denied))).toBe(false);
  });

  it("ends after --timeout with exit code 4", async () => {
    const result = await machine().run(["login", "--device", "--timeout", "1"]);
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining("was not completed in time") });
  });
});

describe("SATCHEL_TOKEN", () => {
  it("is used instead of a sign-in, and neither stored nor printed", async () => {
    const cli = machine({ SATCHEL_TOKEN: account.token });
    const { code, stdout, stderr } = await cli.run(["whoami", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { baseUrl: stack.baseUrl, sub: getSubject() }]);
    expect(await cli.run(["transactions"])).toMatchObject({ code: 0 });
    expect(stdout + stderr).not.toContain(account.token);
    expect(existsSync(file(cli))).toBe(false);
  });

  it.each([
    ["satchel_sk_unknown", 3],
    ["satchel_sk with\na line break", 2],
  ])("that is not valid (%j) fails without printing it", async (SATCHEL_TOKEN, code) => {
    const result = await machine({ SATCHEL_TOKEN }).run(["transactions"]);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining("SATCHEL_TOKEN") });
    expect(result.stderr).not.toContain("satchel_sk");
  });
});

describe("usage errors", () => {
  it.each([
    [["blance"], "Did you mean balance?"],
    [["transactions", "--limt", "3"], "Did you mean --limit?"],
    [["frobnicate"], "Unknown command frobnicate. Run:"],
    [["login", "--device", "--no-browser"], "not both"],
    [["completion", "tcsh"], "bash, zsh, fish"],
  ])("%j ends with exit code 2", async (args, text) => {
    expect(await machine().run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(text) });
  });
});

it("is installed as `satchel`, which runs with the Node of the package", () => {
  const { bin } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  const command = join(import.meta.dirname, "../..", bin.satchel);
  expect(execFileSync(command, ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
});
