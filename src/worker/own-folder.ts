/** Where a worker's browsers keep what they need: one folder, which goes with the worker, or with the next one. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const PREFIX = "satchel-worker-";

/** Makes it, and removes those of workers that were killed. */
export async function openOwnFolder(parent: string): Promise<string> {
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
    // Alive, and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
