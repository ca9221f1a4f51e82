import { randomFillSync } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A byte below 4 × 62 stands for every character alike; others are passed over. */
const FAIR_BELOW = 248;

// Asked for in blocks: one call of the generator costs more than all else in an id.
const bytes = Buffer.allocUnsafe(4_096);
let used = bytes.length;

/** `length` random base62 characters from the system's generator. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    const byte = bytes.readUInt8(used++);
    if (byte < FAIR_BELOW) text += BASE62[byte % 62];
  }
  return text;
}

/** An id of the form `<prefix>_<epoch_millis>_<suffix>`: sorts by time, cannot be guessed. */
export function newId(
  prefix:
    | "tx"
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
    | "agt"
    | "atx"
    | "crd"
    | "dsp"
    | "mbx"
    | "mth"
    | "aem"
    | "mat"
    | "mdr"
    | "mrl"
    | "evt"
    | "whk"
    | "whd"
    | "mer"
    | "rcp"
    | "card"
    | "pol"
    | "ord"
    | "apr"
    | "wjb"
    | "art",
): string {
  return `${prefix}_${Date.now()}_${randomBase62(12)}`;
}
