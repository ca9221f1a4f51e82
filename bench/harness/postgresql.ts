/** Databases of a bench: made for it and dropped after it. */
import { randomBytes } from "node:crypto";
import pg from "pg";

const LOCAL_SERVER = "postgresql://postgres@127.0.0.1:5432/postgres";
const CONNECT_TIMEOUT_MS = 2_000;

/** DATABASE_URL, or a server on this machine; null when neither answers. */
export async function findPostgresql(): Promise<string | null> {
  const url = process.env["DATABASE_URL"] || LOCAL_SERVER;
  try {
    await withClient(url, (client) => client.query("SELECT 1"));
    return url;
  } catch {
    return null;
  }
}

/** The settings without which a commit is not on disk when it returns. */
export async function durability(serverUrl: string): Promise<string> {
  return await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes')",
    );
    return rows.map(({ name, setting }) => `${name} ${setting}`).join(", ");
  });
}

const databases = new Set<string>();

/** Does what autovacuum does within a minute, so that statements are planned for the tables as they are. */
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

/** One statement on a connection of its own. */
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
