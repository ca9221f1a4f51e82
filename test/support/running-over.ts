/** Who works on a folder: what must have ended when its owner has. */
import { readdirSync, readFileSync } from "node:fs";

/** Command lines of all processes that name the data folder (Linux). */
export function runningOver(folder: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const commandLine = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") : "";
      return commandLine.includes(folder) ? [commandLine] : [];
    } catch {
      return []; // gone meanwhile
    }
  });
}
