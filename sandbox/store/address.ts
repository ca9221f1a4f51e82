import { ADDRESS_RULES, STATES_BY_ZIP } from "./countries.ts";

/** A delivery address with the Storefront API's field names. Absent and empty values are equivalent. */
export interface Address {
  firstName?: string | null;
  lastName?: string | null;
  company?: string | null;
  address1?: string | null;
  address2?: string | null;
  city?: string | null;
  provinceCode?: string | null;
  zip?: string | null;
  countryCode?: string | null;
  phone?: string | null;
}

export type AddressField = keyof Address;

/** An error in one field. `code` is a `CartErrorCode` of the Storefront API. */
export interface AddressError {
  field: AddressField;
  code: string;
  message: string;
}

const LABELS: Record<AddressField, string> = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  address1: "Address",
  address2: "Apartment",
  city: "City",
  provinceCode: "Province",
  zip: "Postal code",
  countryCode: "Country",
  phone: "Phone",
};
const MAX_LENGTH = 255;
const REQUIRED_FIELDS: AddressField[] = ["firstName", "lastName", "address1", "city", "countryCode"];

/** Validates an address like the Storefront API's `STRICT` strategy. Returns all errors; empty for a valid address. */
export function addressErrors(address: Address): AddressError[] {
  const errors: AddressError[] = [];
  const add = (field: AddressField, code: string, message: string) => void errors.push({ field, code, message });
  const rule = ADDRESS_RULES[address.countryCode ?? ""] ?? {};
  const required = [
    ...REQUIRED_FIELDS,
    ...(rule.provinces ? ["provinceCode" as const] : []),
    ...(rule.zip ? ["zip" as const] : []),
  ];

  for (const field of Object.keys(LABELS) as AddressField[]) {
    const value = address[field]?.trim() ?? "";
    const label = LABELS[field];
    if (value === "") {
      if (required.includes(field)) add(field, "ADDRESS_FIELD_IS_REQUIRED", `${label} is required`);
    } else if (value.length > MAX_LENGTH) add(field, "ADDRESS_FIELD_IS_TOO_LONG", `${label} is too long`);
    else if (/<[a-z/!]/i.test(value))
      add(field, "ADDRESS_FIELD_CONTAINS_HTML_TAGS", `${label} cannot contain HTML tags`);
    else if (/https?:\/\/|www\./i.test(value))
      add(field, "ADDRESS_FIELD_CONTAINS_URL", `${label} cannot contain a URL`);
    else if (/\p{Extended_Pictographic}/u.test(value))
      add(field, "ADDRESS_FIELD_CONTAINS_EMOJIS", `${label} cannot contain emojis`);
    else if (field === "phone" && !/^\+?[\d ()./-]{6,24}$/.test(value))
      add(field, "ADDRESS_FIELD_DOES_NOT_MATCH_EXPECTED_PATTERN", `${label} is not a phone number`);
  }

  const zip = address.zip?.trim() ?? "";
  const province = address.provinceCode?.trim() ?? "";
  if (province && rule.provinces && !rule.provinces.includes(province)) {
    add("provinceCode", "PROVINCE_NOT_FOUND", "Province is not valid for the country");
  }
  if (!zip || !rule.zip) return errors;
  if (!rule.zip.test(zip)) add("zip", "INVALID_ZIP_CODE_FOR_COUNTRY", "Postal code is not valid for the country");
  else if (address.countryCode === "US" && province && !STATES_BY_ZIP[zip.charAt(0)]?.includes(province)) {
    add("zip", "INVALID_ZIP_CODE_FOR_PROVINCE", "Postal code is not valid for the province");
  }
  return errors;
}
