/** Databases of a test's own on a PostgreSQL server, for what PGlite cannot do: several processes on one database. */
import { inject } from "vitest";
import { copyOnServer, dropOnServer, findServer } from "./template.ts";

/** The server tests were given, else the usual local one when it answers, else null. */
export async function findPostgresql(): Promise<string | null> {
  return await findServer(inject("postgresqlUrl"));
}

/** A migrated, empty database. `drop` throws it away, whoever is connected. */
export async function createDatabase(server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const { databaseUrl, name } = await copyOnServer(server, inject("serverTemplate"));
  return { databaseUrl, drop: () => dropOnServer(server, name) };
}
