/**
 * A minimal product search: one statement with ILIKE for each word, through pg, on the titles of Satchel's table. Arguments:
 * DATABASE_URL, and the queries as JSON.
 */
import pg from "pg";
import { serveParent } from "../harness/serve-parent.ts";

const [databaseUrl, queries = "[]"] = process.argv.slice(2);
const QUERIES: readonly string[] = JSON.parse(queries);

const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });

/** Searches for `durationMs`, one query after the other. Returns the latencies in milliseconds. */
async function search({ durationMs }: { durationMs: number }): Promise<number[]> {
  const endsAtMs = performance.now() + durationMs;
  const latenciesMs: number[] = [];
  for (let at = 0; performance.now() < endsAtMs; at++) {
    const words = (QUERIES[at % QUERIES.length] ?? "").split(" ");
    const startedAtMs = performance.now();
    await pool.query(
      `SELECT title, price_minor FROM indexed_products WHERE ${words.map((_, n) => `title ILIKE $${n + 1}`).join(" AND ")}
       ORDER BY available DESC, price_minor, id LIMIT 20`,
      words.map((word) => `%${word}%`),
    );
    latenciesMs.push(performance.now() - startedAtMs);
  }
  return latenciesMs;
}

serveParent(null, { handlers: { search }, close: () => pool.end() });
