/** All that the service has kept, as text: every row of every table. */
import type { Database } from "../../src/platform/database/connection.ts";

export interface KeptText {
  readonly where: string;
  readonly text: string;
}

/** Columns of bytes come as hexadecimal. */
export async function keptTexts(db: Database): Promise<KeptText[]> {
  const tables = (await db.executeSql(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )) as { rows: { name: string }[] };
  const texts: KeptText[] = [];
  for (const { name } of tables.rows) {
    const { rows } = (await db.executeSql(`SELECT row_to_json(t)::text AS text FROM ${name} AS t`)) as {
      rows: { text: string }[];
    };
    texts.push(...rows.map(({ text }) => ({ where: name, text })));
  }
  return texts;
}

/** A card's number in every spelling that could betray it: bare, in groups, as hexadecimal and base64 of its characters. */
export function spellingsOf(number: string): string[] {
  const groups = number.match(/.{1,4}/g) ?? [];
  const written = [number, groups.join(" "), groups.join("-"), groups.join("+"), groups.join("%20")];
  const bytes = Buffer.from(number);
  // In base64 it depends on what stands before.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [...written, bytes.toString("hex"), ...shifted];
}
