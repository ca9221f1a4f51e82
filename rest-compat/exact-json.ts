/** JSON parser that preserves the source text of numbers: a double would round amounts of money. */
import { stripByteOrderMark } from "./byte-order-mark.ts";

const SOURCE = Symbol("source");

/** The source text of a JSON number. Its symbol key cannot occur in parsed JSON. */
export interface ExactNumber {
  readonly [SOURCE]: string;
}

/** The third parameter is specified in ECMA-262, "JSON.parse source text access". */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const preserveSource: Reviver = (_key, value, { source }) => (typeof value === "number" ? { [SOURCE]: source } : value);

/** @throws {SyntaxError | RangeError} if the text is not JSON, or nested too deeply. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(
    stripByteOrderMark(text),
    preserveSource as (this: unknown, key: string, value: unknown) => unknown,
  );
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === "object" && value !== null && SOURCE in value;
}

/** Returns the source text of a number, such as `"2.50e1"`. */
export function sourceOf(number: ExactNumber): string {
  return number[SOURCE];
}
