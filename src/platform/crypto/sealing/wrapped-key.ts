/** Data keys in the database, wrapped by the key-encryption key that the column `kek_id` names. */
import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

/** A key that wraps data keys: a local key, or one in AWS KMS. */
export interface KeyEncryptionKey {
  readonly id: string;
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws {SealBrokenError} the bytes were not wrapped with this key and context */
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface KeyEncryptionKeys {
  /** Wraps new data keys. */
  readonly kek: KeyEncryptionKey;
  /** Unwrap existing data keys until `npm run rotate-keys` has rewrapped all of them. */
  readonly olderKeks?: readonly KeyEncryptionKey[];
}

export interface WrappedKey {
  readonly wrappedDataKey: Uint8Array<ArrayBuffer>;
  readonly kekId: string;
}

/** A row's key-encryption key is not configured. */
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
 * Creates a data key, and its wrapped form for the row.
 *
 * @param context binds the key to its row and use; opening it requires the same context
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

/** Unwraps a data key; the result is outside the JavaScript heap. @throws {UnknownKekError} */
export async function openDataKey(keks: KeyEncryptionKeys, wrapped: WrappedKey, context: string): Promise<KeyObject> {
  const bytes = await unwrap(keks, wrapped, context);
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}

/** Returns the bytes of the data key; the caller erases them. */
async function unwrap(
  { kek, olderKeks = [] }: KeyEncryptionKeys,
  { wrappedDataKey, kekId }: WrappedKey,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const wrappingKek = kek.id === kekId ? kek : olderKeks.find(({ id }) => id === kekId);
  if (!wrappingKek) throw new UnknownKekError(kekId);
  return await wrappingKek.unwrap(wrappedDataKey, context);
}

/**
 * Wraps the data key under the current key-encryption key, and verifies that the result opens.
 * @throws {UnknownKekError}
 */
export async function rewrapDataKey(
  keks: KeyEncryptionKeys,
  wrapped: WrappedKey,
  context: string,
): Promise<WrappedKey> {
  if (wrapped.kekId === keks.kek.id) return { wrappedDataKey: wrapped.wrappedDataKey, kekId: wrapped.kekId };
  const { wrappedDataKey, kekId } = await rebindDataKey(keks, wrapped, { from: context, to: context });
  return { wrappedDataKey, kekId };
}

/**
 * Wraps the data key for another context under the current key-encryption key, and verifies that the result opens.
 * @throws {UnknownKekError | SealBrokenError}
 */
export async function rebindDataKey(
  keks: KeyEncryptionKeys,
  wrapped: WrappedKey,
  contexts: { readonly from: string; readonly to: string },
): Promise<WrappedKey & { readonly dataKey: KeyObject }> {
  const { kek } = keks;
  const bytes = await unwrap(keks, wrapped, contexts.from);
  try {
    const wrappedDataKey = await kek.wrap(bytes, contexts.to);
    const opened = await kek.unwrap(wrappedDataKey, contexts.to);
    const isSame = opened.length === bytes.length && timingSafeEqual(opened, bytes);
    opened.fill(0);
    if (!isSame) throw new Error(`The key-encryption key ${kek.id} does not open what it wrapped.`);
    return { wrappedDataKey, kekId: kek.id, dataKey: createSecretKey(bytes) };
  } finally {
    bytes.fill(0);
  }
}
