/**
 * Delivery addresses other than the cardholder's (spec section 2.12). This module checks the format; the merchant checks
 * deliverability.
 */
import { isCountryCode } from "../../platform/validation.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { ShipToInvalidError } from "../errors.ts";
import { toRestNames } from "../rest-names.ts";

/** A validated address; fields are trimmed, and null if absent. */
export interface ShipTo {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string | null;
  readonly address1: string;
  readonly address2: string | null;
  readonly city: string;
  readonly provinceCode: string | null;
  readonly postalCode: string;
  readonly countryCode: string;
  readonly phone: string | null;
}

/** An address as sent by a client. */
export type ShipToInput = Partial<Record<keyof ShipTo, string | null | undefined>>;

/** An address with its digest and redacted form, which replace it where it must not be shown or stored. */
export interface DeliveryAddress {
  readonly address: ShipTo;
  /** SHA-256 over the canonical JSON (RFC 8785) of the present fields, hexadecimal. Approvals are bound to it. */
  readonly sha256: string;
  readonly echo: ShipToEcho;
}

/** Redacted form of an address, for everyone except the merchant. */
export interface ShipToEcho {
  readonly recipient: string;
  readonly city: string;
  readonly provinceCode: string | null;
  readonly postalCodePrefix: string;
  readonly countryCode: string;
}

/** Names of the address fields in REST, digests and evidence. */
export const SHIP_TO_FIELDS = {
  firstName: "first_name",
  lastName: "last_name",
  company: "company",
  address1: "address1",
  address2: "address2",
  city: "city",
  provinceCode: "province_code",
  postalCode: "postal_code",
  countryCode: "country_code",
  phone: "phone",
} as const satisfies Record<keyof ShipTo, string>;

type Field = keyof ShipTo;
const REQUIRED: ReadonlySet<Field> = new Set([
  "firstName",
  "lastName",
  "address1",
  "city",
  "postalCode",
  "countryCode",
]);
const MAX_LENGTH = 255;
const FORMS: Partial<Record<Field, readonly [isForm: (value: string) => boolean, problem: string]>> = {
  countryCode: [isCountryCode, "must be an ISO 3166 code such as GB"],
  provinceCode: [(code) => /^[A-Z0-9-]{1,6}$/.test(code), "must be a province or state code such as CA"],
  phone: [(number) => /^\+?[\d ().-]{5,30}$/.test(number), "must be a phone number"],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: an address must not contain them.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Validates and trims an address. @throws {ShipToInvalidError} naming the missing or malformed field */
export function checkShipTo(given: ShipToInput): ShipTo {
  const read = (field: Field): string | null => {
    const value = given[field]?.normalize("NFC").trim() ?? "";
    if (value === "") {
      if (REQUIRED.has(field)) throw new ShipToInvalidError(field, "is missing");
      return null;
    }
    if (value.length > MAX_LENGTH) throw new ShipToInvalidError(field, `must have at most ${MAX_LENGTH} characters`);
    if (CONTROL.test(value) || !value.isWellFormed()) throw new ShipToInvalidError(field, "must be one line of text");
    const [isForm, problem = ""] = FORMS[field] ?? [];
    if (isForm && !isForm(value)) throw new ShipToInvalidError(field, problem);
    return value;
  };
  const fields = Object.keys(SHIP_TO_FIELDS).map((field) => [field, read(field as Field)]);
  return Object.fromEntries(fields) as unknown as ShipTo;
}

/** Parses an address. @throws {ShipToInvalidError} naming the missing or malformed field */
export function parseDeliveryAddress(given: ShipToInput): DeliveryAddress {
  return toDeliveryAddress(checkShipTo(given));
}

/** Adds digest and redacted form to an address. @param address output of `checkShipTo` */
export function toDeliveryAddress(address: ShipTo): DeliveryAddress {
  const digest = canonicalDigest(toRestNames(SHIP_TO_FIELDS, address));
  return { address, sha256: Buffer.from(digest).toString("hex"), echo: redactAddress(address) };
}

/** Returns the minimum that identifies the address to the account owner. */
function redactAddress(shipTo: ShipTo): ShipToEcho {
  const initial = (name: string) => `${[...name][0] ?? ""}.`;
  const postalCode = [...shipTo.postalCode];
  return {
    recipient: `${initial(shipTo.firstName)} ${initial(shipTo.lastName)}`,
    city: shipTo.city,
    provinceCode: shipTo.provinceCode,
    postalCodePrefix: postalCode
      .slice(0, Math.ceil(postalCode.length / 2))
      .join("")
      .trim(),
    countryCode: shipTo.countryCode,
  };
}
