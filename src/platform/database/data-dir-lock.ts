import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperatorError } from "../operator-error.ts";

/** Another process has locked the data folder. */
export class DataDirLockedError extends OperatorError {
  constructor(folder: string) {
    super(
      `Another Satchel process is using the data folder ${folder}. Nothing was changed. Stop that process, or set DATA_DIR to another folder.`,
    );
  }
}

/** The locks held. SQLite would release the lock of a handle that is garbage-collected. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder for this process. Uses SQLite's file lock, which the operating system releases when the process ends for
 * any reason: no stale locks, no process ids to compare.
 *
 * @returns a function that releases the lock
 * @throws {DataDirLockedError}
 */
export function lockDataDir(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, "lock.sqlite"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes("locked")) throw new DataDirLockedError(folder);
    throw error;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
