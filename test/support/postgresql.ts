/** Databases of a test's own on a PostgreSQL server, for what PGlite cannot do: several processes on one database. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { postgresqlUrl } from "./servers.ts";

const USUAL_SERVER = "postgresql://postgres@127.0.0.1:5432/postgres";

/** The server tests were given, else the usual local one when it answers, else null. */
export async function findPostgresql(): Promise<string | null> {
  if (postgresqlUrl !== null) return postgresqlUrl;
  return await onServer(USUAL_SERVER, "SELECT 1", 1_000).then(
    () => USUAL_SERVER,
    () => null,
  );
}

/** An empty database. `drop` throws it away, whoever is connected. */
export async function createDatabase(server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `satchel_test_${randomBytes(8).toString("hex")}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function onServer(connectionString: string, statement: string, connectionTimeoutMillis = 10_000): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
