/** How long each test file took when the durations were last recorded (`npm run test:record`): a new clone orders its files by them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../durations.json");

/** Seconds by file, as a path from the root of the project. */
export type Durations = Readonly<Record<string, number>>;

export function readDurations(): Durations {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Durations) : {};
}

/** Replaces those of the files that ran, drops those of files that are gone. */
export function recordDurations(measured: Durations): void {
  const root = join(import.meta.dirname, "../..");
  const all = Object.entries({ ...readDurations(), ...measured });
  const known = all.filter(([file]) => existsSync(join(root, file))).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}
