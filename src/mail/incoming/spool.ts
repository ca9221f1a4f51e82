/** Spool for incoming messages: each is a file, never as a whole in memory. */
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A message in a file, in its own folder. */
export interface SpooledMessage {
  readonly path: string;
  /** May also contain files derived from the message, such as attachments. */
  readonly folder: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Deletes the folder with its content. */
  remove(): Promise<void>;
}

/** The message exceeds `maxBytes`. */
export class MessageTooLargeError extends Error {}

export interface Spool {
  /** Writes a message to a file. @throws {MessageTooLargeError} after `maxBytes`; the source stream is then destroyed */
  write(source: AsyncIterable<Buffer>, options: SpoolOptions): Promise<SpooledMessage>;
  /** Deletes the remaining files of this spool. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  readonly maxBytes: number;
  /** Called with each chunk, in order. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Opens the spool in `<dataDir>/mail-spool` and deletes folders of processes that have ended. */
export function openSpool(dataDir: string): Spool {
  const root = join(dataDir, "mail-spool");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(root)) {
    if (isLeftover(name)) rmSync(join(root, name), { recursive: true, force: true });
  }
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const own = join(root, name);
  mkdirSync(own, { mode: 0o700 });
  openFolders.add(name);

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
      openFolders.delete(name);
    },
  };
}

/** Names of the spool folders this process has open. */
const openFolders = new Set<string>();

/** Returns true if the process that created a folder has ended. After a container restart, its id can be this process's own. */
function isLeftover(name: string): boolean {
  const pid = Number(name.split("-", 1)[0]);
  return pid === process.pid ? !openFolders.has(name) : !isAlive(pid);
}

/** Returns true if a process with this id exists. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
