/** A migrated, empty database that every test's own is copied from: making one takes seconds, copying it a moment. */
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
/** What decides what is in the template, beside the migrations. */
const MAKERS = [
  "package-lock.json",
  "src/platform/database/connection.ts",
  "src/platform/jobs/queue.ts",
  "src/platform/database/migrate.ts",
];
const KEPT_MS = 86_400_000;

/** The embedded one's folder: made once for as long as nothing it is made from changes, and kept between runs. */
export async function embeddedTemplate(): Promise<string> {
  const folder = join(CACHE, await fingerprint());
  if (await exists(folder)) return join(folder, "pglite");
  const own = `${folder}.${randomBytes(6).toString("hex")}`;
  try {
    await fill(await openDatabase({ dataDir: own }));
    await trim(own);
    // Another run may have been faster: its folder is as good.
    await rename(own, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  await forgetOld(folder);
  return join(folder, "pglite");
}

/** Puts a copy where a service with that DATA_DIR looks for its database. */
export async function copyEmbedded(template: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // Node's own copy of a thousand files takes seven times the processor's time, two hundred times a run.
  await promisify(execFile)("cp", ["-R", template, join(dataDir, "pglite")]);
}

/** A copy on the server. The first test that asks creates the template, the others wait for it. */
export async function copyOnServer(server: string, prefix: string): Promise<{ databaseUrl: string; name: string }> {
  const name = `${prefix}_${randomBytes(6).toString("hex")}`;
  const template = `${prefix}_template`;
  await withServer(server, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [template]);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${name}`);
      await fill(await openDatabase({ databaseUrl: urlOf(server, name), dataDir: "", poolSize: 2 }));
      await client.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
    }
    await client.query("SELECT pg_advisory_unlock(hashtext($1))", [template]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return { databaseUrl: urlOf(server, name), name };
}

/** Drops a database, even with open connections. */
export async function dropOnServer(server: string, name: string): Promise<void> {
  await withServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Drops all databases that a run created and did not drop. */
export async function dropRunOnServer(server: string, prefix: string): Promise<void> {
  await withServer(server, async (client) => {
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}

async function fill(db: Database): Promise<void> {
  try {
    await migrate(db);
    // The job queue brings its own tables along when it first starts.
    const jobs = await startJobs(db, createLogger("silent"));
    await jobs.stop();
  } finally {
    await db.close();
  }
}

/** Leaves what a copy and its start need: half of the bytes and files, and no memory to clear for a large cache. */
async function trim(dataDir: string): Promise<void> {
  const folder = join(dataDir, "pglite");
  const embedded = await PGlite.create(folder);
  try {
    await embedded.exec("ALTER SYSTEM SET shared_buffers = '16MB'");
    // New databases are made from these; an embedded one makes none.
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
    // The zeros that follow become a hole, which `cp` keeps one.
    await truncate(path, bytes.findLastIndex((byte) => byte !== 0) + 1);
    await truncate(path, bytes.length);
  }
}

async function fingerprint(): Promise<string> {
  const migrations = await readdir(join(ROOT, "prisma/migrations"), { recursive: true });
  const files = [...migrations.filter((name) => name.endsWith(".sql")).map((name) => `prisma/migrations/${name}`)];
  const hash = createHash("sha256");
  for (const file of [...files.sort(), ...MAKERS, "test/support/template.ts"]) {
    hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 24);
}

/** Templates of other states of the code, unless a run may still be using them. */
async function forgetOld(current: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const folder = join(CACHE, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (folder !== current && Date.now() - mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

function urlOf(server: string, name: string): string {
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
