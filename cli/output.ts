/** Output of commands: results on standard output, everything else on standard error. */
import { once } from "node:events";
import { styleText } from "node:util";

export interface Output {
  readonly isJson: boolean;
  /** Prints the result. With `--json`, prints `value` as JSON; otherwise prints the return value of `lines`. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** Writes bytes of the response to standard output, with backpressure. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints a note to standard error. With `--json`, prints `value` as one line of JSON, or nothing without `value`. */
  note(text: string, value?: object): void;
  /** Shows progress; on a terminal, `done` erases the line. */
  progress(text: string): { done(): void };
  error(message: string, code: string): void;
}

export function createOutput(isJson: boolean, { stdout, stderr } = process): Output {
  return {
    isJson,
    result(value, lines) {
      const text = isJson ? JSON.stringify(value, null, 2) : lines().join("\n");
      stdout.write(`${text}\n`);
    },
    async write(bytes) {
      if (!stdout.write(bytes)) await once(stdout, "drain");
    },
    note(text, value) {
      if (!isJson) stderr.write(`${text}\n`);
      else if (value) stderr.write(`${JSON.stringify(value)}\n`);
    },
    progress(text) {
      if (isJson) return { done() {} };
      if (!stderr.isTTY) {
        stderr.write(`${text}\n`);
        return { done() {} };
      }
      stderr.write(dim(text, stderr));
      return { done: () => void stderr.write("\r\x1b[K") };
    },
    error(message, code) {
      if (isJson) stderr.write(`${JSON.stringify({ error: code, message })}\n`);
      else stderr.write(`${styleText("red", "Error", { stream: stderr })}  ${message}\n`);
    },
  };
}

/** Dims text if the stream supports colour. */
export function dim(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText("dim", text, { stream });
}

/** Formats names and values in two columns. Omits rows whose value is null. */
export function formatPairs(rows: readonly (readonly [name: string, value: string | null])[]): string[] {
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${dim(name.padEnd(width))}  ${value}`);
}

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Formats a table whose columns are as wide as their widest cell. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? "";
        return align === "right" ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
      })
      .join("  ")
      .trimEnd();
  return [dim(line(columns.map(({ title }) => title))), ...rows.map(line)];
}

/** Abbreviates an address or hash to its first six and last four characters. */
export function shorten(text: string): string {
  return text.length <= 15 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}
