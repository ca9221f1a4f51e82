/** Finds a card number in what a request carries, regardless of how a page encodes it. */
import { gunzipSync, inflateSync } from "node:zlib";

/** Returns whether any of the texts contains the card number. */
type CardDetector = (texts: readonly string[]) => boolean;

/** Encodings within encodings, such as Base64 in JSON in a query. */
const MAX_DEPTH = 4;
const MAX_TEXT_LENGTH = 2_000_000;
/** Members such as `n1=4242&n2=4242` have numbers of their own between the groups of digits. */
const MAX_INDEX_DIGITS = 2;
const MAX_SKIPPED = 24;
const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const HEX = /(?:[0-9a-f]{2}){12,}/gi;

/** Creates a detector of one card number. */
export function createCardDetector(number: string): CardDetector {
  const digits = number.replaceAll(/\D/g, "");
  const orders = [digits, [...digits].reverse().join("")];
  const numeric = BigInt(digits);
  const words = [16, 32, 36].map((radix) => numeric.toString(radix));
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    if (words.some((word) => lower.includes(word))) return true;
    const runs = text.match(/\d+/g) ?? [];
    return orders.some((order) => runs.some((_, index) => isSpelled(order, runs, index)));
  };
  return (texts) => texts.some((text) => decodingsOf(text.slice(0, MAX_TEXT_LENGTH)).some(has));
}

/** Whether the runs of digits from an index on spell the number, where short runs between them are skipped. */
function isSpelled(number: string, runs: readonly string[], first: number): boolean {
  const visit = (index: number, position: number, skipped: number): boolean => {
    if (position === number.length) return true;
    const run = runs[index];
    if (run === undefined || skipped > MAX_SKIPPED) return false;
    const rest = number.slice(position);
    // The first and the last run may continue with other digits, such as an expiry date that follows.
    if (rest.startsWith(run) && visit(index + 1, position + run.length, skipped)) return true;
    if (run.startsWith(rest)) return true;
    return position > 0 && run.length <= MAX_INDEX_DIGITS && visit(index + 1, position, skipped + 1);
  };
  const run = runs[first] ?? "";
  if (run.includes(number)) return true;
  if (visit(first, 0, 0)) return true;
  // The first run may begin with other digits.
  for (let start = 1; start < run.length; start += 1) {
    const part = run.slice(start);
    if (number.startsWith(part) && part.length > MAX_INDEX_DIGITS && visit(first + 1, part.length, 0)) return true;
  }
  return false;
}

/** Returns a text and what it decodes to: URL encoding, escapes, Base64 and hexadecimal, also nested. */
function decodingsOf(text: string): string[] {
  const found = new Set<string>();
  const visit = (one: string, depth: number) => {
    const plain = one.normalize("NFKC").replaceAll("\0", "");
    if (found.has(plain)) return;
    found.add(plain);
    if (depth === MAX_DEPTH) return;
    const unescaped = plain.replaceAll(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, code) => characterOf(code));
    if (unescaped !== plain) visit(unescaped, depth + 1);
    if (plain.includes("%"))
      visit(
        plain.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => characterOf(code)),
        depth + 1,
      );
    for (const [run] of plain.matchAll(BASE64)) visitBytes(Buffer.from(run, "base64"), depth);
    for (const [run] of plain.matchAll(HEX)) visitBytes(Buffer.from(run, "hex"), depth);
  };
  const visitBytes = (bytes: Buffer, depth: number) => {
    const decoded = textOf(bytes);
    // Random bytes contain no long text, so only what could hold a number is decoded further.
    if (/\d|%|[A-Za-z0-9+/]{12}/.test(decoded)) visit(decoded, depth + 1);
  };
  visit(text, 0);
  return [...found];
}

const characterOf = (code: string) => String.fromCharCode(Number.parseInt(code, 16));

/** Returns bytes as text; compressed bytes are decompressed first. */
export function textOf(bytes: Buffer): string {
  const options = { maxOutputLength: MAX_TEXT_LENGTH };
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, options).toString("latin1");
    if (bytes[0] === 0x78 && bytes.length > 12) return inflateSync(bytes, options).toString("latin1");
  } catch {}
  return bytes.toString("latin1");
}
