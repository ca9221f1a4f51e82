/** Archives in the format ustar (POSIX.1-1988), with contents that are streamed. */

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;

export interface ArchiveEntry {
  /** Path in ASCII, at most 100 bytes. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Yields the archive's bytes. @throws {Error} an entry's content has another size, or its name is too long */
export async function* writeTar(entries: AsyncIterable<ArchiveEntry>, modifiedAt: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, sizeBytes, bytes } of entries) {
    yield createHeader(name, sizeBytes, modifiedAt);
    let written = 0;
    for await (const chunk of bytes) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== sizeBytes) throw new Error(`The content of ${name} has ${written} bytes instead of ${sizeBytes}.`);
    const padding = (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

function createHeader(name: string, sizeBytes: number, modifiedAt: Date): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error("The name of a file in the archive is too long.");
  header.write(name, 0, "ascii");
  header.write("0000600\0", 100, "ascii");
  header.write("0000000\0", 108, "ascii");
  header.write("0000000\0", 116, "ascii");
  header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124, "ascii");
  header.write(
    `${Math.floor(modifiedAt.getTime() / 1_000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
    "ascii",
  );
  // The checksum counts its own field as spaces.
  header.write("        ", 148, "ascii");
  header.write("0", 156, "ascii");
  header.write("ustar\x0000", 257, "ascii");
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148, "ascii");
  return header;
}
