/** Merchant amounts: integers in the currency's minor unit (ISO 4217). */
import { code as currencyOf } from "currency-codes";

/** An integer in the minor unit of `currency`. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,10}))?$/;

/**
 * Converts a decimal such as `"12.50"` to minor units without rounding. Returns null for an unknown currency, a sign, more
 * fraction digits than the currency has, and results above `Number.MAX_SAFE_INTEGER`.
 */
export function toMinor(amount: string, currency: string): number | null {
  const digits = currencyOf(currency)?.digits;
  const [, whole, fraction = ""] = DECIMAL.exec(amount) ?? [];
  if (digits === undefined || whole === undefined) return null;
  // Merchants write "500.0" for 500 yen: trailing zeros are not significant.
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > digits) return null;
  const minor = Number(whole + significant.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Formats an amount as a decimal with all fraction digits of the currency, such as `12.50`. */
export function formatMinor({ amountMinor, currency }: Money): string {
  const digits = currencyOf(currency)?.digits ?? 2;
  if (digits === 0) return String(amountMinor);
  const text = String(amountMinor).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
