/** AES-256-GCM boxes with the layout version (1 byte) ‖ nonce (12) ‖ ciphertext ‖ tag (16). */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** The box was not sealed with this key and context. The message contains none of the plaintext. */
export class SealBrokenError extends Error {
  override readonly name = "SealBrokenError";
}

/** Returns the length in bytes of a box with `plaintextBytes` bytes of plaintext. */
export function sealedLength(plaintextBytes: number): number {
  return HEADER_BYTES + plaintextBytes + TAG_BYTES;
}

/** Seals `plaintext` in a box that opens only with the same key and `context`. The caller erases `plaintext`. */
export function seal(key: KeyObject, plaintext: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  header[0] = VERSION;
  header.set(randomBytes(NONCE_BYTES), 1);
  const cipher = createCipheriv("aes-256-gcm", key, header.subarray(1), { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(context));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  const box = new Uint8Array(sealedLength(plaintext.length));
  box.set(header);
  box.set(ciphertext, HEADER_BYTES);
  box.set(cipher.getAuthTag(), HEADER_BYTES + ciphertext.length);
  return box;
}

/**
 * Opens a box that `seal` returned. The caller erases the plaintext (`fill(0)`) after use.
 * @throws {SealBrokenError} the key, the context or a byte differs
 */
export function open(key: KeyObject, box: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
  if (box.length < sealedLength(0) || box[0] !== VERSION)
    throw new SealBrokenError("The sealed bytes have an unknown format.");
  const decipher = createDecipheriv("aes-256-gcm", key, box.subarray(1, HEADER_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
  const plaintext = decipher.update(box.subarray(HEADER_BYTES, box.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw new SealBrokenError("The sealed bytes were not created with this key and context.");
  }
  return plaintext;
}

/**
 * Seals the plaintext of a box for another context, and verifies that the result opens.
 * @throws {SealBrokenError} the key, the context `from` or a byte differs
 */
export function reseal(key: KeyObject, box: Uint8Array, from: string, to: string): Uint8Array<ArrayBuffer> {
  const plaintext = open(key, box, from);
  try {
    const resealed = seal(key, plaintext, to);
    const opened = open(key, resealed, to);
    const isSame = opened.length === plaintext.length && timingSafeEqual(opened, plaintext);
    opened.fill(0);
    if (!isSame) throw new Error("A resealed box does not contain the plaintext of the original box.");
    return resealed;
  } finally {
    plaintext.fill(0);
  }
}

function associatedData(context: string): Uint8Array {
  return Buffer.from(`satchel/${VERSION}\0${context}`);
}

/** Seals a JSON value and erases its serialised text. */
export function sealJson(key: KeyObject, value: object, context: string): Uint8Array<ArrayBuffer> {
  const plaintext = Buffer.from(JSON.stringify(value));
  try {
    return seal(key, plaintext, context);
  } finally {
    plaintext.fill(0);
  }
}

/** Opens a value that `sealJson` sealed with the same key and context. @throws {SealBrokenError} */
export function openJson<Value extends object>(key: KeyObject, box: Uint8Array, context: string): Value {
  const plaintext = open(key, box, context);
  try {
    return JSON.parse(Buffer.from(plaintext.buffer).toString()) as Value;
  } finally {
    plaintext.fill(0);
  }
}
