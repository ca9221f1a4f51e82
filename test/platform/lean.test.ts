/** `npm run lean`, which every installation runs: it saves space, and never makes one fail. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

function lean(files: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "satchel-lean-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  execFileSync("sh", ["-c", manifest.scripts.lean], { cwd: folder });
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((it) => (it.isFile() ? it.name : []));
}

test("leaves out source maps and the engines of other databases", () => {
  const engines = ["mysql", "postgresql"].map((name) => `node_modules/@prisma/client/query_compiler_fast.${name}.js`);
  expect(lean(["node_modules/x/index.js.map", "node_modules/x/index.js", ...engines]).toSorted()).toEqual([
    "index.js",
    "query_compiler_fast.postgresql.js",
  ]);
});

test("leaves alone what is no package's source map", () => {
  const kept = ["node_modules/.cache/satchel-test/pg_filenode.map", "node_modules/.cache/x/page.js.map"];
  const table = "node_modules/x/charset.map";
  expect(lean([...kept, table]).toSorted()).toEqual(["charset.map", "page.js.map", "pg_filenode.map"]);
});

test("does nothing where the packages are in a folder above", () => {
  expect(lean(["package.json"])).toEqual(["package.json"]);
});
