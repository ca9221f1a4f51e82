/** Databases of a test's own on the PostgreSQL server, for what PGlite cannot do: several processes on one database. */
import { inject } from "vitest";
import { copyOnServer, dropOnServer } from "./template.ts";

/** A migrated, empty database. `drop` drops it, even with open connections. */
export async function createDatabase(server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const { databaseUrl, name } = await copyOnServer(server, inject("databasePrefix"));
  return { databaseUrl, drop: () => dropOnServer(server, name) };
}
