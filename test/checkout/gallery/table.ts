/** Table of a run for a terminal. */
import type { Result } from "./classify.ts";
import { countResults } from "./expectations.ts";
import type { CaseResult } from "./run.ts";

const COLUMNS: readonly (readonly [Result, string])[] = [
  ["paid", "paid once and confirmed"],
  ["stopped", "stopped safely"],
  ["unknown", "unknown"],
  ["wrong", "wrong"],
];

/** Returns the counts of each group, then every checkout that was not paid. Held-back shapes are only counted. */
export function formatTable(results: readonly CaseResult[]): string {
  const groups: [string, CaseResult[]][] = [
    ["healthy", results.filter(({ isFault, isHeldBack }) => !isFault && !isHeldBack)],
    ["healthy, held back", results.filter(({ isHeldBack }) => isHeldBack)],
    ["with a fault", results.filter(({ isFault }) => isFault)],
  ];
  const rows = groups
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => {
      const counts = countResults(group);
      return [name, String(group.length), ...COLUMNS.map(([result]) => String(counts[result]))];
    });
  const lines = [["", "orders", ...COLUMNS.map(([, title]) => title)], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const table = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const details = results
    .filter(({ isHeldBack, result, isFault }) => !isHeldBack && (isFault || result !== "paid"))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, result, reason, seconds }) => `  ${result.padEnd(8)} ${name}: ${reason}, ${seconds.toFixed(1)} s`);
  return `${[...table, "", ...details].join("\n")}\n`;
}
