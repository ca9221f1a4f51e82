/** Data keys as the database holds them: wrapped by a key-encryption key that a column names. */
import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

/** Wraps data keys: a local key or AWS KMS. */
export interface KeyEncryptionKey {
  readonly id: string;
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** What wraps, and what only unwraps any more. */
export interface KeyEncryptionKeys {
  /** Seals whatever is new. */
  readonly kek: KeyEncryptionKey;
  /** Open what was sealed before, until `npm run rotate-keys` has moved all of it. */
  readonly olderKeks?: readonly KeyEncryptionKey[];
}

export interface WrappedKey {
  readonly wrappedDataKey: Uint8Array<ArrayBuffer>;
  readonly kekId: string;
}

/** A row names a key-encryption key that is not configured. */
export class UnknownKekError extends Error {
  override readonly name = "UnknownKekError";
  readonly kekId: string;
  constructor(kekId: string) {
    super(`A data key is wrapped under the key-encryption key ${kekId}, which is not configured.`);
    this.kekId = kekId;
  }
}

const DATA_KEY_BYTES = 32;

/**
 * A new data key, and what its row keeps of it.
 * @param context binds it to its row and use: the same is needed to open it
 */
export async function createDataKey(
  { kek }: KeyEncryptionKeys,
  context: string,
): Promise<WrappedKey & { readonly dataKey: KeyObject }> {
  const bytes = new Uint8Array(randomBytes(DATA_KEY_BYTES));
  try {
    const wrappedDataKey = await kek.wrap(bytes, context);
    return { dataKey: createSecretKey(bytes), wrappedDataKey, kekId: kek.id };
  } finally {
    bytes.fill(0);
  }
}

/** The data key, outside the JavaScript heap. `context` is what it was wrapped with. @throws {UnknownKekError} */
export async function openDataKey(keks: KeyEncryptionKeys, wrapped: WrappedKey, context: string): Promise<KeyObject> {
  const bytes = await unwrap(keks, wrapped, context);
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}

/** The data key's bytes, for the caller to erase. */
async function unwrap(
  { kek, olderKeks = [] }: KeyEncryptionKeys,
  { wrappedDataKey, kekId }: WrappedKey,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const by = kek.id === kekId ? kek : olderKeks.find(({ id }) => id === kekId);
  if (!by) throw new UnknownKekError(kekId);
  return await by.unwrap(wrappedDataKey, context);
}

/**
 * The same data key under the current key-encryption key, opened once more before it may take the old one's place.
 * @throws {UnknownKekError}
 */
export async function rewrapDataKey(
  keks: KeyEncryptionKeys,
  wrapped: WrappedKey,
  context: string,
): Promise<WrappedKey> {
  const { kek } = keks;
  if (wrapped.kekId === kek.id) return { wrappedDataKey: wrapped.wrappedDataKey, kekId: wrapped.kekId };
  const dataKey = await unwrap(keks, wrapped, context);
  try {
    const wrappedDataKey = await kek.wrap(dataKey, context);
    const opened = await kek.unwrap(wrappedDataKey, context);
    const isSame = opened.length === dataKey.length && timingSafeEqual(opened, dataKey);
    opened.fill(0);
    if (!isSame) throw new Error(`The key-encryption key ${kek.id} does not open what it wrapped.`);
    return { wrappedDataKey, kekId: kek.id };
  } finally {
    dataKey.fill(0);
  }
}
