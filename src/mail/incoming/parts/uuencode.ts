/** Files in uuencode (POSIX, `uuencode`): blocks from `begin` to `end` within text. */

export interface EncodedFile {
  readonly filename: string;
  readonly bytes: Buffer;
}

const BEGIN = /^begin [0-7]{3,4} (\S.{0,299})$/;
/** Number of bytes in a full line. */
const MAX_LINE_BYTES = 63;

/** Separates the encoded files from the text around them. An incomplete block remains text. */
export function extractEncodedFiles(text: string): { readonly text: string; readonly files: readonly EncodedFile[] } {
  if (!text.includes("begin ")) return { text, files: [] };
  const lines = text.split("\n");
  const rest: string[] = [];
  const files: EncodedFile[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const filename = BEGIN.exec(line.trimEnd())?.[1];
    const block = filename === undefined ? null : readBlock(lines, at + 1);
    if (filename === undefined || block === null) {
      rest.push(line);
      continue;
    }
    files.push({ filename, bytes: block.bytes });
    at = block.end;
  }
  return { text: files.length === 0 ? text : rest.join("\n"), files };
}

/** Reads lines up to `end`. Null if another line is no encoded data; a `begin` line never is, so the work is linear. */
function readBlock(lines: readonly string[], start: number): { readonly bytes: Buffer; readonly end: number } | null {
  const parts: Buffer[] = [];
  for (let at = start; at < lines.length; at++) {
    const line = (lines[at] ?? "").replace(/\r$/, "");
    if (line.trimEnd() === "end") return { bytes: Buffer.concat(parts), end: at };
    const bytes = line.trim() === "" ? Buffer.alloc(0) : decodeLine(line);
    if (bytes === null) return null;
    parts.push(bytes);
  }
  return null;
}

/** Decodes a line. Spaces at its end may have been removed in transit. */
function decodeLine(line: string): Buffer | null {
  const sizeBytes = (line.charCodeAt(0) - 0x20) & MAX_LINE_BYTES;
  const characters = Math.ceil(sizeBytes / 3) * 4;
  // Some encoders append a checksum or fill the last group.
  if (line.length > characters + 4 || !/^[\x20-\x60]+$/.test(line)) return null;
  const bytes = Buffer.alloc(Math.ceil(sizeBytes / 3) * 3);
  const read = (at: number) => (line.length > at ? (line.charCodeAt(at) - 0x20) & 0x3f : 0);
  for (let group = 0; group * 3 < sizeBytes; group++) {
    const at = 1 + group * 4;
    const word = (read(at) << 18) | (read(at + 1) << 12) | (read(at + 2) << 6) | read(at + 3);
    bytes.writeUIntBE(word, group * 3, 3);
  }
  return bytes.subarray(0, sizeBytes);
}
