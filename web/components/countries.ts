/** Countries by ISO 3166-1 alpha-2 code, with names from the browser's Unicode data. */

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Codes that the Unicode data names but that are not countries: reserved codes, unions and pseudo-regions. */
const NOT_COUNTRIES = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));
const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

export const countryName = (code: string) => names.of(code) ?? code;

/** Returns all countries, sorted by name. Omits withdrawn codes, which Unicode maps to their successors. */
export function listCountries(): readonly { readonly code: string; readonly name: string }[] {
  return ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}
