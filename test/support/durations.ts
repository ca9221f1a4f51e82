/** Recorded duration of each test file (`npm run test:record`). A new clone orders its test files by it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../durations.json");

/** Seconds by file path, relative to the project root. */
export type Durations = Readonly<Record<string, number>>;

export function readDurations(): Durations {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Durations) : {};
}

/** Replaces the durations of the measured files and removes those of deleted files. */
export function recordDurations(measured: Durations): void {
  const root = join(import.meta.dirname, "../..");
  const all = Object.entries({ ...readDurations(), ...measured });
  const known = all.filter(([file]) => existsSync(join(root, file))).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}
