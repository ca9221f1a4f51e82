/** Base58 with the Bitcoin alphabet, the encoding of keys and signatures in Solana. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Encodes bytes. Each leading zero byte becomes a leading `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text;
  return "1".repeat(countLeading(bytes, 0)) + text;
}

/** Decodes text; null if a character is not in the alphabet. Quadratic in the length: for keys and signatures only. */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | null {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? "" : value.toString(16);
  const body = Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
  return new Uint8Array([...new Uint8Array(countLeading([...text], "1")), ...body]);
}

function countLeading<T>(items: ArrayLike<T>, item: T): number {
  let count = 0;
  while (count < items.length && items[count] === item) count++;
  return count;
}
