/** `satchel mcp` in its own process: clients of each version on standard input and output. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCli } from "../cli/cli-harness.ts";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { connect, wrap } from "./clients.ts";

const MAIN = join(import.meta.dirname, "../../cli/main.ts");
const ARGUMENTS = ["--disable-warning=ExperimentalWarning", MAIN, "mcp"];

let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
  account = await stack.account();
});
afterAll(() => stack.stop());

const environment = (token = account.token) => ({
  PATH: process.env["PATH"] ?? "",
  SATCHEL_URL: stack.baseUrl,
  SATCHEL_TOKEN: token,
});

describe.each(["v2 default", "v2 auto", "v1"] as const)("with a client of %s", (mode) => {
  it("forwards the list, calls and results of /mcp unchanged", async () => {
    const options = { command: process.execPath, args: [...ARGUMENTS, "--tools", "wallet,pay"], env: environment() };
    const negotiation = mode === "v2 auto" ? { versionNegotiation: { mode: "auto" as const } } : {};
    const client =
      mode === "v1" ? new ClientV1({ name: "t", version: "1" }) : new Client({ name: "t", version: "1" }, negotiation);
    const transport = mode === "v1" ? new TransportV1(options) : new StdioClientTransport(options);
    await client.connect(transport as never);
    const piped = wrap(client as never);
    const direct = await connect(`${stack.baseUrl}/mcp?tools=wallet,pay`, account.token);
    expect(await piped.listTools()).toEqual(await direct.listTools());
    expect(piped.instructions()).toBe(direct.instructions());
    expect((await piped.call("list_transactions")).json).toEqual((await direct.call("list_transactions")).json);
    const seller = await openTarget((_request, response, isPaid) =>
      isPaid ? void response.end("sold") : respondWith402(response),
    );
    const { payment_id } = (await piped.call("check_price", { url: seller.origin })).json;
    const args = { url: seller.origin, payment_id };
    for (const [one, other] of [
      [piped, direct],
      [direct, piped],
    ] as const) {
      expect((await one.call("fetch_paid_url", args)).json).toEqual((await other.call("fetch_paid_url", args)).json);
    }
    expect(new Set(seller.payments).size).toBe(1);
    await Promise.all([piped.close(), direct.close()]);
  });
});

it("writes messages only to standard output, reports a revoked token, and ends with its input", async () => {
  const child = spawn(process.execPath, ARGUMENTS, { env: environment("satchel_wrong") });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  child.stdin.write(`not JSON\n${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" })}\n`);
  await expect.poll(() => stdout.split("\n").length).toBe(3);
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end();
  expect(await closed).toBe(0);
  const messages = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages).toContainEqual({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: expect.any(String) } });
  expect(messages).toContainEqual({
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32_603, message: expect.stringContaining("refuses SATCHEL_TOKEN") },
  });
  expect(stderr).toContain("refuses SATCHEL_TOKEN");
  expect(stdout + stderr).not.toContain("satchel_wrong");
});

it("fails before the first message without a sign-in", async () => {
  const { code, stdout, stderr } = await openCli({ SATCHEL_URL: stack.baseUrl }).run(["mcp"]);
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("Not signed in");
});
