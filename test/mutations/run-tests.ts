/** Runs named tests with Vitest in a child process and reads its JSON report. */
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

/** Runs `tests` in the copy. Returns the outcomes of the tests matched by each entry, in the order of `tests`. */
export async function runTests(
  folder: string,
  tests: readonly NamedTests[],
  signal: AbortSignal,
): Promise<readonly (readonly TestOutcome[])[]> {
  const reportFile = join(folder, "test-output", "mutation.json");
  await rm(reportFile, { force: true });
  const names = [...new Set(tests.map(({ name }) => `(?:${name.source})`))].join("|");
  const files = new Set(tests.map(({ file }) => file));
  const output = await runVitest(
    folder,
    [...files, `--testNamePattern=${names}`, "--reporter=json", `--outputFile=${reportFile}`],
    signal,
  );
  const text = await readFile(reportFile, "utf8").catch(() => {
    throw new Error(`Vitest wrote no report. ${output}`);
  });
  const report = Report.parse(JSON.parse(text));
  return tests.map((named) => toOutcomes(report, folder, named));
}

function toOutcomes({ testResults }: Report, folder: string, { file, name }: NamedTests): readonly TestOutcome[] {
  return (
    testResults
      .filter((result) => result.name === join(folder, file))
      .flatMap(({ assertionResults }) => assertionResults)
      // The name format of `--testNamePattern`.
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
 * Returns true for a failed assertion. Other failures mean that the test did not run or timed out. A failed property throws
 * an error of fast-check that hides its cause, so patches must name tests with examples.
 */
function isAssertion(failure: string): boolean {
  // The second form is the failure of `resolves` and `rejects`.
  return /^AssertionError\b|^Error: promise (?:resolved|rejected) "/.test(failure);
}

/** Runs Vitest and returns its output, for an error message if the report is missing. */
async function runVitest(folder: string, parameters: readonly string[], signal: AbortSignal): Promise<string> {
  const fixed = ["run", "--retry=0", "--maxWorkers=2", `--testTimeout=${TEST_TIMEOUT_MS}`];
  const child = spawn(
    process.execPath,
    [join(folder, "node_modules/vitest/vitest.mjs"), ...fixed, ...parameters],
    // A separate process group ends the workers too. A tag would exclude named files.
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
