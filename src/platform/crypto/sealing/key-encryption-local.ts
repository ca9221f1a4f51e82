/** Key-encryption keys that live beside the service: from configuration, or from a file of its own. */
import { createHash, createSecretKey, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open as openFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { open, seal } from "./sealed-box.ts";
import type { KeyEncryptionKey } from "./wrapped-key.ts";

const KEY_BYTES = 32;

/** The file that should hold the key-encryption key cannot be trusted; the service must not start. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** Wraps data keys with AES-256-GCM under `key` (32 bytes, copied: the caller may erase its own). */
export function localKek(key: Uint8Array, id: string): KeyEncryptionKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`A key-encryption key has ${KEY_BYTES} bytes.`);
  // A KeyObject keeps the bytes out of the JavaScript heap, of logs and of heap snapshots.
  const secret = createSecretKey(key);
  const bound = (context: string) => `key-encryption\0${id}\0${context}`;
  return {
    id,
    wrap: async (dataKey, context) => seal(secret, dataKey, bound(context)),
    unwrap: async (wrapped, context) => open(secret, wrapped, bound(context)),
  };
}

/**
 * The key in the file at `path`, which is created with fresh random bytes when there is none. Its id names the key's
 * fingerprint, so that a wallet sealed under another file's key says so.
 * @throws {KeyFileError} when others may read the file, or it does not hold exactly 32 bytes.
 */
export async function keyFileKek(path: string): Promise<KeyEncryptionKey> {
  return namedByFingerprint((await readKeyFile(path)) ?? (await createKeyFile(path)));
}

/** The key in a file that must be there: a fresh one would open nothing. @throws {KeyFileError} as `keyFileKek`, and when there is none. */
export async function existingKeyFileKek(path: string): Promise<KeyEncryptionKey> {
  const key = await readKeyFile(path);
  if (!key) throw new KeyFileError(`${path} is not there.`);
  return namedByFingerprint(key);
}

function namedByFingerprint(key: Buffer): KeyEncryptionKey {
  try {
    const fingerprint = createHash("sha256").update("satchel key-encryption key\0").update(key).digest("hex");
    return localKek(key, `file:${fingerprint.slice(0, 16)}`);
  } finally {
    key.fill(0);
  }
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  let file: FileHandle;
  try {
    file = await openFile(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    // Judged on the open handle, so that what was checked is what is read.
    const { mode, size } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new KeyFileError(`${path} can be read by others: run "chmod 600" on it.`);
    }
    if (size !== KEY_BYTES) throw new KeyFileError(`${path} must hold exactly ${KEY_BYTES} bytes, not ${size}.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Two processes may start at once: the first complete file wins (link(2) never replaces), and both read that one. */
async function createKeyFile(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const fresh = randomBytes(KEY_BYTES);
  try {
    const file = await openFile(draft, "wx", 0o600);
    try {
      await file.writeFile(fresh);
      // Without this file every wallet is lost, so it is on disk before anything is sealed under it.
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    fresh.fill(0);
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(dirname(path));
  const key = await readKeyFile(path);
  if (!key) throw new KeyFileError(`${path} vanished while it was being created.`);
  return key;
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await openFile(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
