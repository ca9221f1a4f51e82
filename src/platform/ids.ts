import { randomInt } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random base62 characters from the system's generator. */
export function randomBase62(length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += BASE62[randomInt(62)];
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
