/** A JSON value in a sealed box; its text is overwritten once it is sealed or read. */
import type { KeyObject } from "node:crypto";
import { open, seal } from "../crypto/sealing/sealed-box.ts";

export function sealJson(key: KeyObject, value: object, context: string): Uint8Array<ArrayBuffer> {
  const plaintext = Buffer.from(JSON.stringify(value));
  try {
    return seal(key, plaintext, context);
  } finally {
    plaintext.fill(0);
  }
}

/** The value that `sealJson` sealed with the same key and context. @throws {SealBrokenError} */
export function openJson<Value extends object>(key: KeyObject, box: Uint8Array, context: string): Value {
  const plaintext = open(key, box, context);
  try {
    return JSON.parse(Buffer.from(plaintext.buffer).toString()) as Value;
  } finally {
    plaintext.fill(0);
  }
}
