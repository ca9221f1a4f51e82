/** Migrates one database before all tests; each test that wants one takes a copy (`freshDatabase`). */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/platform/database.ts";
import { migrate } from "../../src/platform/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server to make databases on, or null: tests run on PGlite. */
    postgresqlUrl: string | null;
    redisUrl: string | null;
    /** Name of the migrated database on that server, or the file of PGlite's dump. */
    template: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgresqlUrl = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"] || null;
  project.provide("postgresqlUrl", postgresqlUrl);
  project.provide("redisUrl", process.env["TEST_REDIS_URL"] || process.env["REDIS_URL"] || null);
  const name = `satchel_test_template_${randomBytes(6).toString("hex")}`;
  if (postgresqlUrl) {
    await onServer(postgresqlUrl, `CREATE DATABASE ${name}`);
    const url = new URL(postgresqlUrl);
    url.pathname = `/${name}`;
    const db = await openDatabase({ databaseUrl: url.href, dataDir: "", poolSize: 2 });
    await migrate(db).finally(() => db.close());
    project.provide("template", name);
    return () => onServer(postgresqlUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
  const file = join(tmpdir(), `${name}.tar`);
  await writeFile(file, await migratedDump());
  project.provide("template", file);
  return () => rm(file, { force: true });
}

async function migratedDump(): Promise<Buffer> {
  const folder = join(tmpdir(), `satchel_test_${randomBytes(6).toString("hex")}`);
  try {
    const db = await openDatabase({ dataDir: folder });
    await migrate(db).finally(() => db.close());
    const embedded = await PGlite.create(join(folder, "pglite"));
    const dump = await embedded.dumpDataDir("none");
    await embedded.close();
    return Buffer.from(await dump.arrayBuffer());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
