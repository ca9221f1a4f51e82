/** JSON whose numbers keep the decimal text they were sent as: a double would round what money must not. */
import { withoutMark } from "./byte-order-mark.ts";

const SOURCE = Symbol("source");

/** A number as it was written. Nothing that JSON can hold looks like one. */
export interface WrittenNumber {
  readonly [SOURCE]: string;
}

/** The third argument: ECMA-262, "JSON.parse source text access". */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const keepSource: Reviver = (_key, value, { source }) => (typeof value === "number" ? { [SOURCE]: source } : value);

/** @throws {SyntaxError | RangeError} when it is no JSON, or nested too deeply. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(withoutMark(text), keepSource as (this: unknown, key: string, value: unknown) => unknown);
}

export function isWrittenNumber(value: unknown): value is WrittenNumber {
  return typeof value === "object" && value !== null && SOURCE in value;
}

/** Longer ones mean nothing as an amount of anything. */
const MAX_DIGITS = 60;

/**
 * A written number as a plain decimal, exactly: `"2.5e-1"` is `"0.25"`, `"5.000"` is `"5"`. Null when that would take
 * more than 60 digits on either side.
 */
export function plainDecimalOf({ [SOURCE]: source }: WrittenNumber): string | null {
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
