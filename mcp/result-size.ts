/**
 * Size of a result. A result has at most 25,000 tokens for any content, since no token is shorter than a byte. Pages are cut by the
 * bytes of their JSON. What another server chose and no page bounds is shortened.
 */

/** UTF-8 bytes of a result's JSON. */
export const MAX_RESULT_BYTES = 25_000;
/** Bytes of the content of a page; the rest is for the members around it. */
export const MAX_PAGE_BYTES = 17_000;

/** Shorter texts are never shortened: ids, names, amounts. */
const MIN_SHORTENED_BYTES = 100;
const ELLIPSIS = "…";

/** Returns the UTF-8 bytes of a value's JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Returns the end of the longest part of a text from `start` whose JSON has at most `maxBytes`. It splits no character. */
export function endOfText(text: string, start: number, maxBytes: number): number {
  let end = start;
  let bytes = 2;
  for (const character of text.slice(start, start + maxBytes)) {
    bytes += characterBytes(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return end;
}

const CONTROL_BYTES = 6;

/** Returns the bytes of one character in JSON text. */
function characterBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if ('"\\\n\r\t'.includes(character)) return 2;
  // A control character or half of a surrogate pair may be written as six characters.
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return CONTROL_BYTES;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

/** Returns the value with its long texts and lists shortened until its JSON has at most `maxBytes`. */
export function shorten<Value>(value: Value, maxBytes: number): Value {
  if (jsonBytes(value) <= maxBytes) return value;
  let [shortest, longest] = [MIN_SHORTENED_BYTES, maxBytes];
  while (longest - shortest > MIN_SHORTENED_BYTES / 2) {
    const middle = Math.ceil((shortest + longest) / 2);
    if (jsonBytes(shortenTexts(value, middle)) <= maxBytes) shortest = middle;
    else longest = middle;
  }
  const shortened = shortenTexts(value, shortest);
  if (jsonBytes(shortened) <= maxBytes) return shortened as Value;
  // Members of objects, such as an id, are left out only if no list can be shorter.
  for (const isMemberCut of [false, true]) {
    for (let items = 64; items > 0; items = Math.floor(items / 2)) {
      const fewer = shortenLists(shortened, items, isMemberCut);
      if (jsonBytes(fewer) <= maxBytes) return fewer as Value;
    }
  }
  return JSON.stringify(shortened).slice(0, Math.floor(maxBytes / CONTROL_BYTES)) as Value;
}

/** Returns the result with its largest untrusted content shortened by `excessBytes`. */
export function shortenUntrusted(result: object, excessBytes: number): object {
  const contents = Object.entries(result).filter(([, member]) => isObject(member) && "untrusted_content" in member);
  const [largest] = contents.sort(([, one], [, other]) => jsonBytes(other) - jsonBytes(one));
  if (!largest) return result;
  const [name, member] = largest;
  const { untrusted_content: content } = member as { readonly untrusted_content: unknown };
  const maxBytes = Math.max(0, jsonBytes(content) - excessBytes);
  return { ...result, [name]: { ...member, untrusted_content: shorten(content, maxBytes) } };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shortenTexts(value: unknown, maxBytes: number): unknown {
  if (typeof value === "string") {
    if (value.length <= MIN_SHORTENED_BYTES) return value;
    const end = endOfText(value, 0, maxBytes);
    return end < value.length ? value.slice(0, end) + ELLIPSIS : value;
  }
  return mapMembers(value, (member) => shortenTexts(member, maxBytes));
}

/** Returns the value with at most `maxItems` items in each list, and as many members in each object if these are cut too. */
function shortenLists(value: unknown, maxItems: number, isMemberCut: boolean): unknown {
  if (!isObject(value)) return value;
  const shorten = (member: unknown) => shortenLists(member, maxItems, isMemberCut);
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shorten);
  const members = Object.entries(value).slice(0, isMemberCut ? maxItems : undefined);
  return mapMembers(Object.fromEntries(members), shorten);
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
