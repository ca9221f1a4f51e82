#!/usr/bin/env node
/** The command `satchel`. Runs with the Node of the package, because older ones cannot run TypeScript. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const node = join(
  dirname(require.resolve("node/package.json")),
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const child = spawn(node, ["--disable-warning=ExperimentalWarning", main, ...process.argv.slice(2)], {
  stdio: "inherit",
});
// The terminal sends its signals to both processes; others reach only this one.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  process.stderr.write(`Error  ${node} cannot be started: ${error.message}\n`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
});
