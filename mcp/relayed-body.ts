/** Bodies that a tool relays from another server, in pages that fit a result. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { endOfText, jsonBytes, MAX_PAGE_BYTES } from "./result-size.ts";

/** Bytes of a page as base64, which is a third longer. */
const BINARY_PAGE_BYTES = Math.floor(MAX_PAGE_BYTES / 4) * 3 - 3;
/** More is not read. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface BodyPage {
  /** Parsed JSON if the whole body is one page of JSON, otherwise text, otherwise base64. */
  readonly content: { readonly json: unknown } | { readonly text: string } | { readonly base64: string };
  /** Offset of the next page; null if this is the last. */
  readonly nextOffset: number | null;
  readonly bodyBytes: number;
  /** Whether the body is longer than what is read of it. */
  readonly isCutOff: boolean;
}

/**
 * Reads a body and returns the page at an offset.
 * @param timeoutMs the body is destroyed after this time
 */
export async function readBodyPage(
  body: Readable | string,
  { offset, timeoutMs, type }: { offset: number; timeoutMs: number; type: string },
): Promise<BodyPage> {
  const { bytes, isCutOff } = await readBytes(body, timeoutMs);
  const bodyBytes = bytes.byteLength;
  if (!isText(bytes)) {
    const end = Math.min(bodyBytes, offset + BINARY_PAGE_BYTES);
    const content = { base64: bytes.subarray(offset, end).toString("base64") };
    return { content, nextOffset: end < bodyBytes ? end : null, bodyBytes, isCutOff };
  }
  const text = bytes.subarray(offset, characterStart(bytes, offset + MAX_PAGE_BYTES)).toString("utf8");
  const page = text.slice(0, endOfText(text, 0, MAX_PAGE_BYTES));
  const end = offset + Buffer.byteLength(page);
  const isWhole = offset === 0 && end >= bodyBytes && !isCutOff;
  const json = isWhole && /\bjson\b/i.test(type) ? parseJson(page) : undefined;
  const content = json === undefined ? { text: page } : { json };
  return { content, nextOffset: end < bodyBytes ? end : null, bodyBytes, isCutOff };
}

async function readBytes(body: Readable | string, timeoutMs: number): Promise<{ bytes: Buffer; isCutOff: boolean }> {
  if (typeof body === "string") return { bytes: Buffer.from(body), isCutOff: false };
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
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_BYTES), isCutOff: sizeBytes > MAX_BYTES };
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

/** Returns the value of JSON text; undefined if it is none, or is larger when it is written again, as `1e20` is. */
function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return jsonBytes(json) <= MAX_PAGE_BYTES ? json : undefined;
  } catch {
    return undefined;
  }
}
