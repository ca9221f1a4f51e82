import { Readable } from "node:stream";

/**
 * A complete body: one received together with its headers, as most short ones are, or one from a cache. Reading `bytes`
 * instead of the stream avoids the overhead of streams.
 */
export class ReceivedBody extends Readable {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.bytes = bytes;
  }

  override _read(): void {
    if (this.bytes.byteLength > 0) this.push(this.bytes);
    this.push(null);
  }
}

/** Concatenates the chunks of a body. A single chunk, the common case, is not copied. */
export function concatChunks(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Reads a whole body as UTF-8. @throws {Error} the body exceeds `maxBytes` or is incomplete */
export async function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const tooLong = () => new Error(`The body is longer than ${maxBytes} bytes. It was not read to the end.`);
  return (await readBoundedBytes(body, maxBytes, tooLong)).toString("utf8");
}

/**
 * Reads a whole body as bytes.
 * @throws the result of `tooLong` if the body exceeds `maxBytes`, or the stream's error
 */
export async function readBoundedBytes(body: Readable, maxBytes: number, tooLong: () => Error): Promise<Buffer> {
  if (body instanceof ReceivedBody) {
    if (body.bytes.byteLength > maxBytes) throw tooLong();
    return body.bytes;
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop destroys the stream, which closes the connection.
    if (sizeBytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return concatChunks(chunks);
}
