/** User codes of the device authorization grant: what a user types to connect a device. */
import { randomInt } from "node:crypto";
import { InvalidRequestError } from "../../platform/errors.ts";

/** 20 consonants, so that no code is a word (RFC 8628 section 6.1). Eight of them have 34 bits. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const WELL_FORMED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Creates a code as it is stored: without a separator. */
export function createUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/** Returns a stored code as it is shown, such as `WDJB-MJHT`. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

/**
 * Returns the stored form of a typed code: case and separators are ignored.
 * @throws {InvalidRequestError} if it is no code
 */
export function readUserCode(typed: string): string {
  const userCode = typed.toUpperCase().replace(/[^A-Z]/g, "");
  if (WELL_FORMED.test(userCode)) return userCode;
  throw new InvalidRequestError("userCode must be the code that the device shows, such as WDJB-MJHT.", "userCode");
}
