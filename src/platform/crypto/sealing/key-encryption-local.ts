/** Key-encryption keys in this process: from the configuration or from a key file. */
import { createHash, createSecretKey, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open as openFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { OperatorError } from "../../operator-error.ts";
import { open, seal } from "./sealed-box.ts";
import { findKeyWeakness } from "./weak-key.ts";
import type { KeyEncryptionKey } from "./wrapped-key.ts";

const KEY_BYTES = 32;
const REPLACE_WEAK_KEY =
  "Create another with `npm run keys -- create`, add this one to the OLDER_ settings and run `npm run rotate-keys`.";

/** The key file is missing or untrusted; the service must not start. */
export class KeyFileError extends OperatorError {}

/** Returns a key-encryption key that wraps with AES-256-GCM. `key` has 32 bytes and is copied, so the caller may erase it. */
export function localKek(key: Uint8Array, id: string): KeyEncryptionKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`A key-encryption key has ${KEY_BYTES} bytes.`);
  // In a KeyObject the bytes are outside the JavaScript heap, logs and heap snapshots.
  const secret = createSecretKey(key);
  const bindContext = (context: string) => `key-encryption\0${id}\0${context}`;
  return {
    id,
    wrap: async (dataKey, context) => seal(secret, dataKey, bindContext(context)),
    unwrap: async (wrapped, context) => open(secret, wrapped, bindContext(context)),
  };
}

/**
 * Returns the key in the file at `path`. The key's id includes its fingerprint, which identifies rows sealed under another
 * file's key.
 *
 * @throws {KeyFileError} there is no file, other users may read it, it does not have exactly 32 bytes, or its key is weak
 */
export async function keyFileKek(path: string): Promise<KeyEncryptionKey> {
  const key = await readExistingFile(path);
  const weakness = findKeyWeakness(key);
  if (weakness) throw new KeyFileError(`The key file ${path} has a weak key: ${weakness}. ${REPLACE_WEAK_KEY}`);
  return createFileKek(key);
}

/** Returns a previous key, for decryption only. @throws {KeyFileError} as `keyFileKek`, but accepts a weak key */
export async function olderKeyFileKek(path: string): Promise<KeyEncryptionKey> {
  return createFileKek(await readExistingFile(path));
}

/**
 * Returns the key in the file at `path`, creating the file with random bytes if there is none.
 * @throws {KeyFileError} as `keyFileKek`
 */
export async function ensureKeyFileKek(path: string): Promise<KeyEncryptionKey> {
  const key = await readKeyFile(path);
  if (!key) await createKeyFile(path);
  return await keyFileKek(path);
}

/** Creates a key file. @throws {KeyFileError} the file exists */
export async function createNewKeyFile(path: string): Promise<KeyEncryptionKey> {
  if (!(await createKeyFile(path))) throw new KeyFileError(`The file ${path} exists. It was not changed.`);
  return await keyFileKek(path);
}

async function readExistingFile(path: string): Promise<Buffer> {
  const key = await readKeyFile(path);
  if (key) return key;
  throw new KeyFileError(
    `The key file ${path} does not exist. No key was created, because a new key opens no existing data. ` +
      "Restore the file, or create one for a new database with `npm run keys -- create`.",
  );
}

function createFileKek(key: Buffer): KeyEncryptionKey {
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
    // Checked on the open handle: the path may point to another file by the time it is read.
    const { mode, size } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new KeyFileError(`Other users can read the key file ${path}. Run "chmod 600" on it.`);
    }
    if (size !== KEY_BYTES) {
      throw new KeyFileError(`The key file ${path} must have exactly ${KEY_BYTES} bytes; it has ${size}.`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * Creates the file atomically. Returns false if it exists, also if a concurrent process created it: link(2) never replaces
 * a file.
 */
async function createKeyFile(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporaryPath = `${path}.${randomBytes(6).toString("hex")}`;
  const fresh = randomBytes(KEY_BYTES);
  let isCreated = true;
  try {
    const file = await openFile(temporaryPath, "wx", 0o600);
    try {
      await file.writeFile(fresh);
      // Without this file every wallet is lost: it must be on disk before anything is sealed under it.
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporaryPath, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      isCreated = false;
    });
  } finally {
    fresh.fill(0);
    await unlink(temporaryPath).catch(() => undefined);
  }
  await syncFolder(dirname(path));
  return isCreated;
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
