/** Memory of a process and all that it started, from `/proc`: what is shared counts in shares (Pss). */
import { readdirSync, readFileSync } from "node:fs";

/** Null where there is no `/proc`. */
export function memoryBytesOf(pid: number): number | null {
  try {
    const parents = new Map(
      readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [parentOf(Number(name))] : [])),
    );
    const isWithin = (one: number): boolean => one === pid || (parents.has(one) && isWithin(parents.get(one) ?? 0));
    return [...parents.keys()].filter(isWithin).reduce((sum, one) => sum + pssOf(one), 0);
  } catch {
    return null;
  }
}

function parentOf(pid: number): [pid: number, parent: number] {
  try {
    return [pid, Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)];
  } catch {
    // It has gone meanwhile.
    return [pid, 0];
  }
}

function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
