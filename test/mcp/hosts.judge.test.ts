/**
 * Client libraries and programs of agent hosts, and the Inspector, against the MCP server. They run the code that the page "Connect an
 * agent" shows.
 * Their packages are no dependencies of Satchel: they are installed from `hosts/` into a cache folder when it lacks them.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { HOSTS } from "../../web/pages/connect/hosts.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const execute = promisify(execFile);
const SOURCE = join(import.meta.dirname, "hosts");
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/satchel-hosts");
const INSTALL_TIMEOUT_MS = 600_000;
const TOOLS = ["get_wallet", "list_transactions", "get_transaction", "get_request_status"];

let stack: Stack;
let account: TestAccount;
let url: string;
let folder: string;

beforeAll(async () => {
  folder = await installHosts();
  stack = await sharedStack();
  account = await stack.account();
  url = `${stack.baseUrl}/mcp?tools=wallet`;
}, INSTALL_TIMEOUT_MS);

/** Installs the locked packages, once for each lock. Returns their folder. */
async function installHosts(): Promise<string> {
  const lock = await readFile(join(SOURCE, "package-lock.json"));
  const target = join(CACHE, createHash("sha256").update(lock).digest("hex").slice(0, 16));
  if (existsSync(join(target, "installed"))) return target;
  await mkdir(target, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) await copyFile(join(SOURCE, name), join(target, name));
  await execute("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: target });
  // The only one whose program is not in its package until a script has run.
  await execute(process.execPath, [join(target, "node_modules/@anthropic-ai/claude-code/install.cjs")], {
    cwd: target,
  });
  await writeFile(join(target, "installed"), "");
  return target;
}

/** Returns the first code of a host's page. */
function codeOf(id: string): string {
  const [step] = HOSTS.find((host) => host.id === id)?.withToken?.(url, account.token) ?? [];
  if (!step) throw new Error(`${id} has no configuration with a token.`);
  return step.code;
}

/** Returns the environment of a host's program that was never used. */
async function openHome() {
  const home = await mkdtemp(join(folder, "home-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const path = `${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`;
  return { HOME: home, PATH: path, SATCHEL_TOKEN: account.token, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
}

/** Runs the code of a host's page and a last statement. Returns what that printed. */
async function runHost(id: string, last: string) {
  const code = codeOf(id);
  const file = join(folder, `${id}.mjs`);
  await writeFile(file, `${code}\n${last}\n`);
  const { stdout } = await execute(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env["PATH"], SATCHEL_TOKEN: account.token },
    timeout: 120_000,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { tools: string[]; wallet: object };
}

const EXPECTED = { tools: TOOLS, wallet: { network: "base-sepolia", credit_usd: "5.00" } };

it.each([
  [
    "openai-agents",
    `const tools = (await satchel.listTools()).map(({ name }) => name);
     const [{ text }] = await satchel.callTool("get_wallet", {});
     if (agent.mcpServers.length !== 1) throw new Error("The agent has no server.");
     console.log(JSON.stringify({ tools, wallet: JSON.parse(text) }));
     await satchel.close();`,
  ],
  [
    "langchain",
    `const { text } = await tools.find(({ name }) => name === "get_wallet").invoke({});
     console.log(JSON.stringify({ tools: tools.map(({ name }) => name), wallet: JSON.parse(text) }));
     await client.close();`,
  ],
  [
    "ai-sdk",
    `const result = await tools.get_wallet.execute({}, { toolCallId: "1", messages: [] });
     console.log(JSON.stringify({ tools: Object.keys(tools), wallet: JSON.parse(result.content[0].text) }));
     await client.close();`,
  ],
])(
  "%s lists the tools and calls one, with the code of its page",
  async (id, last) => {
    expect(await runHost(id, last)).toMatchObject(EXPECTED);
  },
  150_000,
);

it("Claude Code connects with the command of its page", async () => {
  const options = { cwd: folder, env: await openHome(), timeout: 120_000 };
  await execute("sh", ["-c", codeOf("claude-code")], options);
  const { stdout } = await execute("claude", ["mcp", "list"], options);
  expect(stdout).toMatch(/^satchel: .*Connected$/m);
}, 240_000);

it("Codex lists the tools with the configuration of its page", async () => {
  const env = await openHome();
  await mkdir(join(env.HOME, ".codex"));
  await writeFile(join(env.HOME, ".codex/config.toml"), codeOf("codex"));
  const program = join(folder, "node_modules/.bin/codex");
  const codex = spawn(program, ["app-server"], { cwd: env.HOME, env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void codex.kill());
  const requests = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1" } } },
    { id: 2, method: "mcpServerStatus/list", params: {} },
  ];
  const send = (message?: object) => message && codex.stdin.write(`${JSON.stringify(message)}\n`);
  send(requests[0]);
  for await (const line of createInterface({ input: codex.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 1) send(requests[1]);
    if (id !== 2) continue;
    const [{ serverInfo, tools }] = result.data;
    expect([serverInfo.name, Object.keys(tools).sort()]).toEqual(["satchel", [...TOOLS].sort()]);
    return;
  }
  throw new Error("Codex ended without a response.");
}, 240_000);

it("the Inspector lists the tools and resources, and calls a tool", async () => {
  const inspect = async (...args: readonly string[]) => {
    const cli = join(folder, "node_modules/.bin/mcp-inspector");
    const header = ["--header", `Authorization: Bearer ${account.token}`];
    const { stdout } = await execute(cli, ["--cli", url, "--transport", "http", ...header, ...args], {
      cwd: folder,
      timeout: 120_000,
    });
    return JSON.parse(stdout);
  };
  const { tools } = await inspect("--method", "tools/list");
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS);
  const { resources } = await inspect("--method", "resources/list");
  expect(resources).toContainEqual(expect.objectContaining({ uri: "satchel://transactions" }));
  const called = await inspect("--method", "tools/call", "--tool-name", "get_wallet");
  expect(called.structuredContent).toMatchObject(EXPECTED.wallet);
}, 240_000);
