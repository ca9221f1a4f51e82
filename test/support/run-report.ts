/** Prints the slowest files and all failures of a run. With RECORD_DURATIONS=1 it records the duration of each file. */
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";
import { recordDurations } from "./durations.ts";

const MAX_SLOWEST_FILES = 20;

export class RunReport implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const root = this.#vitest?.config.root ?? process.cwd();
    const fileOf = ({ moduleId }: TestModule) => relative(root, moduleId);
    const timed = modules.map((module) => ({
      file: fileOf(module),
      seconds: measureSeconds(module),
      hasRun: hasRun(module),
    }));
    if (process.env["RECORD_DURATIONS"] === "1") {
      const passed = timed.filter(({ hasRun }) => hasRun);
      recordDurations(Object.fromEntries(passed.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10])));
    }
    const failures = modules.flatMap((module) => findFailures(module).map((name) => `${fileOf(module)} > ${name}`));
    failures.push(...unhandled.map((error) => `outside of any test: ${readFirstLine(error)}`));
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, MAX_SLOWEST_FILES);
    if (modules.length > 1)
      print(
        "Slowest files",
        slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
      );
    if (failures.length > 0) print("Failures", failures);
  }
}

/** Returns the time from the file's first import to the end of its last test. */
function measureSeconds(module: TestModule): number {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

/** Returns false if tests failed or all were skipped: such a duration is not representative. */
function hasRun(module: TestModule): boolean {
  return module.ok() && [...module.children.allTests("passed")].length > 0;
}

/** Returns failed tests, imports and hooks. */
function findFailures(module: TestModule): string[] {
  const suites = [...module.children.allSuites()];
  const outside = [module, ...suites].flatMap((each) =>
    each.errors().map((error) => `${each.type === "module" ? "" : `${each.fullName}: `}${readFirstLine(error)}`),
  );
  return [...outside, ...[...module.children.allTests("failed")].map(({ fullName }) => fullName)];
}

/** Returns the first line of a thrown value, which may not be an Error. */
function readFirstLine(error: SerializedError): string {
  return String(error.message ?? error.stack ?? JSON.stringify(error)).split("\n", 1)[0] ?? "";
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}
