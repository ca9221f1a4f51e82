import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Rows by id, in memory and on disk. A row is durable when `put` returns. */
export interface Table<Row extends { id: string }> {
  get(id: string): Row | undefined;
  put(row: Row): void;
  /** Rows in insertion order. */
  all(): Row[];
}

const MAX_ROWS = 20_000;

/** Opens an append-only file with one JSON line per `put`; the last line of an id wins. Old rows are evicted beyond `maxRows`. */
export function openTable<Row extends { id: string }>(dataDir: string, name: string, maxRows = MAX_ROWS): Table<Row> {
  const file = join(dataDir, `store-${name}.jsonl`);
  const rows = new Map<string, Row>();
  for (const row of readRows<Row>(file)) rows.set(row.id, row);
  evictOldest();
  // Compacts the file: drops outdated rows and an incomplete last line of a killed process.
  writeFileSync(`${file}.part`, [...rows.values()].map((row) => `${JSON.stringify(row)}\n`).join(""));
  renameSync(`${file}.part`, file);

  function evictOldest(): void {
    for (const id of rows.keys()) {
      if (rows.size <= maxRows) return;
      rows.delete(id);
    }
  }

  return {
    get: (id) => rows.get(id),
    put(row) {
      appendFileSync(file, `${JSON.stringify(row)}\n`);
      rows.set(row.id, row);
      evictOldest();
    },
    all: () => [...rows.values()],
  };
}

function readRows<Row>(file: string): Row[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}
