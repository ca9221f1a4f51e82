/**
 * Decodes text of unknown or wrong charset. The declared charset applies if the bytes are valid in it. Otherwise the charset is
 * detected, so that no character is lost.
 */
import chardet from "chardet";
import iconv from "iconv-lite";
import { decodeEscaped, isEscapedCharset } from "./escaped-charsets.ts";

export interface TextSource {
  /** The charset parameter as declared, null when absent. */
  readonly label: string | null;
  /** Whether the text itself can declare a charset, in `<meta>` or an XML declaration. */
  readonly isHtml?: boolean;
  /** Charsets that other parts of the message declare. */
  readonly hints?: readonly string[];
}

/** The default of Western software: contains ISO-8859-1 and ASCII, and has a character for each byte. */
const WESTERN = "windows-1252";
/** Differs from ISO-8859-1 in the euro sign, so it is a choice rather than a default. */
const LATIN9 = "iso-8859-15";
const DEFAULTS: ReadonlySet<string> = new Set(["ascii", "utf-8", WESTERN, LATIN9]);
/** Labels that state nothing (RFC 1428 defines `unknown-8bit`). */
const NO_CHARSET = /^(?:|unknown(?:-8bit)?|x-unknown|x-user-defined|default|_?autodetect.*|none|binary|[78]bit)$/;
const ASCII = /^(?:us-?)?ascii$|^ansi_x3\.4|^iso646-us$|^cp367$/;
const META = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.+-]{1,40})/i;
const XML = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w:.+-]{1,40})/i;
/** The declaration is usually in the first 1,024 bytes, but some clients write styles before it. */
const META_BYTES = 8_192;
const DETECTION_BYTES = 65_536;
/** The detector reports 10 when it guesses, and at least 28 for a sentence in its charset. */
const MIN_CONFIDENCE = 25;
/** Where the detector names a charset, and its superset has more characters. */
const SUPERSETS: Readonly<Record<string, string>> = {
  "iso-8859-1": WESTERN,
  "iso-8859-7": "windows-1253",
  "iso-8859-8": "windows-1255",
  "iso-8859-9": "windows-1254",
};
/** A valid sequence of UTF-8 with two or more bytes, or another byte that is not ASCII (RFC 3629, section 4). */
const UTF8_SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Returns the text. Bytes that are valid in no known charset become replacement characters. */
export function decodeText(bytes: Uint8Array, { label, isHtml = false, hints = [] }: TextSource): string {
  const marked = readByteOrder(bytes);
  if (marked) return decodeLeniently(bytes, marked);
  const declared = readLabel(label);
  const own = isHtml ? readLabel(findOwnLabel(bytes)) : null;
  // UTF-16 without a mark shows as zero bytes. Text that declares itself in ASCII characters is not UTF-16.
  const wide = findWideCharset(bytes);
  if (wide) return decodeLeniently(bytes, wide);
  const candidates = [declared, own?.startsWith("utf-16") ? "utf-8" : own].filter((one) => one !== null);
  // Text in the charsets that are defaults of software is practically never valid UTF-8 unless it is UTF-8.
  if (candidates.every((one) => DEFAULTS.has(one) || one.startsWith("utf-16"))) {
    candidates.unshift(...findEscapes(bytes), "utf-8");
  }
  for (const charset of candidates) {
    const text = decodeStrictly(bytes, charset);
    if (text !== null) return text;
  }
  return decodeByDetection(bytes, declared, hints);
}

function decodeByDetection(bytes: Uint8Array, declared: string | null, hints: readonly string[]): string {
  const mixed = decodeMixedUtf8(bytes);
  if (mixed !== null) return mixed;
  const named = hints
    .map(readLabel)
    .filter((one) => one !== null && (!DEFAULTS.has(one) || one === LATIN9)) as string[];
  for (const charset of ["utf-8", ...named, detect(bytes)]) {
    const text = charset === null ? null : decodeStrictly(bytes, charset);
    if (text !== null) return text;
  }
  // Almost valid: a few damaged bytes within the declared charset.
  if (declared !== null && declared !== "ascii" && declared !== "utf-8") return decodeLeniently(bytes, declared);
  return decodeLeniently(bytes, WESTERN);
}

/** Returns the name of a known charset for a label; null when the label is unknown or states nothing. */
export function readLabel(label: string | null): string | null {
  const name = (label ?? "")
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .replace(/\*.*$/, "")
    .toLowerCase();
  if (NO_CHARSET.test(name)) return null;
  if (ASCII.test(name)) return "ascii";
  if (isEscapedCharset(name)) return name;
  const alias = name.replace(/^(?:win|windows|cp|x-cp)[-_]?(125\d)$/, "windows-$1");
  try {
    const { encoding } = new TextDecoder(alias);
    // GB18030 contains GBK and GB2312, whose labels are often used for it.
    return encoding === "gbk" ? "gb18030" : encoding;
  } catch {
    return iconv.encodingExists(alias) ? alias : null;
  }
}

function readByteOrder(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return null;
}

/** Recognises UTF-16 by zero bytes at either the even or the odd positions. */
function findWideCharset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, META_BYTES);
  let [even, odd] = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) at % 2 === 0 ? even++ : odd++;
  const least = sample.length / 10;
  if (even + odd === 0 || even + odd < least) return null;
  if (odd > even * 4) return "utf-16le";
  return even > odd * 4 ? "utf-16be" : null;
}

/** Returns the charset whose escape sequences the text has. Its bytes are also valid ASCII. */
function findEscapes(bytes: Uint8Array): string[] {
  const at = Buffer.from(bytes.subarray(0, DETECTION_BYTES)).indexOf("\x1b$");
  if (at < 0) return [];
  return [bytes[at + 2] === 0x29 && bytes[at + 3] === 0x43 ? "iso-2022-kr" : "iso-2022-jp"];
}

/** Returns the charset that HTML declares itself; null when there is none. */
export function findOwnLabel(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString("latin1");
  return (XML.exec(head) ?? META.exec(head))?.[1] ?? null;
}

/** Returns null when the bytes are not valid in the charset. */
function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  if (isEscapedCharset(charset)) return decodeEscaped(bytes, charset);
  if (charset === "ascii") return bytes.every((byte) => byte < 0x80) ? Buffer.from(bytes).toString("latin1") : null;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) return null;
    const text = iconv.decode(Buffer.from(bytes), charset);
    return text.includes("\ufffd") ? null : text;
  }
}

function decodeLeniently(bytes: Uint8Array, charset: string): string {
  if (isEscapedCharset(charset)) return decodeEscaped(bytes, charset) ?? decodeLeniently(bytes, WESTERN);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return iconv.decode(Buffer.from(bytes), charset);
  }
}

/** Decodes text that is UTF-8 except for a few bytes, such as a footer in another charset. Null when it is not. */
function decodeMixedUtf8(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString("latin1");
  let [valid, stray] = [0, 0];
  for (const [sequence] of text.matchAll(UTF8_SEQUENCE)) sequence.length > 1 ? valid++ : stray++;
  if (stray === 0 || valid < stray * 2) return null;
  return text.replace(UTF8_SEQUENCE, (sequence) =>
    sequence.length > 1 ? Buffer.from(sequence, "latin1").toString() : western.decode(Buffer.from(sequence, "latin1")),
  );
}

const western = new TextDecoder(WESTERN);

function detect(bytes: Uint8Array): string | null {
  const best = chardet.analyse(bytes.subarray(0, DETECTION_BYTES)).find(({ name }) => !/^utf-|^ascii/i.test(name));
  if (!best || best.confidence < MIN_CONFIDENCE) return null;
  return readLabel(SUPERSETS[best.name.toLowerCase()] ?? best.name);
}
