/** Header fields whose text has no charset or one that the MIME parser does not know, rewritten to UTF-8. */
import { decodeText, readLabel } from "./decode-text.ts";

/** Encoded words in sequence with the same charset and encoding: the bytes of a character can be divided between them. */
const WORDS = /=\?([^?\s]{1,60})\?([bq])\?[^?]*\?=(?:\s*=\?\1\?\2\?[^?]*\?=)*/gi;
const WORD_TEXT = /=\?[^?\s]+\?[bq]\?([^?]*)\?=/gi;
/** Extended parameters (RFC 2231). */
const EXTENDED = /(\*0?\*?\s*=\s*)([\w.:+-]{1,60})(\*?'[\w-]*')([^;\s]*)/g;

/**
 * Returns the lines of a header field in UTF-8, each byte as a character, as the parser expects it.
 * @param line each byte as a character
 */
export function toUtf8Field(line: string): string {
  const text = isAscii(line) ? line : toBytes(decodeText(Buffer.from(line, "latin1"), { label: null }));
  return text.replace(WORDS, rewriteWords).replace(EXTENDED, rewriteLabel);
}

/** Returns the charsets of the encoded words in a field. */
export function findWordCharsets(line: string): string[] {
  return [...line.matchAll(WORDS)].map(([, charset = ""]) => charset);
}

function rewriteWords(words: string, charset: string, encoding: string): string {
  const parts = [...words.matchAll(WORD_TEXT)].map(([, text = ""]) => decodeWord(text, encoding));
  const bytes = Buffer.concat(parts);
  const label = charset.replace(/\*.*$/, "");
  if (isWellKnown(label) && isValid(bytes, label)) return words;
  const text = Buffer.from(decodeText(bytes, { label })).toString("base64");
  return `=?utf-8?B?${text}?=`;
}

function decodeWord(text: string, encoding: string): Buffer {
  if (encoding.toLowerCase() === "b") return Buffer.from(text, "base64");
  const bytes = text
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}

/** Replaces a charset that the parser does not know by the one that is detected. */
function rewriteLabel(whole: string, key: string, charset: string, quotes: string, value: string): string {
  if (isWellKnown(charset)) return whole;
  const bytes = Buffer.from(
    value.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );
  return `${key}utf-8${quotes}${encodeURIComponent(decodeText(bytes, { label: charset }))}`;
}

/** Whether the parser decodes the charset as this module does. */
function isWellKnown(label: string): boolean {
  return /^(?:utf-?8|iso-?8859-\d+|windows-125\d|koi8-[ru]|iso-2022-jp|shift_jis|euc-(?:jp|kr)|gb2312|gbk|gb18030|big5)$/i.test(
    label,
  );
}

/** UTF-8 is the label that is most often wrong. */
function isValid(bytes: Buffer, label: string): boolean {
  return readLabel(label) !== "utf-8" || !bytes.toString().includes("\ufffd");
}

/** Whether the text has neither bytes above 127 nor escape sequences of a seven-bit charset. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes("\x1b$");
}

function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
