import { randomUUID } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { CliError } from "./errors.ts";

/** Age of a stale lock. A holder makes one request, which ends sooner, so an older lock belongs to a killed process. */
const STALE_AFTER_MS = 60_000;
const RETRY_MS = 25;

/** Runs `work` while no other process does so with the same `path`. */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const owner = `${process.pid} ${randomUUID()}`;
  const deadlineMs = Date.now() + 2 * STALE_AFTER_MS;
  while (!(await acquire(path, owner))) {
    if (Date.now() > deadlineMs) {
      throw new CliError(`Another command has locked ${path}. If no other command is running, remove the file.`);
    }
    await removeIfStale(path);
    await delay(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    // Removes the lock only if no other process has replaced it as stale.
    if ((await readFile(path, "utf8").catch(() => "")) === owner) await rm(path, { force: true });
  }
}

async function acquire(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeIfStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
}
