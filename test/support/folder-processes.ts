/** Processes that use a data folder. None may remain after the owner's process has ended. */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the command lines of all processes that contain the path of the data folder (Linux). */
export function findProcessesUsing(folder: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const commandLine = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") : "";
      return commandLine.includes(folder) ? [commandLine] : [];
    } catch {
      return []; // the process has ended
    }
  });
}
