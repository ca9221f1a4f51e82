/** `npm start` without the development dependencies, which include the sandbox's packages. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const FILES = ["app/dev/sandbox-process.ts", "platform/operator-error.ts"];
const SCRIPT = `import("./app/dev/sandbox-process.ts")
  .then(({ startSandboxProcess }) => startSandboxProcess(".", console.log))
  .then(() => console.log("started"), ({ constructor, message }) => console.log(constructor.name + ": " + message))`;

test("the sandbox fails to start and its error names the packages to install", () => {
  // No parent of this folder contains packages.
  const folder = mkdtempSync(join(tmpdir(), "satchel-no-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) cpSync(join(SOURCE, file), join(folder, file));
  const output = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", SCRIPT], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(output).toMatch(
    /^SandboxError: The sandbox's packages are not installed\. .*`npm install --include=dev`.*SANDBOX=0/,
  );
  expect(output.trim().split("\n")).toHaveLength(1);
});
