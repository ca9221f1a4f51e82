import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another process has the data folder open. */
export class DataDirLockedError extends Error {
  constructor(folder: string) {
    super(
      `Another Satchel process is using the data folder ${folder}. Stop it, or give this one its own with DATA_DIR. Nothing was changed.`,
    );
    this.name = "DataDirLockedError";
  }
}

/**
 * Takes a folder for this process alone. The lock is SQLite's own file lock: the operating system drops it when the
 * process ends, however it ends, so there is never a stale lock to clear and no process id to mistake.
 * @returns what releases it.
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
  return () => lock.close();
}
