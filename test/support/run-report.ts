/** Ends a run with its slowest files and every failure; with RECORD_DURATIONS=1 it records how long each file took. */
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";
import { recordDurations } from "./durations.ts";

const SLOWEST = 20;

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
      seconds: secondsOf(module),
      hasRun: hasRun(module),
    }));
    if (process.env["RECORD_DURATIONS"] === "1") {
      const passed = timed.filter(({ hasRun }) => hasRun);
      recordDurations(Object.fromEntries(passed.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10])));
    }
    const failures = modules.flatMap((module) => failuresOf(module).map((name) => `${fileOf(module)} > ${name}`));
    failures.push(...unhandled.map((error) => `outside of any test: ${firstLineOf(error)}`));
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
    if (modules.length > 1)
      print(
        "Slowest files",
        slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
      );
    if (failures.length > 0) print("Failures", failures);
  }
}

/** From the first of its imports to the end of its last test. */
function secondsOf(module: TestModule): number {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

/** False where tests failed, or all of them were skipped: how long that took says nothing. */
function hasRun(module: TestModule): boolean {
  return module.ok() && [...module.children.allTests("passed")].length > 0;
}

/** Failed tests, and what failed outside of them: imports and hooks. */
function failuresOf(module: TestModule): string[] {
  const suites = [...module.children.allSuites()];
  const outside = [module, ...suites].flatMap((each) =>
    each.errors().map((error) => `${each.type === "module" ? "" : `${each.fullName}: `}${firstLineOf(error)}`),
  );
  return [...outside, ...[...module.children.allTests("failed")].map(({ fullName }) => fullName)];
}

/** What was thrown may be no Error. */
function firstLineOf(error: SerializedError): string {
  return String(error.message ?? error.stack ?? JSON.stringify(error)).split("\n", 1)[0] ?? "";
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}
