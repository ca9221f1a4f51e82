import { type Readable, Transform } from "node:stream";

export interface StreamCapture {
  /** A longer body is passed on and not kept. */
  readonly maxBytes: number;
  /** Whether a body of `sizeBytes` is whole with `chunk`; null stands for the end of its stream. */
  isWhole(sizeBytes: number, chunk: Buffer | null): boolean;
  /** Told once of the body; null: it broke off, or is too long. Whoever reads waits for it and is not to lose the body by it: never rejects. */
  keep(bytes: Buffer | null): Promise<void>;
}

/** Passes a body on and has it kept before the reader has all of it: whoever has it and asks again must find it. */
export function captureStream(source: Readable, { maxBytes, isWhole, keep }: StreamCapture): Readable {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let kept: Promise<void> | null = null;
  const end = (bytes: Buffer | null) => (kept ??= keep(bytes));
  const endWith = (chunk: Buffer | null, done: () => void) => {
    if (kept || !isWhole(sizeBytes, chunk)) return done();
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
