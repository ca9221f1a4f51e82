/** Decimal digits of the sandbox stores' currencies (ISO 4217). */
const EXPONENTS = { AUD: 2, CAD: 2, EUR: 2, GBP: 2, JPY: 0, KWD: 3, USD: 2 } as const;

export type Currency = keyof typeof EXPONENTS;

/** An amount in the currency's minor unit: pence, yen, fils. */
export interface Money {
  amountMinor: number;
  currency: Currency;
}

/** Formats a Decimal of the Storefront API: no trailing zeros, but at least one decimal digit (`24.9`, `1200.0`, `1.25`). */
export function decimalOf({ amountMinor, currency }: Money): string {
  const [whole, fraction = ""] = fixedOf({ amountMinor, currency }).split(".");
  return `${whole}.${fraction.replace(/0+$/, "") || "0"}`;
}

/** Formats an amount with all digits of its currency: `24.90`, `1200`, `1.250`. */
export function fixedOf({ amountMinor, currency }: Money): string {
  const exponent = EXPONENTS[currency];
  const digits = String(amountMinor).padStart(exponent + 1, "0");
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Returns a price as themes receive it: in the currency's subunit, or in hundredths for currencies without one (1,000 yen
 * is `100000`). Source: the Liquid reference.
 */
export function themePriceOf({ amountMinor, currency }: Money): number {
  return EXPONENTS[currency] === 0 ? amountMinor * 100 : amountMinor;
}

const SYMBOLS: Partial<Record<Currency, string>> = { AUD: "$", CAD: "$", EUR: "€", GBP: "£", JPY: "¥", USD: "$" };

/** Formats an amount for pages: `£24.90 GBP`, `¥1,200 JPY`, `1.250 KWD`. */
export function shownOf(money: Money): string {
  const [whole = "", fraction] = fixedOf(money).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${SYMBOLS[money.currency] ?? ""}${grouped}${fraction === undefined ? "" : `.${fraction}`} ${money.currency}`;
}
