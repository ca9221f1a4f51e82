/** Exact decimals, as text: no amount is ever a floating-point number. */

const USD_PLACES = 6;

/** `"1234.500000"` is `1,234.50`: grouped, at least `minPlaces` places, and no digit lost. */
export function formatExact(decimal: string, minPlaces = 2): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const places = fraction.replace(/0+$/, "").padEnd(minPlaces, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${places && `.${places}`}`;
}

/** The sum of amounts of at most six decimal places. */
export function sumUsd(amounts: readonly string[]): string {
  const micro = amounts.reduce((all, amount) => {
    const [whole = "0", fraction = ""] = amount.split(".");
    return all + BigInt(whole + fraction.padEnd(USD_PLACES, "0"));
  }, 0n);
  return movePoint(micro.toString(), -USD_PLACES);
}

/** A decimal of no sign with its point moved to the right, or to the left where `places` is negative; no digit lost. */
export function movePoint(decimal: string, places: number): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const scale = fraction.length - places;
  if (scale <= 0) return BigInt(whole + fraction + "0".repeat(-scale)).toString();
  const digits = BigInt(whole + fraction)
    .toString()
    .padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
