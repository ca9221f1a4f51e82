/** The conformance suite of the protocol against the service's endpoint with fixtures, at both revisions of its requirements. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFixtures } from "./conformance-fixtures.ts";

const PACKAGE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance");
const TIMEOUT_MS = 300_000;

/** Required scenarios that the endpoint does not pass, each with the reason. All others must pass. */
const NOT_PASSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "2026-07-28": {},
  "2025-11-25": {
    "tools-call-sampling": "needs a session: the endpoint sends no request to a client of this revision",
    "tools-call-elicitation": "needs a session",
    "elicitation-sep1034-defaults": "needs a session",
    "elicitation-sep1330-enums": "needs a session",
  },
};

/** Checks that the suite skips. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = { "2026-07-28": [], "2025-11-25": [] };
/** The number of required scenarios: a change of the package must not shrink the test silently. */
const REQUIRED: Readonly<Record<string, number>> = { "2026-07-28": 37, "2025-11-25": 30 };

let fixtures: Awaited<ReturnType<typeof startFixtures>>;
beforeAll(async () => {
  fixtures = await startFixtures();
});
afterAll(() => fixtures.stop());

it.each(Object.keys(NOT_PASSED))(
  "passes what revision %s requires of a server, and skips no scenario",
  async (revision) => {
    const folder = mkdtempSync(join(tmpdir(), "satchel-conformance-"));
    const output = await run("server", "--url", fixtures.url, "--requirements", revision, "--output-dir", folder);
    const required = readRequired(revision);
    const results = new Map(required.map((scenario) => [scenario, readChecks(folder, scenario)] as const));
    rmSync(folder, { recursive: true, force: true });
    expect(required).toHaveLength(REQUIRED[revision] ?? 0);
    const missing = required.filter((scenario) => results.get(scenario) === null);
    expect(missing, output).toEqual([]);
    const failed = required.filter((scenario) => results.get(scenario)?.some(({ status }) => status === "FAILURE"));
    const details = failed.map(
      (scenario) =>
        `${scenario}: ${JSON.stringify(results.get(scenario)?.filter(({ status }) => status === "FAILURE"))}`,
    );
    expect(failed, details.join("\n").slice(0, 8_000)).toEqual(Object.keys(NOT_PASSED[revision] ?? {}));
    // A skipped check would otherwise look like a passed one.
    const skipped = required.flatMap((scenario) =>
      (results.get(scenario) ?? []).filter(({ status }) => status === "SKIPPED").map(({ id }) => `${scenario} ${id}`),
    );
    expect(skipped).toEqual(SKIPPED[revision]);
  },
  TIMEOUT_MS,
);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Returns the checks of a scenario; null if it did not run. */
function readChecks(folder: string, scenario: string): readonly Check[] | null {
  const found = readdirSync(folder).find((name) => new RegExp(`^server-${scenario}-\\d{4}-`).test(name));
  return found ? (JSON.parse(readFileSync(join(folder, found, "checks.json"), "utf8")) as Check[]) : null;
}

/** Returns the scenarios that a revision requires of a server. */
function readRequired(revision: string): readonly string[] {
  const yaml = readFileSync(join(PACKAGE, "requirements", `${revision}.yaml`), "utf8");
  const [, list = ""] = /^server:\n((?: {2}- .+\n)+)/m.exec(yaml) ?? [];
  return [...list.matchAll(/- (\S+)/g)].map(([, name = ""]) => name);
}

function run(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(PACKAGE, "dist/index.js"), ...args], { cwd: tmpdir() });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve) => child.once("close", () => resolve(output.slice(-8_000))));
}
