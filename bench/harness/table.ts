import type { Bench } from "./bench.ts";
import type { Measurement, Verdict } from "./measure.ts";

export interface BenchReport {
  readonly bench: Pick<Bench, "name" | "title" | "unit">;
  // `measured` and `judged` are keys of the JSON output.
  readonly measured: readonly Measurement[];
  readonly judged: readonly Verdict[];
  readonly skipped: readonly string[];
  readonly notes?: readonly string[];
}

const HEADINGS = ["", "per second", "CPU µs each", "against", "ratio", "aim", ""];

/** Returns one table for all benchmarks, with aligned columns for a terminal. */
export function formatTable(reports: readonly BenchReport[]): string {
  const sections = reports.map((report) => ({ title: formatTitle(report), rows: formatRows(report) }));
  const allRows = [HEADINGS, ...sections.flatMap(({ rows }) => rows)];
  const widths = HEADINGS.map((_, column) => Math.max(...allRows.map((row) => (row[column] ?? "").length)));
  const formatLine = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        isNumeric(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const text = sections.map(({ title, rows }) => [title, ...rows.map(formatLine)].join("\n")).join("\n\n");
  return `${formatLine(HEADINGS)}\n\n${text}\n`;
}

function formatTitle({ bench: { name, title, unit }, skipped, notes = [] }: BenchReport): string {
  const remarks = [...skipped.map((reason) => `skipped: ${reason}`), ...notes];
  return [`${name}: ${title} (${unit})`, ...remarks.map((remark) => `  ${remark}`)].join("\n");
}

function formatRows({ measured, judged }: BenchReport): string[][] {
  return measured.flatMap(({ subject, perSecond, cpuMicrosEach }) => {
    const verdicts = judged.filter((verdict) => verdict.subject === subject).map(formatVerdict);
    const figures = [`  ${subject}`, formatRate(perSecond), formatMicros(cpuMicrosEach)];
    const [first = ["", "", "", ""], ...more] = verdicts;
    return [[...figures, ...first], ...more.map((cells) => ["", "", "", ...cells])];
  });
}

function formatVerdict({ against, value, aim, isMet }: Verdict): string[] {
  const met = isMet === null ? "" : isMet ? "met" : "MISSED";
  if (against === null) return ["", "", `≥ ${(aim ?? 0).toLocaleString("en")}`, met];
  return [against, value.toFixed(2), aim === null ? "" : `≥ ${aim.toFixed(1)}`, met];
}

function isNumeric(column: number): boolean {
  return column === 1 || column === 2 || column === 4 || column === 5;
}

/** Slow programs complete less than one operation per second. */
function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(2) : Math.round(perSecond).toLocaleString("en");
}

function formatMicros(micros: number): string {
  return micros < 10 ? micros.toFixed(1) : Math.round(micros).toLocaleString("en");
}
