/** Amounts in the minor unit of a currency (ISO 4217), formatted and parsed as decimals. */
import { codes, code as currencyOf } from "currency-codes";
import { movePoint } from "./decimal.ts";

const names = new Intl.DisplayNames("en", { type: "currency", fallback: "none" });
/** Codes of metals, funds and tests, which are not used for payments. */
const NOT_MONEY = /^X|^(?:BOV|CHE|CHW|CLF|COU|MXV|USN|UYI|UYW)$/;

/** Returns the number of decimal places of a currency: 2 for GBP, 0 for JPY, 3 for KWD. */
export function decimalPlaces(currency: string): number {
  return currencyOf(currency)?.digits ?? 2;
}

/** Converts minor units to a decimal: `1999` GBP is `"19.99"`, `1999` JPY is `"1999"`. */
export function minorToDecimal(amountMinor: number, currency: string): string {
  return movePoint(String(amountMinor), -decimalPlaces(currency));
}

/** Parses a decimal such as `12.5` into minor units. Returns null if it is not an amount of the currency. */
export function decimalToMinor(text: string, currency: string): number | null {
  const places = decimalPlaces(currency);
  const [, whole, fraction = ""] = /^(\d{1,13})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > places) return null;
  const minor = Number(whole + fraction.padEnd(places, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Returns all currencies used for payments, sorted by name. */
export function listCurrencies(): readonly { readonly code: string; readonly name: string }[] {
  return codes()
    .filter((code) => !NOT_MONEY.test(code))
    .map((code) => ({ code, name: names.of(code) ?? currencyOf(code)?.currency ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
