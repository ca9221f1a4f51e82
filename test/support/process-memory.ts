/** The memory of another process, as Linux counts it. */
import { readFile, writeFile } from "node:fs/promises";

/** The most memory the process ever had, in bytes: unlike what it has now, no collection lowers it. */
export async function peakBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Sets the peak to what the process has now. */
export async function resetPeakOf(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}
