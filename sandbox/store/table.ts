import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Rows by id, in memory and on disk: what `put` took is there after a kill. */
export interface Table<Row extends { id: string }> {
  get(id: string): Row | undefined;
  put(row: Row): void;
  /** In the order in which they were first put. */
  all(): Row[];
}

const KEPT = 20_000;

/** Every `put` is one line appended before it returns; the last line of an id wins. The oldest rows go when there are too many. */
export function openTable<Row extends { id: string }>(dataDir: string, name: string, kept = KEPT): Table<Row> {
  const file = join(dataDir, `store-${name}.jsonl`);
  const rows = new Map<string, Row>();
  for (const row of readRows<Row>(file)) rows.set(row.id, row);
  forgetOldest();
  // What was written over and over, and a line that a killed process left unfinished, are dropped here.
  writeFileSync(`${file}.part`, [...rows.values()].map((row) => `${JSON.stringify(row)}\n`).join(""));
  renameSync(`${file}.part`, file);

  function forgetOldest(): void {
    for (const id of rows.keys()) {
      if (rows.size <= kept) return;
      rows.delete(id);
    }
  }

  return {
    get: (id) => rows.get(id),
    put(row) {
      appendFileSync(file, `${JSON.stringify(row)}\n`);
      rows.set(row.id, row);
      forgetOldest();
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
