/** Messages on their way in lie in files, so that none is ever in memory whole. */
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A message in a file, in a folder of its own. */
export interface SpooledMessage {
  readonly path: string;
  /** Other files about it may lie there, too. */
  readonly folder: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Deletes the folder with all in it. */
  remove(): Promise<void>;
}

/** More bytes came than are taken. */
export class MessageTooLargeError extends Error {}

export interface Spool {
  /** @throws {MessageTooLargeError} after `maxBytes`; a stream is destroyed then, the rest unread */
  write(source: AsyncIterable<Buffer>, options: SpoolOptions): Promise<SpooledMessage>;
  /** Deletes what is left. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  readonly maxBytes: number;
  /** Told of every piece as it comes. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Opens the spool in `<dataDir>/mail-spool`, and throws away what processes that ended left there. */
export function openSpool(dataDir: string): Spool {
  const root = join(dataDir, "mail-spool");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(root)) {
    if (isLeftover(name)) rmSync(join(root, name), { recursive: true, force: true });
  }
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const own = join(root, name);
  mkdirSync(own, { mode: 0o700 });
  inUse.add(name);

  return {
    async write(source, { maxBytes, onChunk = () => {} }) {
      const folder = await mkdtemp(join(own, "m-"));
      const remove = () => rm(folder, { recursive: true, force: true });
      const path = join(folder, "message.eml");
      const hash = createHash("sha256");
      let sizeBytes = 0;
      async function* measured(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          sizeBytes += chunk.length;
          if (sizeBytes > maxBytes) throw new MessageTooLargeError();
          hash.update(chunk);
          onChunk(chunk);
          yield chunk;
        }
      }
      try {
        await pipeline(source, measured, createWriteStream(path, { mode: 0o600 }));
      } catch (error) {
        await remove();
        throw error;
      }
      return { path, folder, sizeBytes, sha256: hash.digest("hex"), remove };
    },
    async close() {
      await rm(own, { recursive: true, force: true });
      inUse.delete(name);
    },
  };
}

/** Of this process. */
const inUse = new Set<string>();

/** Whether the process that made a folder is gone. In a container the next one has its id. */
function isLeftover(name: string): boolean {
  const pid = Number(name.split("-", 1)[0]);
  return pid === process.pid ? !inUse.has(name) : !isAlive(pid);
}

/** Whether a process of that id is there. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
