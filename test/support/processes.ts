/** Processes of this machine, read from `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of all descendant processes. */
export function listDescendants(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readProcess(Number(name), "stat")) ?? [];
      return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
    });
  const listChildren = (one: number): number[] =>
    parents.filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...listChildren(child)]);
  return listChildren(pid);
}

/** Returns false for zombies too, whose memory is released. */
export function isAlive(pid: number): boolean {
  return /^\d+ \(.*\) [^Z]/s.test(readProcess(pid, "stat"));
}

/** Returns the ids of the processes that inherited a temporary folder, or one within it, and of their descendants. */
export function listProcessesOf(temporary: string): number[] {
  const inheriting = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProcess(pid, "environ").includes(`TMPDIR=${temporary}`));
  // Chromium's own child processes overwrite their environment.
  return [...new Set(inheriting.flatMap((pid) => [pid, ...listDescendants(pid)]))].filter(isAlive);
}

/** Returns the command line, or an empty text if the process has ended. */
export const readCommand = (pid: number): string => readProcess(pid, "cmdline").replaceAll("\0", " ");

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
