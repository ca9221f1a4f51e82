/** Detection of keys that are not random: placeholders, passwords and repeated patterns. */

/** 32 random bytes have about 30 distinct values. Fewer than this occur once in about 10^11 keys. */
const MIN_DISTINCT_BYTES = 16;

/** Returns why the bytes of a key are not random, or null. A random key is rejected once in about 10^11 keys. */
export function findKeyWeakness(key: Uint8Array): string | null {
  const [first = 0, second = 0] = key;
  if (new Set(key).size < MIN_DISTINCT_BYTES) return "its bytes repeat";
  if (key.every((byte, index) => byte === ((first + index * (second - first)) & 0xff)))
    return "its bytes are a sequence";
  const half = key.length / 2;
  if (key.subarray(0, half).every((byte, index) => byte === key[half + index])) return "its halves are equal";
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return "it is text, such as a password";
  return null;
}
