/** Test databases on the PostgreSQL server. PGlite does not support several processes on one database. */
import { inject } from "vitest";
import { copyServerTemplate, dropServerDatabase } from "./template.ts";

/** Creates a migrated, empty database. `drop` drops it, even with open connections. */
export async function createDatabase(server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const { databaseUrl, name } = await copyServerTemplate(server, inject("databasePrefix"));
  return { databaseUrl, drop: () => dropServerDatabase(server, name) };
}
