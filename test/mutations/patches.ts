/** Mutations: patches of the service's code, each with the tests that must fail when it is applied. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A test file and the full names of its tests that cover the mutation. */
export interface NamedTests {
  /** Path relative to the repository. */
  readonly file: string;
  readonly name: RegExp;
}

export interface Mutation {
  readonly number: number;
  /** First line of the patch: the defect that it introduces. */
  readonly subject: string;
  readonly patch: string;
  readonly tests: readonly NamedTests[];
}

const TESTS_LINE = /^Tests: (\S+) › (.+)$/gm;

/**
 * Reads the patches of a folder in the order of their numbers.
 * @param root folder of the repository that contains the named test files
 * @throws {Error} if a patch names no test, or a path does not match exactly one file
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

/** Finds a test file by its path without the suffix of its cost class, such as `test/oauth/tokens`. */
async function findTestFile(root: string, path: string): Promise<string> {
  const start = `${basename(path)}.`;
  const names = await readdir(join(root, dirname(path)));
  const found = names.filter((name) => name.startsWith(start) && /(?:^|\.)test\.ts$/.test(name.slice(start.length)));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${path} must match exactly one test file. It matches: ${found.join(", ") || "none"}.`);
  }
  return join(dirname(path), only);
}
