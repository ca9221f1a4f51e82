/** Normalises untrusted text: valid for PostgreSQL, without control characters or direction overrides. */
import { separateInvisibleCharacters } from "./invisible-characters.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const LINE_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches all but tab and line feed.
const TEXT_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Bidirectional control characters. They reverse the text that follows: `gpj.exe` would read `exe.jpg`. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns one line without direction overrides; runs of control characters become a space. Truncates after `maxLength` UTF-16
 * code units.
 */
export function cleanLine(text: string, maxLength: number): string {
  // Truncated first, which bounds the work.
  return text.slice(0, maxLength).toWellFormed().replace(LINE_CONTROLS, " ").replace(DIRECTIONS, "").trim();
}

/** Returns text with line feeds as the only line breaks. Truncates after `maxLength` UTF-16 code units. */
export function cleanText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replace(/\r\n?/g, "\n").replace(TEXT_CONTROLS, "");
}

/** Returns a file name without a path, safe to offer for saving; empty when no valid character remains. */
export function cleanFilename(name: string): string {
  const base = separateInvisibleCharacters(cleanLine(name, 1_000)).text.split(/[/\\]/).at(-1) ?? "";
  const plain = base
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .replace(DEVICE_NAME, "_$&");
  if (plain.length <= MAX_FILENAME_LENGTH) return plain;
  const extension = /\.[\w-]{1,12}$/.exec(plain)?.[0] ?? "";
  return plain.slice(0, MAX_FILENAME_LENGTH - extension.length).toWellFormed() + extension;
}

const MAX_FILENAME_LENGTH = 200;
/** Names that Windows opens as devices, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
