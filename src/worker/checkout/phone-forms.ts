/** Notations of a telephone number that forms accept. */
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";

export interface PhoneForms {
  /** Digits without country prefix and trunk prefix. */
  readonly nationalDigits: string;
  /** Country prefix with `+`; empty if unknown. */
  readonly prefix: string;
  /** As approved, then E.164, national and without separators. */
  readonly international: readonly string[];
  readonly national: readonly string[];
}

/** Parses a number. @param countryCode the address's country, for numbers without a prefix */
export function phoneForms(number: string, countryCode: string | undefined): PhoneForms {
  const parsed = parsePhoneNumberFromString(number, countryCode as CountryCode | undefined);
  if (!parsed) return { nationalDigits: digitsOf(number), prefix: "", international: [number], national: [number] };
  const national = parsed.formatNational();
  return {
    nationalDigits: parsed.nationalNumber,
    prefix: `+${parsed.countryCallingCode}`,
    international: [...new Set([number, parsed.number, parsed.formatInternational()])],
    national: [...new Set([national, digitsOf(national), parsed.nationalNumber])],
  };
}

/** Whether a value is the number in any notation. */
export function isSamePhone(value: string, { nationalDigits, prefix }: PhoneForms): boolean {
  const digits = digitsOf(value);
  if (nationalDigits === "" || !digits.endsWith(nationalDigits)) return false;
  const before = digits
    .slice(0, -nationalDigits.length)
    .replace(/^0{1,2}/, "")
    .replace(/0$/, "");
  return before === "" || prefix === "" || before === digitsOf(prefix);
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");
