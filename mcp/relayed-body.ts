/** Bodies that a tool relays from another server, in pages that fit a result. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";

/** The part of a body in one result. Its tokens stay below 25,000 for any content: base64 has at least 1.3 characters a token. */
const PAGE_BYTES = 24 * 1024;
/** More is not read. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface BodyPage {
  /** Parsed JSON if the whole body is one page of JSON, otherwise text, otherwise base64. */
  readonly content: { readonly json: unknown } | { readonly text: string } | { readonly base64: string };
  /** Offset of the next page; null if this is the last. */
  readonly nextOffset: number | null;
}

/**
 * Reads a body and returns the page at an offset.
 * @param timeoutMs the body is destroyed after this time
 */
export async function readBodyPage(
  body: Readable | string,
  { offset, timeoutMs, type }: { offset: number; timeoutMs: number; type: string },
): Promise<BodyPage> {
  const bytes = typeof body === "string" ? Buffer.from(body) : await readBytes(body, timeoutMs);
  const end = isText(bytes) ? characterStart(bytes, offset + PAGE_BYTES) : offset + PAGE_BYTES;
  const page = bytes.subarray(offset, end);
  const isWhole = offset === 0 && end >= bytes.byteLength;
  return {
    content: decode(page, isText(bytes), isWhole && /\bjson\b/i.test(type)),
    nextOffset: end < bytes.byteLength ? end : null,
  };
}

async function readBytes(body: Readable, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const timer = setTimeout(() => body.destroy(new Error("The body did not arrive in time.")), timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      chunks.push(chunk);
      // Leaving the loop destroys the stream.
      if (sizeBytes > MAX_BYTES) break;
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes.subarray(0, characterStart(bytes, bytes.byteLength)));
}

/** Returns the start of the UTF-8 character that contains the byte, so that no page splits one. */
function characterStart(bytes: Buffer, at: number): number {
  let start = Math.min(at, bytes.byteLength);
  while (start < bytes.byteLength && start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function decode(page: Buffer, isTextual: boolean, isJson: boolean): BodyPage["content"] {
  if (!isTextual) return { base64: page.toString("base64") };
  const text = page.toString("utf8");
  if (!isJson) return { text };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { text };
  }
}
