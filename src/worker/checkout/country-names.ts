/** Names of countries and their first-level divisions, as lists of checkouts state them. */

import { allCountries } from "country-region-data";
import { iso31661Alpha2ToAlpha3, iso31661Alpha2ToNumeric, iso31662 } from "iso-3166";

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "ja", "zh", "ko"];
const NAMES = LANGUAGES.map((locale) => new Intl.DisplayNames(locale, { type: "region" }));
/** Names in use that CLDR does not have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  GB: ["Great Britain", "United Kingdom (UK)", "UK", "England", "Großbritannien", "Vereinigtes Königreich"],
  US: ["United States of America", "United States (US)", "USA", "U.S.A.", "America"],
  NL: ["The Netherlands", "Holland"],
  CZ: ["Czech Republic"],
  KR: ["South Korea", "Republic of Korea"],
  HK: ["Hong Kong"],
  TR: ["Turkey"],
};
const MIN_LIST = 15;

/** Folds case, accents, punctuation and spaces. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Returns the folded codes and names of a country. */
export function countryWords(code: string): ReadonlySet<string> {
  const names = NAMES.map((one) => one.of(code) ?? code);
  const codes = [code, iso31661Alpha2ToAlpha3[code] ?? code, iso31661Alpha2ToNumeric[code] ?? code];
  return new Set([...codes, ...names, ...(OTHER_NAMES[code] ?? [])].map(folded));
}

/** English name of a country. */
export function countryName(code: string): string {
  return NAMES[0]?.of(code) ?? code;
}

let englishNames: ReadonlySet<string> | undefined;

/** Whether most options of a list are countries. */
export function isCountryList(options: readonly { readonly text: string }[] | undefined): boolean {
  if (!options || options.length < MIN_LIST) return false;
  englishNames ??= new Set(Object.keys(iso31661Alpha2ToAlpha3).map((code) => folded(countryName(code))));
  const known = englishNames;
  return options.filter(({ text }) => known.has(folded(text))).length > options.length / 2;
}

export interface DivisionWords {
  readonly codes: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Name to enter; null if unknown. */
  readonly display: string | null;
}

/**
 * Returns the folded names of a first-level division, and its codes with and without the country. The sets differ: ISO 3166-2
 * has local names, checkouts often English ones.
 */
export function divisionWords(countryCode: string, provinceCode: string): DivisionWords {
  const code = provinceCode.replace(new RegExp(`^${countryCode}-`), "");
  const full = `${countryCode}-${code}`;
  const official = iso31662.filter((one) => one.code === full).map(({ name }) => name);
  const [, , divisions = []] = allCountries.find(([, country]) => country === countryCode) ?? [];
  const common = divisions.filter(([, division]) => division === code).map(([name]) => name);
  const names = [...official, ...common].flatMap((name) => [name, ...name.split(/\s*[/,[(]\s*/)]);
  return {
    codes: new Set([code, full].map(folded)),
    names: new Set(names.map(folded).filter((name) => name !== "")),
    display: common[0] ?? official[0] ?? null,
  };
}
