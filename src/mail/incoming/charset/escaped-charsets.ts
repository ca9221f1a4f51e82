/** Seven-bit charsets with escape sequences that neither the runtime nor iconv-lite decodes. */

/** ISO-2022-KR (RFC 1557) and HZ (RFC 1843). Between the shifts, two bytes are a character of the other charset less 0x80. */
const CHARSETS = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: The shifts are control characters.
  "iso-2022-kr": { shifted: /\x0e([^\x0f\n]*)\x0f?/g, designation: /\x1b\$\)C/g, charset: "euc-kr" },
  "hz-gb-2312": { shifted: /~\{((?:(?!~\}|\n)[\s\S])*)(?:~\})?/g, designation: /~\n/g, charset: "gb18030" },
} as const;

type EscapedCharset = keyof typeof CHARSETS;

export function isEscapedCharset(name: string): name is EscapedCharset {
  return Object.hasOwn(CHARSETS, name);
}

/** Returns null when the bytes are not valid in the charset. */
export function decodeEscaped(bytes: Uint8Array, name: EscapedCharset): string | null {
  const { shifted, designation, charset } = CHARSETS[name];
  const text = Buffer.from(bytes).toString("latin1");
  if (/[\x80-\xff]/.test(text)) return null;
  const wide = text
    .replace(designation, "")
    .replace(shifted, (_, characters: string) =>
      characters.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) | 0x80)),
    );
  // The tilde is itself an escape in HZ.
  const plain = name === "hz-gb-2312" ? wide.replaceAll("~~", "~") : wide;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(plain, "latin1"));
  } catch {
    return null;
  }
}
