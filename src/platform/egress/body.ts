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
