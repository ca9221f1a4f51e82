/** Databases of a benchmark, created for it and dropped after it. */
import { randomBytes } from "node:crypto";
import pg from "pg";

const LOCAL_SERVER = "postgresql://postgres@127.0.0.1:5432/postgres";
const CONNECT_TIMEOUT_MS = 2_000;

/** Returns DATABASE_URL, by default the URL of a local server. Returns null if the connection fails. */
export async function findPostgresql(): Promise<string | null> {
  const url = process.env["DATABASE_URL"] || LOCAL_SERVER;
  try {
    await withClient(url, (client) => client.query("SELECT 1"));
    return url;
  } catch {
    return null;
  }
}

/** Returns the server version and the settings that durable commits need. */
export async function readDurabilitySettings(serverUrl: string): Promise<string> {
  return await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes')",
    );
    return rows.map(({ name, setting }) => `${name} ${setting}`).join(", ");
  });
}

const databases = new Set<string>();

/** Runs ANALYZE on every database, as autovacuum does within a minute. Without statistics, statements get worse plans. */
export async function refreshStatistics(): Promise<void> {
  for (const url of databases) await query(url, "ANALYZE");
}

export interface BenchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function createDatabase(serverUrl: string): Promise<BenchDatabase> {
  const name = `satchel_bench_${randomBytes(6).toString("hex")}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  databases.add(url.href);
  return {
    url: url.href,
    async drop() {
      databases.delete(url.href);
      await withClient(serverUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Runs one statement on a new connection. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  return await withClient(url, async (client) => (await client.query<Row>(text, values)).rows);
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
