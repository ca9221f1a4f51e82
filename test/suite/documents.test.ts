import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const names = await readdir(join(ROOT, "docs"));
const OTHERS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/README.md", "web/README.md"];

test("the index of the guides has every file of docs", async () => {
  const index = await readFile(join(ROOT, "docs/README.md"), "utf8");
  for (const name of names.filter((it) => it !== "README.md")) expect(index).toContain(`](${name})`);
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
