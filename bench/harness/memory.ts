/** Memory of a process and its descendants, from `/proc`. Shared pages count proportionally (Pss). */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the proportional set size in bytes, or null on a system without `/proc`. */
export function readMemoryBytes(pid: number): number | null {
  try {
    const parents = new Map(
      readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [readParent(Number(name))] : [])),
    );
    const isInTree = (candidate: number): boolean =>
      candidate === pid || (parents.has(candidate) && isInTree(parents.get(candidate) ?? 0));
    return [...parents.keys()].filter(isInTree).reduce((sum, member) => sum + readPssBytes(member), 0);
  } catch {
    return null;
  }
}

function readParent(pid: number): [pid: number, parent: number] {
  try {
    return [pid, Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)];
  } catch {
    // The process has exited since the listing.
    return [pid, 0];
  }
}

function readPssBytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
