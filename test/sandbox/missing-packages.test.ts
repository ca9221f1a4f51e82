/** `npm start` where development dependencies, and with them the sandbox's packages, are not installed. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const START = join(import.meta.dirname, "../../src/app/dev/sandbox-process.ts");
const SCRIPT = `import("./sandbox-process.ts")
  .then(({ startSandboxProcess }) => startSandboxProcess(".", console.log))
  .then(() => console.log("started"), ({ constructor, message }) => console.log(constructor.name + ": " + message))`;

test("says what to install, and starts nothing", () => {
  // Above this folder there are no packages.
  const folder = mkdtempSync(join(tmpdir(), "satchel-no-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(START, join(folder, "sandbox-process.ts"));
  const output = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", SCRIPT], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(output).toMatch(
    /^SandboxError: The sandbox's packages are not installed\. .*`npm install --include=dev`.*SANDBOX=0/,
  );
  expect(output.trim().split("\n")).toHaveLength(1);
});
