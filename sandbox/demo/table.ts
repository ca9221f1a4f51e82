/** Formats rows as aligned columns for a terminal. Numbers are right-aligned, other values left-aligned. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const isNumeric = header.map((_, column) => rows.every((row) => /^[\d.,]*( USD| ms)?$/.test(row[column] ?? "")));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return all.map((row) => `  ${line(row)}`).join("\n");
}

/** Shortens a hash in the middle: `0x1234…cdef`. */
export function short(text: string | null): string {
  return text && text.length > 16 ? `${text.slice(0, 10)}…${text.slice(-6)}` : (text ?? "-");
}
