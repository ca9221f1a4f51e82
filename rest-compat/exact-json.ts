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

/** Upper bound of digits on either side of the decimal point; no amount needs more. */
const MAX_DIGITS = 60;

/**
 * Converts a number's source text to an exact plain decimal: `"2.5e-1"` to `"0.25"`, `"5.000"` to `"5"`. Returns null if
 * that needs more than 60 digits on either side of the point.
 */
export function toPlainDecimal({ [SOURCE]: source }: ExactNumber): string | null {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const exponent = Number(power);
  if (whole.length > MAX_DIGITS || fraction.length > MAX_DIGITS || !(Math.abs(exponent) <= MAX_DIGITS)) return null;
  const digits = `${"0".repeat(MAX_DIGITS)}${whole}${fraction}${"0".repeat(MAX_DIGITS)}`;
  const point = MAX_DIGITS + whole.length + exponent;
  const plainWhole = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  const plainFraction = digits.slice(point).replace(/0+$/, "");
  return sign + (plainFraction === "" ? plainWhole : `${plainWhole}.${plainFraction}`);
}
