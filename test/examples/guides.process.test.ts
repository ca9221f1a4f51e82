/** The first command of each guide, pasted into the folder of a running sandbox. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SatchelProcess, startSatchelProcess } from "../support/satchel-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCS = join(ROOT, "docs");
const SCRIPT = /^npm run (?:-s )?([\w:-]+)/m;

const run = promisify(execFile);

/** The first block of shell commands of a document, which precedes its first section. */
function firstCommands(name: string): string | undefined {
  const [introduction = ""] = readFileSync(join(DOCS, name), "utf8").split(/^## /m);
  return /^```sh\n(.*?)^```$/ms.exec(introduction)?.[1];
}

const isGenerated = (name: string) => readFileSync(join(DOCS, name), "utf8").startsWith("<!-- Generated");
const guides = readdirSync(DOCS).filter((name) => name.endsWith(".md") && !isGenerated(name));
const requests = guides.filter((name) => firstCommands(name)?.includes("curl "));

describe("every guide starts with a command", () => {
  it.each(guides)("%s", (name) => {
    expect(firstCommands(name)).toBeDefined();
  });
});

it.each(guides.filter((name) => !requests.includes(name) && name !== "README.md"))(
  "%s starts with a script of the package",
  (name) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const script = SCRIPT.exec(String(firstCommands(name)))?.[1] ?? "start";
    expect(Object.keys(scripts)).toContain(script);
  },
);

describe("the first request of a guide succeeds as pasted", () => {
  const folder = mkdtempSync(join(tmpdir(), "satchel-guides-"));
  let satchel: SatchelProcess;

  beforeAll(async () => {
    const dataDir = join(folder, ".data");
    satchel = await startSatchelProcess({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "warn" });
    // Credentials and mailbox exist once the agent is registered on the sandbox's chain.
    const { apiToken } = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8")) as { apiToken: string };
    await vi.waitFor(
      async () => {
        const response = await fetch(`${satchel.baseUrl}/api/agent/identity`, {
          headers: { "x-service-token": apiToken },
        });
        expect(await response.json()).toMatchObject({ hasAgent: true });
      },
      { timeout: 60_000, interval: 200 },
    );
    symlinkSync(join(ROOT, "package.json"), join(folder, "package.json"));
  });

  afterAll(async () => {
    await satchel.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(requests)("%s", async (name) => {
    const commands = String(firstCommands(name)).replaceAll("http://127.0.0.1:4000", satchel.baseUrl);
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    const script = `set -euo pipefail\n${commands.replaceAll("curl ", "curl --fail-with-body ")}`;
    const { stdout } = await run("bash", ["-c", script], { cwd: folder, env: { PATH: path, HOME: folder } });
    expect(stdout).toMatch(/^[[{]|^HTTP\/1\.1 200/);
    expect(stdout).not.toMatch(/"errors?":|"code":"/);
  });
});
