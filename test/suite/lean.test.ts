/** `npm run lean`, part of every installation: it saves space and never causes a failure. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const LEAN = join(import.meta.dirname, "../../lean.ts");
/** Marks an installation with development dependencies. */
const DEVELOPMENT = "node_modules/vitest/index.js";

/** Runs the script in a folder with these files. Returns the remaining files. */
function lean(files: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "satchel-lean-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", LEAN], { cwd: folder });
  return files.filter((file) => existsSync(join(folder, file)));
}

test("removes source maps and the query engines of other databases", () => {
  const engine = (name: string) => `node_modules/@prisma/client/runtime/query_compiler_fast.${name}.js`;
  const left = lean([
    DEVELOPMENT,
    "node_modules/x/index.js.map",
    "node_modules/x/index.js",
    ...["mysql", "postgresql"].map(engine),
  ]);
  expect(left).toEqual([DEVELOPMENT, "node_modules/x/index.js", engine("postgresql")]);
});

test("retains files that are not source maps of a package", () => {
  const files = [
    "node_modules/.cache/satchel-test/pg_filenode.map",
    "node_modules/.cache/x/page.js.map",
    "node_modules/x/charset.map",
  ];
  expect(lean(files)).toEqual(files);
});

const READ = ["node_modules/x/index.js", "node_modules/x/LICENSE.md", "node_modules/@x/y/dist/test/index.js"];

test("removes documentation and tests of packages, but no licences", () => {
  const unread = ["node_modules/x/README.md", "node_modules/@x/y/test/index.js"];
  expect(lean([...READ, ...unread, DEVELOPMENT])).toEqual([...READ, DEVELOPMENT]);
});

test("removes files that only compilers read in production installations", () => {
  const compiled = ["x/index.d.ts", "x/src/index.mts", "typescript/lib/tsc.js"];
  const files = [...READ, ...compiled.map((path) => `node_modules/${path}`)];
  expect(lean(files)).toEqual(READ);
  expect(lean([...files, DEVELOPMENT])).toEqual([...files, DEVELOPMENT]);
});

test("does nothing if the packages are in a parent folder", () => {
  expect(lean(["package.json"])).toEqual(["package.json"]);
});
