/** Global setup of a run: server URLs, template databases and a temporary folder that is removed at the end. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dropRunDatabases, prepareEmbeddedTemplate } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the PostgreSQL server for test databases; null to use PGlite. */
    postgresqlUrl: string | null;
    redisUrl: string | null;
    /** Folder of the migrated PGlite template. */
    embeddedTemplate: string;
    /** Name prefix of the databases that this run creates on a server. */
    databasePrefix: string;
  }
}

/** Short, because the paths of sockets below it are limited. */
const PREFIX = "st-";
const MEMORY_FOLDER = "/dev/shm";
/** Minimum free space: several times the maximum that a run uses concurrently. */
const MIN_MEMORY_BYTES = 8 * 1024 ** 3;

interface Run {
  readonly folder: string;
  readonly databasePrefix: string;
}

const globals = globalThis as { satchelTestRun?: Promise<Run> };

/** Called for each project of a run. Worker processes may be killed, so the teardown removes their files and databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globals.satchelTestRun ??= openRun();
  const { folder, databasePrefix } = await globals.satchelTestRun;
  const postgresqlUrl = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"] || null;
  project.provide("postgresqlUrl", postgresqlUrl);
  project.provide("redisUrl", process.env["TEST_REDIS_URL"] || process.env["REDIS_URL"] || null);
  project.provide("embeddedTemplate", await prepareEmbeddedTemplate());
  project.provide("databasePrefix", databasePrefix);
  return async () => {
    if (postgresqlUrl !== null) await dropRunDatabases(postgresqlUrl, databasePrefix);
    // Retried: chains whose worker has ended may still write their state.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}

async function openRun(): Promise<Run> {
  const parent = await findFastestTmpdir();
  await removeAbandonedFolders(parent);
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  // Inherited by workers and their children.
  process.env["TMPDIR"] = folder;
  return { folder, databasePrefix: `satchel_test_${randomBytes(4).toString("hex")}` };
}

/**
 * Returns the file system in memory if it has enough space (Linux). On disk, copying and syncing databases would account for
 * a third of the system time.
 */
async function findFastestTmpdir(): Promise<string> {
  if (process.env["TMPDIR"]) return tmpdir();
  const space = await statfs(MEMORY_FOLDER).catch(() => null);
  // The size of a file system in memory may exceed the memory limit of a container.
  const freeBytes = space === null ? 0 : Math.min(space.bavail * space.bsize, process.availableMemory());
  return freeBytes >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
}

/** Removes the folders of runs whose process was killed. */
async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
