/** Opaque values of requests and responses: tokens, nonces and identifiers that stand for a card or a payment. */
import { createHmac, randomBytes } from "node:crypto";

const MIN_LENGTH = 8;
/** Longer values are encrypted data. Identifiers, such as UUIDs and SHA-256 digests, are shorter. */
const MIN_BLOB_LENGTH = 65;
const MAX_TEXT_LENGTH = 1_000_000;
const MAX_DEPTH = 4;
const WORD = /[A-Za-z0-9_-]{8,}/g;
/** Words of a language, such as `requires_confirmation`, `Content-Type` and `paymentMethod`. */
const NAME = /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[_-]*(?:[A-Z]?[a-z]+|[A-Z]+))*$/;
/** Names with more capitals than this are random characters. */
const MAX_HUMPS = 4;

/** Whether a value is none that a person or a program names things with. */
function isOpaque(value: string): boolean {
  if (value.length < MIN_LENGTH) return false;
  if (!NAME.test(value)) return true;
  const humps = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return value.length >= 16 && humps > MAX_HUMPS;
}

/** Returns the opaque values in a text of any format: JSON, forms, HTML, URLs, and Base64 of those. */
export function opaqueValuesIn(text: string): Set<string> {
  const values = new Set<string>();
  const visit = (one: string, depth: number) => {
    const decoded = one.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    for (const [word] of decoded.matchAll(WORD)) {
      if (isOpaque(word)) values.add(word);
      // A value may have a prefix or a number, such as `token_1`.
      if (depth < MAX_DEPTH && word.length >= 12) visitBase64(word, depth);
    }
  };
  const visitBase64 = (word: string, depth: number) => {
    const bytes = Buffer.from(word, "base64").toString("latin1");
    if (/^[\x20-\x7e\s]+$/.test(bytes)) visit(bytes, depth + 1);
  };
  visit(text.slice(0, MAX_TEXT_LENGTH), 0);
  return values;
}

/** Returns values that are long enough for encrypted data. Base64 may contain characters that separate words. */
export function blobsIn(text: string): string[] {
  return text.slice(0, MAX_TEXT_LENGTH).match(new RegExp(`[A-Za-z0-9+/=_.$%-]{${MIN_BLOB_LENGTH},}`, "g")) ?? [];
}

/** Returns a function that fingerprints values, so that none is stored. Fingerprints of two functions differ. */
export function createFingerprint(): (value: string) => string {
  const key = randomBytes(32);
  return (value) => createHmac("sha256", key).update(value).digest("base64url");
}
