import type { Bench } from "./bench.ts";
import type { Judged, Measured } from "./measure.ts";

export interface BenchReport {
  readonly bench: Pick<Bench, "name" | "title" | "unit">;
  readonly measured: readonly Measured[];
  readonly judged: readonly Judged[];
  readonly skipped: readonly string[];
  readonly notes?: readonly string[];
}

const HEADINGS = ["", "a second", "CPU µs each", "against", "ratio", "aim", ""];

/** One table for all benches, in columns for a terminal. */
export function formatTable(reports: readonly BenchReport[]): string {
  const sections = reports.map((report) => ({ title: titleOf(report), rows: rowsOf(report) }));
  const all = [HEADINGS, ...sections.flatMap(({ rows }) => rows)];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        isNumeric(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const text = sections.map(({ title, rows }) => [title, ...rows.map(line)].join("\n")).join("\n\n");
  return `${line(HEADINGS)}\n\n${text}\n`;
}

function titleOf({ bench: { name, title, unit }, skipped, notes = [] }: BenchReport): string {
  const remarks = [...skipped.map((why) => `skipped: ${why}`), ...notes];
  return [`${name}: ${title} (${unit})`, ...remarks.map((remark) => `  ${remark}`)].join("\n");
}

function rowsOf({ measured, judged }: BenchReport): string[][] {
  return measured.flatMap(({ subject, perSecond, cpuMicrosEach }) => {
    const own = judged.filter((one) => one.subject === subject).map(verdict);
    const figures = [`  ${subject}`, Math.round(perSecond).toLocaleString("en"), formatMicros(cpuMicrosEach)];
    const [first = ["", "", "", ""], ...more] = own;
    return [[...figures, ...first], ...more.map((cells) => ["", "", "", ...cells])];
  });
}

function verdict({ against, value, aim, isMet }: Judged): string[] {
  const met = isMet === null ? "" : isMet ? "met" : "MISSED";
  if (against === null) return ["", "", `≥ ${(aim ?? 0).toLocaleString("en")}`, met];
  return [against, value.toFixed(2), aim === null ? "" : `≥ ${aim.toFixed(1)}`, met];
}

function isNumeric(column: number): boolean {
  return column === 1 || column === 2 || column === 4 || column === 5;
}

function formatMicros(micros: number): string {
  return micros < 10 ? micros.toFixed(1) : Math.round(micros).toLocaleString("en");
}
