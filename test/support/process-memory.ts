/** Resident memory of another process (Linux). */
import { readFile, writeFile } from "node:fs/promises";

/** Returns the peak memory of the process in bytes. Unlike the current memory, a garbage collection does not lower it. */
export async function readPeakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Resets the peak to the current memory of the process. */
export async function resetPeakMemory(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}
