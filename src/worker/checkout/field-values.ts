/** What a form's field should contain: notations to enter, and whether an option or a value is the buyer's. */
import type { Values } from "./buyer.ts";
import { countryName, countryWords, divisionWords, folded } from "./country-names.ts";
import type { PageField } from "./document-view.ts";
import type { Purpose } from "./field-words.ts";
import { isSamePhone, phoneForms } from "./phone-forms.ts";

type Option = PageField["options"][number];

/** Countries whose addresses state the code of the division. */
const CODED = new Set(["US", "CA", "AU"]);
/** Postal codes that some forms require with a space and others without. */
const SPACED: Readonly<Record<string, RegExp>> = {
  CA: /^(\w{3})(\w{3})$/,
  GB: /^(\w{2,4})(\w{3})$/,
  NL: /^(\d{4})(\w{2})$/,
  SE: /^(\d{3})(\d{2})$/,
};
/** Options that state no salutation. A stated one is never guessed. */
const NO_SALUTATION =
  /keine angabe|ohne anrede|prefer not|rather not|not (?:specified|stated)|unspecified|no title|^none$|neutral|non (?:précisé|specificat|renseigné)|ne (?:souhaite|pas) |prefiero no|preferisco non|geen (?:opgave|aanhef)|zeg ik liever niet|nie podaję|未回答|回答しない/i;
const UNITED = "+1";

/** Returns the notations to enter, the most likely first. Each is tried until the page accepts it. */
export function textsFor(field: PageField, purpose: Purpose, values: Values, hasPrefixField: boolean): string[] {
  const value = values[purpose];
  if (value === undefined) return [];
  switch (purpose) {
    case "country":
      return field.maxLength === 2 ? [value] : [countryName(value), value];
    case "province":
      return provinceTexts(field, values);
    case "phone": {
      const { international, national, nationalDigits } = phoneForms(value, values.country);
      // Beside the country prefix, the trunk prefix does not belong.
      if (hasPrefixField) return [...new Set([nationalDigits, ...national])];
      const isNational = /^\(?0|^\(\d/.test(field.placeholder) || (field.maxLength ?? 20) < 12;
      return isNational ? [...national, ...international] : [...international, ...national];
    }
    case "postal_code":
      return postalCodes(value, values.country ?? "");
    default:
      return [value];
  }
}

function provinceTexts({ maxLength }: PageField, { province = "", country = "" }: Values): string[] {
  const code = province.replace(new RegExp(`^${country}-`), "");
  const { display } = divisionWords(country, province);
  const names = display === null ? [] : [display];
  return (maxLength !== null && maxLength <= 3) || CODED.has(country) ? [code, ...names] : [...names, code];
}

function postalCodes(code: string, country: string): string[] {
  const bare = code.replace(/\s/g, "");
  return [...new Set([code, bare.replace(SPACED[country] ?? /^$/, "$1 $2"), bare])];
}

/** Whether the field contains the buyer's value. False if its value cannot be read. */
export function hasValue(field: PageField, purpose: Purpose, values: Values): boolean {
  const value = values[purpose];
  if (value === undefined) return false;
  if (field.type === "select") {
    const option = optionFor(field, purpose, values);
    return option !== null && option.value === field.value;
  }
  const text = field.isCombobox && field.value === "" ? field.shown : field.value;
  if (text === null) return false;
  if (field.type === "combobox" || (field.isCombobox && (purpose === "country" || purpose === "province")))
    return !field.isEmpty && matcherFor(purpose, values)({ text, value: "", disabled: false }) !== null;
  if (purpose === "country") return countryWords(value).has(folded(text));
  if (purpose === "phone") return isSamePhone(text, phoneForms(value, values.country));
  return isSameText(text, value) || textsFor(field, purpose, values, false).some((one) => isSameText(text, one));
}

/** Compares letters and digits only, because pages add separators. */
export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other);

/** Returns the option of a list that is the buyer's value; null without one. */
export function optionFor({ options }: Pick<PageField, "options">, purpose: Purpose, values: Values): Option | null {
  const match = matcherFor(purpose, values);
  const ranked = options
    .filter(({ disabled }) => !disabled)
    .map((option) => ({ option, rank: match(option) }))
    .filter((one): one is { option: Option; rank: number } => one.rank !== null)
    .toSorted((one, other) => one.rank - other.rank);
  const [best, second] = ranked;
  // Two equally good options, such as two partial names, are ambiguous.
  if (!best || (best.rank >= LOOSE && second?.rank === best.rank)) return null;
  return best.option;
}

const LOOSE = 4;

/** Returns a function that ranks an option: 0 is the best match, null is none. */
export function matcherFor(purpose: Purpose, values: Values): (option: Option) => number | null {
  const value = values[purpose] ?? "";
  switch (purpose) {
    case "country": {
      const words = countryWords(value);
      return ({ value: own, text }) => {
        const shown = folded(text);
        if (words.has(shown) || own === value) return 0;
        if (words.has(folded(own)) || words.has(folded(withoutNote(text)))) return 1;
        return [...words].some((word) => word.length > 3 && shown.startsWith(`${word} `)) ? LOOSE : null;
      };
    }
    case "province":
      return rankDivision(values);
    case "phone_country": {
      const country = values.country ?? "";
      const words = countryWords(country);
      return ({ value: own, text }) => {
        const isCountry = own === country || [...words].some((word) => word.length > 3 && folded(text).includes(word));
        const codes = [own, text].flatMap((one) =>
          [...one.matchAll(/\+\s?(\d+(?:[\s-]\d+)*)/g)].map(([code]) => code.replace(/[\s-]/g, "")),
        );
        const isCode = codes.includes(value) || own === value.slice(1);
        return isCode ? (isCountry ? 0 : value === UNITED && codes.length > 0 ? LOOSE : 1) : null;
      };
    }
    case "address1":
      // Results of a search for addresses: street, city and postal code in one text.
      return ({ text }) =>
        isSameText(text, value) ? 0 : ` ${folded(text)} `.includes(` ${folded(value)} `) ? LOOSE : null;
    default:
      return ({ value: own, text }) => (isSameText(text, value) ? 0 : isSameText(own, value) ? 1 : null);
  }
}

/** Names come before codes, because lists may number their options. */
function rankDivision({ province = "", country = "" }: Values): (option: Option) => number | null {
  const { codes, names } = divisionWords(country, province);
  const hasDigitsOnly = /^\d+$/.test(province);
  return ({ value, text }) => {
    const [shown, own] = [folded(text), folded(value)];
    if (names.has(shown) || names.has(folded(withoutNote(text)))) return 0;
    if (names.has(own)) return 1;
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
    const isCoded =
      codes.has(shown) || [parts[0], parts.at(-1)].some((part) => part !== undefined && part === province);
    if (isCoded && !hasDigitsOnly) return 2;
    if (codes.has(own) || (own.includes(" ") && codes.has(own.split(" ").at(-1) ?? ""))) return 3;
    const isPart = [...names].some(
      (name) => shown.length > 3 && (name.startsWith(`${shown} `) || shown.startsWith(`${name} `)),
    );
    return isPart ? LOOSE : null;
  };
}

const withoutNote = (text: string) => text.replace(/\s*[([].*$/, "");

/** Returns the position of the text that states no salutation; -1 without one. */
export function neutralSalutation(texts: readonly string[]): number {
  return texts.findIndex((text) => NO_SALUTATION.test(text));
}
