/**
 * Bearer secrets: a prefix, 32 random bytes in base62, and a 6-character checksum. The checksum lets clients and secret
 * scanners detect typos offline. Only the SHA-256 hash is stored.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type TokenPrefix =
  | "satchel_sk_"
  | "satchel_pt_"
  | "satchel_at_"
  | "satchel_rt_"
  | "satchel_cs_"
  | "satchel_ss_"
  | "satchel_ap_"
  | "satchel_rc_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^43 > 2^256. */
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Creates a secret. The caller shows it once and stores its `hashToken`. */
export function mintToken(prefix: TokenPrefix): string {
  const body = prefix + toBase62(BigInt(`0x${randomBytes(32).toString("hex")}`), BODY_LENGTH);
  return body + checksum(body);
}

/**
 * Returns true if the text has the prefix, length and checksum of a secret. The secret may still be unknown or revoked.
 */
export function isWellFormedToken(text: string, prefix: TokenPrefix): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + BODY_LENGTH + CHECKSUM_LENGTH) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the SHA-256 hash that is stored and looked up in place of the secret. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** Returns the same hash in hex, for batch look-ups: creating a string costs a sixth of creating a buffer. */
export function hashTokenHex(token: string): string {
  return hash("sha256", token, "hex");
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text.padStart(length, "0");
}
