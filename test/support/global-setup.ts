/** What a run gives its tests: servers, the databases theirs are copied from, and a folder that is removed at the end. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dropRunOnServer, embeddedTemplate } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server to create databases on, or null: tests run on PGlite. */
    postgresqlUrl: string | null;
    redisUrl: string | null;
    /** The folder of the migrated PGlite. */
    embeddedTemplate: string;
    /** Begins the names of the databases that this run creates on a server. */
    databasePrefix: string;
  }
}

const PREFIX = "satchel-test-";
const MEMORY = "/dev/shm";
/** Several times what a run has there at once. */
const LEAST_MEMORY_BYTES = 8 * 1024 ** 3;

interface Run {
  readonly folder: string;
  readonly databasePrefix: string;
}

const here = globalThis as { satchelTestRun?: Promise<Run> };

/** Called for each project of a run. Worker processes may be killed, so what they leave is removed here. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  here.satchelTestRun ??= openRun();
  const { folder, databasePrefix } = await here.satchelTestRun;
  const postgresqlUrl = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"] || null;
  project.provide("postgresqlUrl", postgresqlUrl);
  project.provide("redisUrl", process.env["TEST_REDIS_URL"] || process.env["REDIS_URL"] || null);
  project.provide("embeddedTemplate", await embeddedTemplate());
  project.provide("databasePrefix", databasePrefix);
  return async () => {
    if (postgresqlUrl !== null) await dropRunOnServer(postgresqlUrl, databasePrefix);
    // Chains whose worker has ended still write their state.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}

async function openRun(): Promise<Run> {
  const parent = await fastestTmpdir();
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  // Inherited by workers and their children.
  process.env["TMPDIR"] = folder;
  return { folder, databasePrefix: `satchel_test_${randomBytes(4).toString("hex")}` };
}

/** Memory where there is plenty of it (Linux): a third of the system's time would go into copying and syncing databases. */
async function fastestTmpdir(): Promise<string> {
  if (process.env["TMPDIR"]) return tmpdir();
  const space = await statfs(MEMORY).catch(() => null);
  // The size of a file system in memory says nothing of what a container may use.
  const freeBytes = space === null ? 0 : Math.min(space.bavail * space.bsize, process.availableMemory());
  return freeBytes >= LEAST_MEMORY_BYTES ? MEMORY : tmpdir();
}

/** Removes the folders of runs whose process was killed. */
async function removeAbandoned(parent: string): Promise<void> {
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
