/** The head of a message, before any parser is let at it: how long it is, and how often each field stands in it. */
import { open } from "node:fs/promises";

/** The parser takes no longer ones. */
export const MAX_HEAD_BYTES = 1_048_576;

export interface MessageHead {
  /** Whether it ends within what parsers take. */
  readonly isWhole: boolean;
  readonly bytes: Buffer;
  /** How often a field stands there, by its lower-case name. */
  count(name: string): number;
}

export async function readMessageHead(path: string): Promise<MessageHead> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(MAX_HEAD_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MAX_HEAD_BYTES, 0);
    return parseHead(buffer.subarray(0, bytesRead), bytesRead < MAX_HEAD_BYTES);
  } finally {
    await file.close();
  }
}

function parseHead(read: Buffer, isAll: boolean): MessageHead {
  const end = endOfHead(read);
  const bytes = read.subarray(0, end ?? read.length);
  const counts = new Map<string, number>();
  for (const line of bytes.toString("latin1").split("\n")) {
    const colon = line.indexOf(":");
    // A line that begins with a space goes on from the one before.
    if (colon < 1 || colon > 100 || line.startsWith(" ") || line.startsWith("\t")) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { isWhole: isAll || end !== null, bytes, count: (name) => counts.get(name) ?? 0 };
}

/** Where the first empty line begins. */
function endOfHead(read: Buffer): number | null {
  const crlf = read.indexOf("\r\n\r\n");
  const lf = read.indexOf("\n\n");
  if (crlf < 0 && lf < 0) return null;
  return Math.min(crlf < 0 ? Number.POSITIVE_INFINITY : crlf + 2, lf < 0 ? Number.POSITIVE_INFINITY : lf + 1);
}
