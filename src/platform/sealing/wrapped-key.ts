/** Data keys as the database holds them: wrapped by a key-encryption key that a column names. */
import { timingSafeEqual } from "node:crypto";
import type { KeyEncryptionKey } from "./key-encryption-key.ts";

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

/** The data key; the caller erases it. `context` is what it was wrapped with. @throws {UnknownKekError} */
export async function unwrapDataKey(
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
  const dataKey = await unwrapDataKey(keks, wrapped, context);
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
