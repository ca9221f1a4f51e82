import { type Readable, Transform } from "node:stream";

export interface StreamCapture {
  /** A longer body is forwarded but not stored. */
  readonly maxBytes: number;
  /** Returns true if a body of `sizeBytes` is complete with `chunk`; null is the end of the stream. */
  isComplete(sizeBytes: number, chunk: Buffer | null): boolean;
  /** Stores the body; called once, with null if it is incomplete or too long. The reader waits for it. Must not reject. */
  store(bytes: Buffer | null): Promise<void>;
}

/** Forwards a body and stores it before its last chunk, so a client that has the whole body can request it again. */
export function captureStream(source: Readable, { maxBytes, isComplete, store }: StreamCapture): Readable {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let storing: Promise<void> | null = null;
  const end = (bytes: Buffer | null) => (storing ??= store(bytes));
  const endWith = (chunk: Buffer | null, done: () => void) => {
    if (storing || !isComplete(sizeBytes, chunk)) return done();
    end(sizeBytes <= maxBytes ? Buffer.concat(chunks) : null).then(done);
  };
  const copy = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= maxBytes) chunks.push(chunk);
      endWith(chunk, () => done(null, chunk));
    },
    flush: (done) => endWith(null, done),
  });
  source.once("error", (error) => copy.destroy(error));
  copy.once("close", () => {
    source.destroy();
    void end(null);
  });
  return source.pipe(copy);
}
