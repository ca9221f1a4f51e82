/** Reads the memory of other processes of this user, from `/proc`. */
import { type FileHandle, open, readFile } from "node:fs/promises";

const CHUNK_BYTES = 8 * 1_048_576;
/** Mapped by the kernel, and not readable through `mem`. */
const KERNEL = /\[(?:vvar|vsyscall|vvar_vclock)\]/;

/**
 * Returns the number of occurrences of a text in a process's readable memory, as UTF-8 and as UTF-16. Returns 0 for a process
 * that has ended. The caller's process remains responsive: a service in it must renew leases meanwhile.
 * @throws if no memory of a running process can be read
 */
export async function countInMemory(pid: number, text: string): Promise<number> {
  const needles = [Buffer.from(text, "utf8"), Buffer.from(text, "utf16le")];
  const overlap = Math.max(...needles.map(({ length }) => length)) - 1;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let count = 0;
  let readBytes = 0;
  let maps: string;
  let memory: FileHandle;
  try {
    maps = await readFile(`/proc/${pid}/maps`, "utf8");
    memory = await open(`/proc/${pid}/mem`, "r");
  } catch {
    return 0;
  }
  try {
    for (const line of maps.split("\n")) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line) ?? [];
      if (!from || !to || KERNEL.test(line)) continue;
      const end = Number.parseInt(to, 16);
      // Chunks overlap, so that no occurrence is cut. An occurrence within an overlap is shorter than a needle.
      for (let position = Number.parseInt(from, 16); position < end; position += CHUNK_BYTES - overlap) {
        const length = await readMemory(memory, buffer, Math.min(CHUNK_BYTES, end - position), position);
        readBytes += length;
        for (const needle of needles) count += countIn(buffer.subarray(0, length), needle);
        if (position + CHUNK_BYTES >= end) break;
      }
    }
  } finally {
    await memory.close();
  }
  if (maps !== "" && readBytes === 0) throw new Error(`No memory of process ${pid} can be read.`);
  return count;
}

/** Returns the number of bytes read; 0 for a region that has no content, such as a file's end. */
async function readMemory(memory: FileHandle, buffer: Buffer, length: number, position: number): Promise<number> {
  try {
    return (await memory.read(buffer, 0, length, position)).bytesRead;
  } catch {
    return 0;
  }
}

function countIn(bytes: Buffer, needle: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) count += 1;
  return count;
}
