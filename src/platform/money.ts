/** Money as integers: 1 USD = 1,000,000 micro-USD, and amounts of an asset are in its smallest unit. No floating point. */
import { InvalidRequestError } from "./errors.ts";

const MICRO_USD_DECIMALS = 6;
/** Low enough that sums of valid amounts remain within PostgreSQL's `bigint`. */
const MAX_MICRO_USD = 10n ** 15n;

/**
 * Parses a plain decimal such as `"12.5"` into an integer of the smallest unit.
 *
 * @throws {InvalidRequestError} the text is not a plain decimal, or has more than `decimals` decimal places
 */
export function parseDecimal(text: string, decimals: number, field: string): bigint {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text);
  if (!match) throw new InvalidRequestError(`${field} must be a plain decimal number such as "12.50".`, field);
  const [, whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) {
    throw new InvalidRequestError(`${field} may have at most ${decimals} decimal places.`, field);
  }
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Formats an integer amount as an exact decimal with at least `minFraction` decimal places. */
export function formatDecimal(amountAtomic: bigint, decimals: number, minFraction = 0): string {
  const sign = amountAtomic < 0n ? "-" : "";
  const digits = (amountAtomic < 0n ? -amountAtomic : amountAtomic).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point + minFraction && digits[end - 1] === "0") end--;
  const whole = sign + digits.slice(0, point);
  if (end === point && minFraction === 0) return whole;
  return `${whole}.${digits.slice(point, end).padEnd(minFraction, "0")}`;
}

/**
 * Parses US dollars such as `"5"` or `"5.25"` into micro-USD.
 *
 * @throws {InvalidRequestError} malformed, or above 1,000,000,000 USD
 */
export function parseUsd(text: string, field: string): bigint {
  const amountMicroUsd = parseDecimal(text, MICRO_USD_DECIMALS, field);
  if (amountMicroUsd > MAX_MICRO_USD)
    throw new InvalidRequestError(`${field} is larger than 1,000,000,000 USD.`, field);
  return amountMicroUsd;
}

/** Formats micro-USD as dollars with at least two decimal places, never rounded: `"5.00"`, `"0.000125"`. */
export function formatUsd(amountMicroUsd: bigint): string {
  return formatDecimal(amountMicroUsd, MICRO_USD_DECIMALS, 2);
}
