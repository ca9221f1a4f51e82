/** Splits the first line of an address where a form has separate fields for street and house number. */

export interface StreetLine {
  readonly street: string;
  readonly houseNumber: string;
  /** Addition to the number, such as `A` in `12 A`. Empty without one. */
  readonly suffix: string;
}

const NUMBER = String.raw`\d+(?:\s?[-–/]\s?\d+)?`;
const SUFFIX = String.raw`(?:\s?[-/]?\s?[\p{L}]{1,3}(?![\p{L}.])|\s?(?:bis|ter|quater|hs|[IVX]+)(?!\p{L}))?`;
const LEADING = new RegExp(
  String.raw`^(?<number>${NUMBER})(?<suffix>\s?\p{L}(?!\p{L})|\s(?:bis|ter|quater)(?!\p{L}))?,?\s+(?<street>.*\p{L}.*)$`,
  "u",
);
const TRAILING = new RegExp(
  String.raw`^(?<street>.*?\p{L}.*?),?\s+(?:n[°ºr]\.?\s?|no\.?\s|nr\.?\s)?(?<number>${NUMBER})(?<suffix>${SUFFIX})$`,
  "iu",
);
/** Countries where the number precedes the street. Elsewhere it follows. */
const NUMBER_FIRST = new Set([
  "US",
  "CA",
  "GB",
  "IE",
  "AU",
  "NZ",
  "FR",
  "LU",
  "ZA",
  "IN",
  "SG",
  "MY",
  "TH",
  "PH",
  "MA",
  "TN",
]);

/** Returns the parts of a line; null if it has no number, or none at the place of either custom. */
export function splitStreetLine(line: string, countryCode: string): StreetLine | null {
  const forms = NUMBER_FIRST.has(countryCode) ? [LEADING, TRAILING] : [TRAILING, LEADING];
  for (const form of forms) {
    const { street = "", number = "", suffix = "" } = form.exec(line.trim())?.groups ?? {};
    if (number !== "")
      return { street, houseNumber: number.replace(/\s/g, ""), suffix: suffix.replace(/^[\s/-]+/, "").trim() };
  }
  return null;
}
