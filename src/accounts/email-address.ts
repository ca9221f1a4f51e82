import { InvalidRequestError } from "../platform/errors.ts";

const MAX_LENGTH = 254;
const ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u;

/**
 * Parses an email address and returns it as stored and compared: trimmed and in lower case.
 * @throws {InvalidRequestError} for the field `email` if the text is not exactly one bare address
 */
export function readEmailAddress(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !email.isWellFormed() || !ADDRESS.test(email)) {
    throw new InvalidRequestError("email must be an email address.", "email");
  }
  return email;
}
