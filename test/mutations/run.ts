/**
 * `npm run mutate`: applies each patch of this folder to a copy of the working tree and expects its named tests to fail.
 * Numbers select mutations (`npm run mutate -- 7`). Exits with 1 unless every mutation is caught.
 */
import { basename, join } from "node:path";
import { type Mutation, readMutations } from "./patches.ts";
import { runTests, type TestOutcome } from "./run-tests.ts";
import { copyWorkingTree, type WorkingCopy } from "./working-copy.ts";

const ROOT = join(import.meta.dirname, "../..");

const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => abort.abort(new Error("Interrupted.")));

process.exitCode = await main(process.argv.slice(2).map(Number)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  return 1;
});

async function main(numbers: readonly number[]): Promise<number> {
  const all = await readMutations(import.meta.dirname, ROOT);
  const unknown = numbers.filter((number) => !all.some((mutation) => mutation.number === number));
  if (unknown.length > 0) throw new Error(`Unknown mutation: ${unknown.join(", ")}.`);
  const mutations = numbers.length === 0 ? all : all.filter(({ number }) => numbers.includes(number));
  const startedMs = performance.now();
  const copy = await copyWorkingTree(ROOT);
  try {
    await checkUnmutated(copy, mutations);
    let caught = 0;
    for (const mutation of mutations) {
      const { isCaught, lines } = await testMutation(copy, mutation);
      if (isCaught) caught++;
      process.stdout.write(`${String(mutation.number).padStart(2)}  ${mutation.subject}\n`);
      for (const line of lines) process.stdout.write(`    ${line}\n`);
    }
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    process.stdout.write(`${caught} of ${mutations.length} mutations caught in ${seconds} s.\n`);
    return caught === mutations.length ? 0 : 1;
  } finally {
    await copy.remove();
  }
}

/** @throws {Error} if a named test is missing or fails without the mutation */
async function checkUnmutated({ folder }: WorkingCopy, mutations: readonly Mutation[]): Promise<void> {
  const tests = mutations.flatMap((mutation) => mutation.tests);
  const outcomes = await runTests(folder, tests, abort.signal);
  const problems = tests.flatMap(({ file, name }, index) => {
    const own = outcomes[index] ?? [];
    if (own.length === 0) return `${file}: no test matches ${name.source}, or the file does not load.`;
    return own.flatMap(({ fullName, failure }) => (failure === null ? [] : `${file}: ${fullName}: ${failure}`));
  });
  if (problems.length > 0) throw new Error(`Without any mutation:\n${problems.join("\n")}`);
}

/** Applies a mutation and runs its tests. It is caught if at least one test per line fails by assertion. */
async function testMutation(
  copy: WorkingCopy,
  { patch, tests }: Mutation,
): Promise<{ isCaught: boolean; lines: string[] }> {
  try {
    await copy.apply(patch);
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    return { isCaught: false, lines: [`NOT APPLIED  ${basename(patch)} no longer applies: ${stderr.trim()}`] };
  }
  try {
    const outcomes = await runTests(copy.folder, tests, abort.signal);
    const verdicts = tests.map(({ file }, index) => toVerdict(file, outcomes[index] ?? []));
    return { isCaught: verdicts.every(({ isCaught }) => isCaught), lines: verdicts.map(({ line }) => line) };
  } catch (error) {
    abort.signal.throwIfAborted();
    return { isCaught: false, lines: [`SURVIVED  ${(error as Error).message}`] };
  } finally {
    await copy.revert(patch);
  }
}

function toVerdict(file: string, outcomes: readonly TestOutcome[]): { isCaught: boolean; line: string } {
  const [caught] = outcomes.filter(({ status }) => status === "failed by assertion");
  if (caught) return { isCaught: true, line: `caught by ${file} › ${caught.fullName}` };
  const [failed] = outcomes.filter(({ status }) => status === "failed otherwise");
  if (failed) return { isCaught: false, line: `SURVIVED  ${file} failed, but not by an assertion: ${failed.failure}` };
  const why = outcomes.length === 0 ? "no test ran: the file does not load, or a hook failed" : "its tests passed";
  return { isCaught: false, line: `SURVIVED  ${file}: ${why}` };
}
