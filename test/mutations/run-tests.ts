/** Runs named tests with Vitest in a process of its own, and reads its JSON report. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { NamedTests } from "./patches.ts";

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullable(),
        }),
      ),
    }),
  ),
});
type Report = z.output<typeof Report>;

export interface TestOutcome {
  readonly fullName: string;
  readonly status: "passed" | "failed by assertion" | "failed otherwise";
  /** First line of the failure; null when it passed. */
  readonly failure: string | null;
}

const TIMEOUT_MS = 150_000;
const TEST_TIMEOUT_MS = 30_000;

/** Runs `tests` in the copy. Returns the outcomes of the tests that each of them names, in order. */
export async function runTests(
  folder: string,
  tests: readonly NamedTests[],
  signal: AbortSignal,
): Promise<readonly (readonly TestOutcome[])[]> {
  const reportFile = join(folder, "test-output", "mutation.json");
  await rm(reportFile, { force: true });
  const names = [...new Set(tests.map(({ name }) => `(?:${name.source})`))].join("|");
  const files = new Set(tests.map(({ file }) => file));
  const output = await vitest(
    folder,
    [...files, `--testNamePattern=${names}`, "--reporter=json", `--outputFile=${reportFile}`],
    signal,
  );
  const text = await readFile(reportFile, "utf8").catch(() => {
    throw new Error(`Vitest wrote no report. ${output}`);
  });
  const report = Report.parse(JSON.parse(text));
  return tests.map((named) => outcomesOf(report, folder, named));
}

function outcomesOf({ testResults }: Report, folder: string, { file, name }: NamedTests): readonly TestOutcome[] {
  return (
    testResults
      .filter((result) => result.name === join(folder, file))
      .flatMap(({ assertionResults }) => assertionResults)
      // As `--testNamePattern` reads names.
      .map(({ ancestorTitles, title, ...rest }) => ({ ...rest, fullName: [...ancestorTitles, title].join(" > ") }))
      .filter(({ fullName, status }) => name.test(fullName) && (status === "passed" || status === "failed"))
      .map(({ fullName, status, failureMessages }) => {
        if (status === "passed") return { fullName, status, failure: null };
        const [failure = "failed"] = failureMessages?.[0]?.split("\n", 1) ?? [];
        return { fullName, status: isAssertion(failure) ? "failed by assertion" : "failed otherwise", failure };
      })
  );
}

/**
 * Everything else says that the test could not be run, or gave up waiting: hooks, imports, time-outs. A property fails with an error
 * of fast-check, which says nothing of the cause here: patches name examples.
 */
function isAssertion(failure: string): boolean {
  // The second is how `resolves` and `rejects` fail.
  return /^AssertionError\b|^Error: promise (?:resolved|rejected) "/.test(failure);
}

/** Returns what it printed, for when there is no report. */
async function vitest(folder: string, parameters: readonly string[], signal: AbortSignal): Promise<string> {
  const fixed = ["run", "--retry=0", "--maxWorkers=2", `--testTimeout=${TEST_TIMEOUT_MS}`];
  const child = spawn(
    process.execPath,
    [join(folder, "node_modules/vitest/vitest.mjs"), ...fixed, ...parameters],
    // A group of its own, so that its workers end with it. A tag would leave named files out.
    { cwd: folder, env: { ...process.env, TEST_TAG: "" }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const stop = () => killGroup(child);
  signal.addEventListener("abort", stop);
  const timer = setTimeout(stop, TIMEOUT_MS);
  try {
    if (signal.aborted) stop();
    await once(child, "close");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  return output;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
