import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/**
 * A sandbox that was killed leaves an anvil that is still writing its state. The next one waits for it, so that two
 * processes never share a state file. `<stateFile>.pid` remembers who to wait for.
 */
const pidFile = (stateFile: string) => `${stateFile}.pid`;

export function rememberProcess(stateFile: string, pid: number | undefined): void {
  if (pid !== undefined) writeFileSync(pidFile(stateFile), String(pid));
}

/** Resolves when no process works on the state file. @throws Error when one still does after `timeoutMs` */
export async function waitForFormerProcess(stateFile: string, timeoutMs = 8_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; commandOf(readPid(stateFile)).includes(stateFile); ) {
    if (Date.now() > deadline) throw new Error(`Another sandbox is running on ${stateFile}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function readPid(stateFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile(stateFile), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when it is gone (or cannot be told). */
function commandOf(pid: number | undefined): string {
  if (pid === undefined || process.platform === "win32") return "";
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
  } catch {
    return "";
  }
}
