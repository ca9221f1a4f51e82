/** Exact decimals as strings. Amounts are never floating-point numbers. */

const USD_PLACES = 6;

/** Formats a decimal with digit groups and at least `minPlaces` decimal places, without rounding: `"1234.500000"` is `1,234.50`. */
export function formatExact(decimal: string, minPlaces = 2): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const places = fraction.replace(/0+$/, "").padEnd(minPlaces, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${places && `.${places}`}`;
}

/** Returns the sum of USD amounts with at most six decimal places. */
export function sumUsd(amounts: readonly string[]): string {
  const micro = amounts.reduce((all, amount) => {
    const [whole = "0", fraction = ""] = amount.split(".");
    return all + BigInt(whole + fraction.padEnd(USD_PLACES, "0"));
  }, 0n);
  return movePoint(micro.toString(), -USD_PLACES);
}

/** Moves the decimal point of an unsigned decimal right by `places`, or left if `places` is negative, without rounding. */
export function movePoint(decimal: string, places: number): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const scale = fraction.length - places;
  if (scale <= 0) return BigInt(whole + fraction + "0".repeat(-scale)).toString();
  const digits = BigInt(whole + fraction)
    .toString()
    .padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
