/** The temporary folder of a worker's browsers. Removed when the worker exits, or by the next worker after a crash. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Short, because the path of a browser's socket below it is limited. */
const PREFIX = "satchel-w-";

/** Creates the folder and removes those of workers that no longer run. */
export async function createWorkerFolder(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
    }
  }
  return await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
