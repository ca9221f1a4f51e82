import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/connection.ts";
import { createDatabase } from "./postgresql.ts";
import { copyEmbeddedTemplate } from "./template.ts";

export interface TestDatabase {
  readonly db: Database;
  /** URL for further connections to the same database; null on PGlite, which allows only one. */
  readonly databaseUrl: string | null;
  /** Closes and drops the database. */
  close(): Promise<void>;
}

/** Creates a migrated, empty database: on PostgreSQL if TEST_DATABASE_URL or DATABASE_URL is set, or else on PGlite. */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const server = inject("postgresqlUrl");
  if (server === null) {
    const dataDir = await mkdtemp(join(tmpdir(), "satchel-database-"));
    await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
    const db = await openDatabase({ dataDir });
    const close = async () => {
      await db.close();
      await rm(dataDir, { recursive: true, force: true });
    };
    return { db, databaseUrl: null, close };
  }
  const { databaseUrl, drop } = await createDatabase(server);
  const db = await openDatabase({ databaseUrl, dataDir: "", poolSize: options.poolSize ?? 8 });
  const close = async () => {
    await db.close();
    await drop();
  };
  return { db, databaseUrl, close };
}
