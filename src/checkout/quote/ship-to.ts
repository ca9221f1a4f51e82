/** Where an order goes when not to the cardholder (spec section 2.12): checked here for its form, by the shop for the rest. */
import { isCountryCode } from "../../platform/validation.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { ShipToInvalidError } from "../errors.ts";
import { underRestNames } from "../rest-names.ts";

/** All fields, trimmed; null for what was not given. */
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

/** An address as a client sends it. */
export type ShipToInput = Partial<Record<keyof ShipTo, string | null | undefined>>;

/** An address, and what stands for it where the whole of it must not be shown or stored. */
export interface DeliveryAddress {
  readonly address: ShipTo;
  /** SHA-256 over the canonical JSON (RFC 8785) of what was given, hexadecimal: what an approval is bound to. */
  readonly sha256: string;
  readonly echo: ShipToEcho;
}

/** What anybody but the shop is shown of it. */
export interface ShipToEcho {
  readonly recipient: string;
  readonly city: string;
  readonly provinceCode: string | null;
  readonly postalCodePrefix: string;
  readonly countryCode: string;
}

/** Our names of its fields, and the ones REST, digests and evidence use. */
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
const NEEDED: ReadonlySet<Field> = new Set(["firstName", "lastName", "address1", "city", "postalCode", "countryCode"]);
const LONGEST = 255;
const FORMS: Partial<Record<Field, readonly [isForm: (value: string) => boolean, problem: string]>> = {
  countryCode: [isCountryCode, "must be an ISO 3166 code such as GB"],
  provinceCode: [(code) => /^[A-Z0-9-]{1,6}$/.test(code), "must be a province's code such as CA"],
  phone: [(number) => /^\+?[\d ().-]{5,30}$/.test(number), "must be a telephone number"],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in an address.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** @throws {ShipToInvalidError} naming the field that is missing or malformed */
export function checkShipTo(given: ShipToInput): ShipTo {
  const read = (field: Field): string | null => {
    const value = given[field]?.normalize("NFC").trim() ?? "";
    if (value === "") {
      if (NEEDED.has(field)) throw new ShipToInvalidError(field, "is missing");
      return null;
    }
    if (value.length > LONGEST) throw new ShipToInvalidError(field, `must have ${LONGEST} characters at most`);
    if (CONTROL.test(value) || !value.isWellFormed()) throw new ShipToInvalidError(field, "must be one line of text");
    const [isForm, problem = ""] = FORMS[field] ?? [];
    if (isForm && !isForm(value)) throw new ShipToInvalidError(field, problem);
    return value;
  };
  const fields = Object.keys(SHIP_TO_FIELDS).map((field) => [field, read(field as Field)]);
  return Object.fromEntries(fields) as unknown as ShipTo;
}

/** @throws {ShipToInvalidError} naming the field that is missing or malformed */
export function parseDeliveryAddress(given: ShipToInput): DeliveryAddress {
  return deliveryAddress(checkShipTo(given));
}

/** @param address as `checkShipTo` returned it */
export function deliveryAddress(address: ShipTo): DeliveryAddress {
  const digest = canonicalDigest(underRestNames(SHIP_TO_FIELDS, address));
  return { address, sha256: Buffer.from(digest).toString("hex"), echo: echoOf(address) };
}

/** Enough to recognise it by, and no more. */
function echoOf(shipTo: ShipTo): ShipToEcho {
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
