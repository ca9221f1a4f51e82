import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const names = await readdir(join(ROOT, "docs"));
const decisions = await readdir(join(ROOT, "docs/decisions"));
const runbooks = await readdir(join(ROOT, "docs/runbooks"));
const examples = await readdir(join(ROOT, "examples"));
const OTHERS = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["bench/README.md", "examples/README.md", "web/README.md"],
  ...decisions.map((name) => `docs/decisions/${name}`),
  ...runbooks.map((name) => `docs/runbooks/${name}`),
];
/** Folders in `docs`, each with an index of its own. */
const FOLDERS = ["decisions", "runbooks"];

test.each([
  ["docs", names.map((name) => (FOLDERS.includes(name) ? `${name}/README.md` : name))],
  ["docs/decisions", decisions],
  ["docs/runbooks", runbooks],
  ["examples", examples],
])("the index of %s has every file", async (folder, files) => {
  const index = await readFile(join(ROOT, folder, "README.md"), "utf8");
  for (const name of files.filter((it) => it !== "README.md")) expect(index).toContain(`](${name})`);
});

test("every decision is dated, and says what was chosen, against what and why", async () => {
  for (const name of decisions.filter((it) => it !== "README.md")) {
    expect(name).toMatch(/^\d{4}-\d{2}-\d{2}-[a-z0-9-]+\.md$/);
    const text = await readFile(join(ROOT, "docs/decisions", name), "utf8");
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, name).toEqual(["Context", "Decision", "Alternatives", "Consequences"]);
  }
});

test.each([...OTHERS, ...names.filter((it) => it.endsWith(".md")).map((it) => `docs/${it}`)])(
  "every link of %s leads to a file",
  async (path) => {
    const text = await readFile(join(ROOT, path), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (!/^https?:/.test(target)) expect(existsSync(join(ROOT, dirname(path), target)), target).toBe(true);
    }
  },
);
