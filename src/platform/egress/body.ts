import { Readable } from "node:stream";

/**
 * A body that is there in one piece: one that came with its headers, as most short ones do, or one that was kept. Who knows
 * of it takes `bytes` and leaves the stream alone, which saves all that streams cost; to everybody else it is a stream like
 * any other.
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

/** The pieces of a body as one. Mostly there is one, which need not be copied. */
export function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

/** Reads a body whole. @throws Error when it is longer than `maxBytes`, or breaks off. */
export async function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const tooLong = () => new Error(`The body is longer than ${maxBytes} bytes.`);
  return (await readBoundedBytes(body, maxBytes, tooLong)).toString("utf8");
}

/** The same as bytes. @throws what `tooLong` makes when it is longer than `maxBytes`; what the body breaks off with. */
export async function readBoundedBytes(body: Readable, maxBytes: number, tooLong: () => Error): Promise<Buffer> {
  if (body instanceof ReceivedBody) {
    if (body.bytes.byteLength > maxBytes) throw tooLong();
    return body.bytes;
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop destroys the stream, and with it the connection.
    if (sizeBytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return joined(chunks);
}
