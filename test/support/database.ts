import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database.ts";

export interface FreshDatabase {
  readonly db: Database;
  /** For more connections to the same database; null on PGlite, which has but one. */
  readonly databaseUrl: string | null;
  /** Closes it and throws it away. */
  close(): Promise<void>;
}

/** A migrated, empty database of the test's own: on PostgreSQL where TEST_DATABASE_URL or DATABASE_URL is set, else PGlite in memory. */
export async function freshDatabase(options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  const server = inject("postgresqlUrl");
  if (server === null) {
    const db = await openDatabase({ dataDir: "memory://", loadDataDir: await openAsBlob(inject("template")) });
    return { db, databaseUrl: null, close: () => db.close() };
  }
  const { databaseUrl, drop } = await copyTemplate(server);
  const db = await openDatabase({ databaseUrl, dataDir: "", poolSize: options.poolSize ?? 8 });
  const close = async () => {
    await db.close();
    await drop();
  };
  return { db, databaseUrl, close };
}

async function copyTemplate(server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `satchel_test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${inject("template")}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    async drop() {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}
