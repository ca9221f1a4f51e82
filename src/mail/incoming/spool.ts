/** Spool for incoming messages: each is a file, never as a whole in memory. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** A message in a file. */
export interface SpooledMessage {
  readonly path: string;
  /** For files derived from the message, such as attachments. Created with the first of them. */
  readonly folder: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Deletes the message and its folder. */
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
  let count = 0;

  return {
    async write(source, { maxBytes, onChunk = () => {} }) {
      const folder = join(own, `m-${++count}`);
      const path = `${folder}.eml`;
      const remove = async () => {
        await rm(path, { force: true });
        await rm(folder, { recursive: true, force: true });
      };
      const hash = createHash("sha256");
      let sizeBytes = 0;
      const file = await open(path, "wx", 0o600);
      try {
        for await (const chunk of source) {
          sizeBytes += chunk.length;
          if (sizeBytes > maxBytes) throw new MessageTooLargeError();
          hash.update(chunk);
          onChunk(chunk);
          await file.writeFile(chunk);
        }
      } catch (error) {
        await file.close();
        await remove();
        throw error;
      }
      await file.close();
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
