/** The `authorization` command of the MCP conformance suite against the OAuth provider, with a client that registers itself. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decideAuthorization, openSignedInBrowser, readRequestId } from "../support/oauth.ts";
import { sharedStack } from "../support/stack.ts";

const PROGRAM = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const SCENARIOS = ["authorization-server-metadata-endpoint", "authorization-code-grant"];

it("passes every scenario, with a consent of the user", async () => {
  const stack = await sharedStack();
  const account = await stack.account();
  const browser = await openSignedInBrowser(stack, account.accountId);
  const port = await findFreePort();
  const registered = await fetch(`${stack.baseUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Conformance suite",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const folder = await mkdtemp(join(tmpdir(), "satchel-authorization-"));
  const options = {
    ...{ url: stack.baseUrl, "client-id": clientId, resource: `${stack.baseUrl}/mcp` },
    ...{ port: String(port), "output-dir": folder },
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const suite = spawn(process.execPath, [PROGRAM, "authorization", ...args], { cwd: tmpdir() });
  let output = "";
  const authorizeUrl = new Promise<URL>((resolve) => {
    suite.stdout.on("data", (data) => {
      output += data;
      const [url] = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output) ?? [];
      if (url) resolve(new URL(url));
    });
  });
  suite.stderr.on("data", (data) => (output += data));
  const ended = new Promise((resolve) => suite.once("close", resolve));

  const first = await Promise.race([authorizeUrl, ended.then(() => null)]);
  expect(first, output).not.toBeNull();
  const { pathname = "", search = "" } = first ?? {};
  const consent = await browser.navigate(pathname + search);
  const { continueUrl } = await decideAuthorization(browser, readRequestId(consent));
  const callback = (await browser.navigate(continueUrl)).headers.get("location") ?? "";
  expect((await fetch(callback)).status).toBe(200);
  await ended;

  const results = await Promise.all(SCENARIOS.map((scenario) => readStatuses(folder, scenario)));
  await rm(folder, { recursive: true, force: true });
  // A skipped check would otherwise look like a passed one.
  for (const statuses of results) expect([...new Set(statuses)], output).toEqual(["SUCCESS"]);
}, 120_000);

async function readStatuses(folder: string, scenario: string): Promise<readonly string[]> {
  const found = (await readdir(folder)).find((name) => name.includes(scenario)) ?? "";
  const checks = JSON.parse(await readFile(join(folder, found, "checks.json"), "utf8")) as { status: string }[];
  return checks.map(({ status }) => status);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
