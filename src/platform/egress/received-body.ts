import { Readable } from "node:stream";

/**
 * A body that was there in one piece as soon as its headers were, as most short ones are. Who knows of it takes `bytes`
 * and leaves the stream alone, which saves all that streams cost; to everybody else it is a stream like any other.
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
