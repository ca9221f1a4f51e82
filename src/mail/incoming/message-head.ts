/** Counts header fields of a message without a MIME parser. */
import { open } from "node:fs/promises";

/** The MIME parser's limit for a header (`MAX_HEAD_SIZE` of mailsplit). */
const MAX_HEAD_BYTES = 1_048_576;
const FIRST_READ_BYTES = 65_536;

export interface MessageHead {
  /** Whether the complete header section is within the first 1 MiB. Larger headers indicate abuse. */
  readonly isWhole: boolean;
  /** The whole message if it is small, so that it is read once. */
  readonly message: Buffer | null;
  /** Returns the number of occurrences of a field, by its lower-case name. */
  count(name: string): number;
}

export async function readMessageHead(path: string): Promise<MessageHead> {
  const file = await open(path);
  try {
    for (let size = FIRST_READ_BYTES; ; size = MAX_HEAD_BYTES) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
      const read = buffer.subarray(0, bytesRead);
      const end = findEndOfHead(read);
      if (end !== null || bytesRead < size || size === MAX_HEAD_BYTES)
        return {
          ...countFields(read.subarray(0, end ?? bytesRead)),
          isWhole: end !== null || bytesRead < size,
          message: bytesRead < size ? read : null,
        };
    }
  } finally {
    await file.close();
  }
}

function countFields(head: Buffer): Pick<MessageHead, "count"> {
  const counts = new Map<string, number>();
  for (const line of head.toString("latin1").split("\n")) {
    const colon = line.indexOf(":");
    // A line that starts with white space continues the previous field (RFC 5322, section 2.2.3).
    if (colon < 1 || colon > 100 || line.startsWith(" ") || line.startsWith("\t")) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { count: (name) => counts.get(name) ?? 0 };
}

/** Returns the offset at which the header section ends, or null if `read` does not contain its end. */
function findEndOfHead(read: Buffer): number | null {
  const ends = [read.indexOf("\r\n\r\n"), read.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? null : Math.min(...ends);
}
