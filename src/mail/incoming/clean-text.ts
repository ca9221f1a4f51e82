/** Makes of what strangers write text that the database takes and that stays in its place. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const LINE_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but tab and line feed.
const TEXT_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Characters that turn the direction of what follows: `gpj.exe` would read `exe.jpg`. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** One line: every control character is a space, and none turns the direction of what follows. Cut after `maxLength` UTF-16 units. */
export function cleanLine(text: string, maxLength: number): string {
  // Cut first: the rest is not worth reading.
  return text.slice(0, maxLength).toWellFormed().replace(LINE_CONTROLS, " ").replace(DIRECTIONS, "").trim();
}

/** Several lines, ended by line feeds alone. Cut after `maxLength` UTF-16 units. */
export function cleanText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replace(/\r\n?/g, "\n").replace(TEXT_CONTROLS, "");
}

/** A file's name without any path, safe to offer for saving; empty when nothing is left of it. */
export function cleanFilename(name: string): string {
  const base = cleanLine(name, 1_000).split(/[/\\]/).at(-1) ?? "";
  const plain = base
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^\.+/, "")
    .trim();
  if (plain.length <= MAX_FILENAME_LENGTH) return plain;
  const extension = /\.[\w-]{1,12}$/.exec(plain)?.[0] ?? "";
  return plain.slice(0, MAX_FILENAME_LENGTH - extension.length).toWellFormed() + extension;
}

const MAX_FILENAME_LENGTH = 200;
