/** Template of the test databases, migrated and empty. Creating a database lasts seconds; copying it is much faster. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { type Database, openDatabase } from "../../src/platform/database/connection.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { startJobs } from "../../src/platform/jobs/queue.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/satchel-test");
/** Files that determine the template's content, besides the migrations. */
const SOURCES = [
  "package-lock.json",
  "src/platform/database/connection.ts",
  "src/platform/jobs/queue.ts",
  "src/platform/database/migrate.ts",
];
const MAX_AGE_MS = 86_400_000;

/** Returns the folder of the embedded template. It is cached between runs and recreated only if one of its sources changes. */
export async function prepareEmbeddedTemplate(): Promise<string> {
  const folder = join(CACHE, await computeFingerprint());
  if (await fileExists(folder)) return join(folder, "pglite");
  const temporary = `${folder}.${randomBytes(6).toString("hex")}`;
  try {
    await prepareDatabase(await openDatabase({ dataDir: temporary }));
    await trimDatabase(temporary);
    // Another run may have created an equivalent folder in the meantime.
    await rename(temporary, folder).catch(async (error: unknown) => {
      if (!(await fileExists(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await deleteOldTemplates(folder);
  return join(folder, "pglite");
}

/** Copies the template to the database folder of a service with this DATA_DIR. */
export async function copyEmbeddedTemplate(template: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // `cp`: Node's copy of a thousand files needs seven times the CPU time, and a run makes two hundred copies.
  await promisify(execFile)("cp", ["-R", template, join(dataDir, "pglite")]);
}

/** Creates a copy on the server. The first call of a run creates the template; concurrent calls wait for it. */
export async function copyServerTemplate(
  server: string,
  prefix: string,
): Promise<{ databaseUrl: string; name: string }> {
  const name = `${prefix}_${randomBytes(6).toString("hex")}`;
  const template = `${prefix}_template`;
  await withServer(server, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [template]);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${name}`);
      await prepareDatabase(
        await openDatabase({ databaseUrl: createDatabaseUrl(server, name), dataDir: "", poolSize: 2 }),
      );
      await client.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
    }
    await client.query("SELECT pg_advisory_unlock(hashtext($1))", [template]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return { databaseUrl: createDatabaseUrl(server, name), name };
}

/** Drops a database, even with open connections. */
export async function dropServerDatabase(server: string, name: string): Promise<void> {
  await withServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Drops all remaining databases of a run. */
export async function dropRunDatabases(server: string, prefix: string): Promise<void> {
  await withServer(server, async (client) => {
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}

async function prepareDatabase(db: Database): Promise<void> {
  try {
    await migrate(db);
    // The job queue creates its tables on its first start.
    const jobs = await startJobs(db, createLogger("silent"));
    await jobs.stop();
  } finally {
    await db.close();
  }
}

/** Halves the bytes and files of the template and reduces its buffers, which makes copies and their start faster. */
async function trimDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, "pglite");
  const embedded = await PGlite.create(folder);
  try {
    await embedded.exec("ALTER SYSTEM SET shared_buffers = '16MB'");
    // CREATE DATABASE copies these templates. An embedded database never creates another.
    await embedded.exec("UPDATE pg_database SET datistemplate = false WHERE datname <> current_database()");
    await embedded.exec("DROP DATABASE template0");
    await embedded.exec("DROP DATABASE template1");
  } finally {
    await embedded.close();
  }
  const wal = join(folder, "pg_wal");
  const segments = (await readdir(wal, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const path of segments.map(({ name }) => join(wal, name))) {
    const bytes = await readFile(path);
    // The trailing zeros become a hole in a sparse file, which `cp` preserves.
    await truncate(path, bytes.findLastIndex((byte) => byte !== 0) + 1);
    await truncate(path, bytes.length);
  }
}

async function computeFingerprint(): Promise<string> {
  const migrations = await readdir(join(ROOT, "prisma/migrations"), { recursive: true });
  const files = [...migrations.filter((name) => name.endsWith(".sql")).map((name) => `prisma/migrations/${name}`)];
  const hash = createHash("sha256");
  for (const file of [...files.sort(), ...SOURCES, "test/support/template.ts"]) {
    hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 24);
}

/** Deletes templates of other code versions, unless a run may still use them. */
async function deleteOldTemplates(current: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const folder = join(CACHE, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (folder !== current && Date.now() - mtimeMs > MAX_AGE_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function fileExists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

function createDatabaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function withServer<Result>(server: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
