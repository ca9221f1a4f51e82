/** An example as a process of its own, started by the command in its comment. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { COMPILE_CACHE } from "../support/satchel-process.ts";

export const EXAMPLES = join(import.meta.dirname, "../../examples");

export interface Child {
  /** Standard output and error so far. */
  output(): string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

/** Runs an example in a folder where `npm start` has written `sandbox`. @throws if its comment has no `Run:` line */
export function startExample(name: string, sandbox: object, env: Record<string, string> = {}): Child {
  const [, command] = /^ \* Run: (node .+)$/m.exec(readFileSync(join(EXAMPLES, name), "utf8")) ?? [];
  if (command === undefined) throw new Error(`${name} does not say how to run it.`);
  const cwd = mkdtempSync(join(tmpdir(), "satchel-example-"));
  symlinkSync(EXAMPLES, join(cwd, "examples"));
  mkdirSync(join(cwd, ".data"));
  writeFileSync(join(cwd, ".data/sandbox.json"), JSON.stringify(sandbox));
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const child = spawn("sh", ["-c", `exec ${command}`], {
    cwd,
    env: { PATH: path, HOME: cwd, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return {
    output: () => output,
    ended: new Promise((resolve) => child.on("close", resolve)),
    kill: () => void child.kill("SIGKILL"),
  };
}
