/** The mutations: patches of the service's code, each with the tests that must turn red once it is applied. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file, and the full names of those of its tests that are about the mutation's subject. */
export interface NamedTests {
  /** Path relative to the repository. */
  readonly file: string;
  readonly name: RegExp;
}

export interface Mutation {
  readonly number: number;
  /** First line of the patch: the rule that is broken. */
  readonly subject: string;
  readonly patch: string;
  readonly tests: readonly NamedTests[];
}

const TESTS_LINE = /^Tests: (\S+) › (.+)$/gm;

/**
 * Reads the patches of a folder in the order of their numbers.
 * @param root the repository, in which the named test files are looked up
 * @throws {Error} when a patch names no test, or a name does not stand for exactly one file
 */
export async function readMutations(folder: string, root: string): Promise<readonly Mutation[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".patch")).toSorted();
  return await Promise.all(files.map((name) => readMutation(join(folder, name), root)));
}

async function readMutation(patch: string, root: string): Promise<Mutation> {
  const text = await readFile(patch, "utf8");
  const header = text.slice(0, text.indexOf("\ndiff --git "));
  const [subject = ""] = header.split("\n", 1);
  const lines = [...header.matchAll(TESTS_LINE)];
  if (lines.length === 0) throw new Error(`${basename(patch)} has no line "Tests: <file> › <name>" before its diff.`);
  const tests = lines.map(async ([, file = "", name = ""]) => ({
    file: await findTestFile(root, file),
    name: new RegExp(name),
  }));
  return { number: Number.parseInt(basename(patch), 10), subject, patch, tests: await Promise.all(tests) };
}

/** Patches leave out the suffix, which says what a test needs: `test/oauth/tokens` may be `test/oauth/tokens.test.ts`. */
async function findTestFile(root: string, path: string): Promise<string> {
  const start = `${basename(path)}.`;
  const names = await readdir(join(root, dirname(path)));
  const found = names.filter((name) => name.startsWith(start) && /(?:^|\.)test\.ts$/.test(name.slice(start.length)));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${path} must stand for exactly one test file, and stands for: ${found.join(", ") || "none"}.`);
  }
  return join(dirname(path), only);
}
