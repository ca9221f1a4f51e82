import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/**
 * Returns the path of the file with the process id of anvil. When a sandbox is killed, its anvil can still be writing the
 * state. The next sandbox waits for this process, so two processes never share a state file.
 */
const pidFilePath = (stateFile: string) => `${stateFile}.pid`;

/** Stores the process id for the next sandbox. */
export function writePidFile(stateFile: string, pid: number | undefined): void {
  if (pid !== undefined) writeFileSync(pidFilePath(stateFile), String(pid));
}

/** Waits until no process uses the state file. @throws {Error} when one still does after `timeoutMs`. */
export async function waitForPreviousProcess(stateFile: string, timeoutMs = 8_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; readCommandLine(readPid(stateFile)).includes(stateFile); ) {
    if (Date.now() > deadline) throw new Error(`Another sandbox is using ${stateFile}. Stop it first.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function readPid(stateFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFilePath(stateFile), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** Returns the command line of a process, or an empty string if it has ended or cannot be read. */
function readCommandLine(pid: number | undefined): string {
  if (pid === undefined || process.platform === "win32") return "";
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
  } catch {
    return "";
  }
}
