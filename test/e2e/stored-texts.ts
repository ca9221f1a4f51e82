/** Reads all stored data as text, for searches for secrets. */
import type { Database } from "../../src/platform/database/connection.ts";

export interface StoredText {
  readonly where: string;
  readonly text: string;
}

/** Returns every row of every table as JSON. Columns of type bytea are hexadecimal. */
export async function readStoredTexts(db: Database): Promise<StoredText[]> {
  const tables = (await db.executeSql(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )) as { rows: { name: string }[] };
  const texts: StoredText[] = [];
  for (const { name } of tables.rows) {
    const { rows } = (await db.executeSql(`SELECT row_to_json(t)::text AS text FROM ${name} AS t`)) as {
      rows: { text: string }[];
    };
    texts.push(...rows.map(({ text }) => ({ where: name, text })));
  }
  return texts;
}

/** Returns a card number in all relevant notations: plain, grouped, and its characters in hexadecimal and base64. */
export function listSpellings(number: string): string[] {
  const groups = number.match(/.{1,4}/g) ?? [];
  const written = [number, groups.join(" "), groups.join("-"), groups.join("+"), groups.join("%20")];
  const bytes = Buffer.from(number);
  // The base64 form depends on the offset in the encoded data.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [...written, bytes.toString("hex"), ...shifted];
}
