import { randomBytes } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes below 4 × 62 map evenly to the 62 characters; other bytes are discarded. */
const UNBIASED_LIMIT = 248;

// Random bytes are read in blocks: one call of the generator costs more than the rest of an id.
const BLOCK_BYTES = 4_096;
let ready = "";
let used = 0;

const MAX_LENGTH = 1_000;

/** Returns `length` random base62 characters from the system's generator. @throws {RangeError} `length` is more than 1,000 */
export function randomBase62(length: number): string {
  if (length > MAX_LENGTH) throw new RangeError(`The length must be at most ${MAX_LENGTH}.`);
  if (used + length > ready.length) {
    ready = randomBlock();
    used = 0;
  }
  const start = used;
  used += length;
  return ready.slice(start, used);
}

function randomBlock(): string {
  const bytes = randomBytes(BLOCK_BYTES);
  let count = 0;
  for (const byte of bytes) if (byte < UNBIASED_LIMIT) bytes[count++] = BASE62.charCodeAt(byte % 62);
  return bytes.toString("latin1", 0, count);
}

const NONCE_BYTES = 32;
let block = Buffer.alloc(0);

/** Returns 256 random bits in hex, for public values that are used once. Not for secrets: the block remains in memory. */
export function randomNonceHex(): string {
  if (block.length < NONCE_BYTES) block = randomBytes(BLOCK_BYTES);
  const nonce = block.toString("hex", 0, NONCE_BYTES);
  block = block.subarray(NONCE_BYTES);
  return nonce;
}

/** Creates an id of the form `<prefix>_<epoch_millis>_<suffix>`, which sorts by time and cannot be guessed. */
export function newId(
  prefix:
    | "tx"
    | "dp"
    | "tok"
    | "wal"
    | "req"
    | "ses"
    | "sia"
    | "cl"
    | "clr"
    | "grt"
    | "oar"
    | "oat"
    | "fam"
    | "gwc"
    | "trd"
    | "etx"
    | "gas"
    | "agt"
    | "atx"
    | "rev"
    | "rev"
    | "crd"
    | "dsp"
    | "mbx"
    | "mth"
    | "aem"
    | "mat"
    | "mdl"
    | "mdr"
    | "msp"
    | "mrl"
    | "evt"
    | "whk"
    | "whd"
    | "mer"
    | "cat"
    | "rcp"
    | "card"
    | "pol"
    | "ord"
    | "apr"
    | "qst"
    | "wjb"
    | "art"
    | "dif"
    | "act"
    | "prp"
    | "rcv"
    | "frz"
    | "exp"
    | "del",
): string {
  return `${prefix}_${Date.now()}_${randomBase62(12)}`;
}
