/** Integer money. 1 USD = 1,000,000 micro-USD; an asset's amount is in its smallest unit. No floating point anywhere. */
import { InvalidRequestError } from "./errors.ts";

const MICRO_USD_DECIMALS = 6;
/** PostgreSQL's bigint, so that no sum of two valid amounts leaves JavaScript's or the database's range unnoticed. */
const MAX_MICRO_USD = 10n ** 15n;

/**
 * Reads a plain decimal such as `"12.5"` as an integer of the smallest unit.
 * @throws {InvalidRequestError} when it is no plain decimal, or has more decimals than the unit.
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

/** Writes an integer amount as an exact decimal with at least `minFraction` decimal places. */
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

/** `"5"` or `"5.25"` USD → micro-USD. */
export function parseUsd(text: string, field: string): bigint {
  const amountMicroUsd = parseDecimal(text, MICRO_USD_DECIMALS, field);
  if (amountMicroUsd > MAX_MICRO_USD)
    throw new InvalidRequestError(`${field} is larger than 1,000,000,000 USD.`, field);
  return amountMicroUsd;
}

/** Micro-USD → `"5.00"`, `"0.000125"`: at least cents, never rounded. */
export function formatUsd(amountMicroUsd: bigint): string {
  return formatDecimal(amountMicroUsd, MICRO_USD_DECIMALS, 2);
}
