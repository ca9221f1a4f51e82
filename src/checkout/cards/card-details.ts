/** Validation of card details. Error messages never contain the entered values. */
import cardValidator from "card-validator";
import { isStorableText } from "../../platform/database/text.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { ShipToInvalidError } from "../errors.ts";
import { checkShipTo, type ShipTo } from "../quote/ship-to.ts";

export interface CardNumber {
  readonly digits: string;
  /** Brand as named by the `credit-card-type` library: `visa`, `mastercard`, `american-express`. */
  readonly brand: string;
}

/** The longest number of ISO/IEC 7812 (19 digits), with a space or dash after each digit. */
const MAX_NUMBER_LENGTH = 38;
const MAX_NAME_LENGTH = 100;
const MAX_YEARS_AHEAD = 20;

/**
 * Parses a card number; ignores spaces and dashes.
 * @throws {InvalidRequestError} unknown brand, wrong length for the brand, or wrong check digit (ISO/IEC 7812-1, annex B)
 */
export function checkCardNumber(given: unknown): CardNumber {
  const digits = typeof given === "string" && given.length <= MAX_NUMBER_LENGTH ? given.replaceAll(/[\s-]/g, "") : "";
  const { card, isValid } = cardValidator.number(digits, { luhnValidateUnionPay: true });
  if (!/^\d+$/.test(digits) || !isValid || !card) {
    throw new InvalidRequestError("number is not a valid card number. Check its digits.", "number");
  }
  return { digits, brand: card.type };
}

/** Checks a security code. @throws {InvalidRequestError} unless it has the brand's number of digits */
export function checkSecurityCode(given: string, brand: string): string {
  const size = cardValidator.creditCardType.getTypeInfo(brand)?.code.size ?? 3;
  if (given.length !== size || !/^\d+$/.test(given)) {
    throw new InvalidRequestError(`securityCode must be the ${size} digits printed on the card.`, "securityCode");
  }
  return given;
}

/** Checks an expiry date. @throws {InvalidRequestError} the month or year is invalid, or the card has expired */
export function checkExpiry(expMonth: number, expYear: number, now = new Date()): void {
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) {
    throw new InvalidRequestError("expMonth must be from 1 to 12.", "expMonth");
  }
  const thisYear = now.getUTCFullYear();
  if (!Number.isInteger(expYear) || expYear < 1000 || expYear > thisYear + MAX_YEARS_AHEAD) {
    throw new InvalidRequestError("expYear must be a year with four digits, as on the card.", "expYear");
  }
  if (isExpired({ expMonth, expYear }, now))
    throw new InvalidRequestError("The card has expired. Add a card with a later expYear.", "expYear");
}

/** Reports whether a card has expired. A card is valid until the end of its expiry month in UTC. */
export function isExpired(
  { expMonth, expYear }: { readonly expMonth: number; readonly expYear: number },
  now = new Date(),
): boolean {
  return Date.UTC(expYear, expMonth) <= now.getTime();
}

/** Normalises and trims a text. @throws {InvalidRequestError} naming `field` */
export function checkCardText(given: string, field: "cardholderName" | "nickname"): string {
  const text = given.normalize("NFC").trim();
  if (text === "" || text.length > MAX_NAME_LENGTH || !isStorableText(text) || /\p{Cc}/u.test(text)) {
    throw new InvalidRequestError(`${field} must be one line of 1 to ${MAX_NAME_LENGTH} characters.`, field);
  }
  // Names are displayed unmasked, so a card number entered in the wrong field is rejected.
  if (/(?:\d[\s-]?){12}/.test(text)) {
    throw new InvalidRequestError(`${field} contains a long number. Leave card numbers out of it.`, field);
  }
  return text;
}

/** Checks a billing address. @throws {InvalidRequestError} naming the field, such as `billingAddress.postalCode` */
export function checkBillingAddress(given: Parameters<typeof checkShipTo>[0]): ShipTo {
  try {
    return checkShipTo(given);
  } catch (error) {
    if (!(error instanceof ShipToInvalidError)) throw error;
    const field = `billingAddress.${error.detail}`;
    throw new InvalidRequestError(error.message.replace(`shipTo.${error.detail}`, field), field);
  }
}
