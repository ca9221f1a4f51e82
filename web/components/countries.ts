/** Countries by their two letters (ISO 3166-1), as the browser's own Unicode data names them. */

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Codes the Unicode data names beside countries: reserved ones, unions, pseudo-regions. */
const NOT_COUNTRIES = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));
const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

export const countryName = (code: string) => names.of(code) ?? code;

/** Sorted by name. A withdrawn code reads as its successor, and is left out. */
export function listCountries(): readonly { readonly code: string; readonly name: string }[] {
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}
