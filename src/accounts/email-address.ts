import { InvalidRequestError } from "../platform/errors.ts";

const MAX_LENGTH = 254;
const ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u;

/**
 * An address as it is stored and compared: trimmed and in lower case.
 * @throws {InvalidRequestError} naming `email` when it is not one bare address
 */
export function readEmailAddress(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !email.isWellFormed() || !ADDRESS.test(email)) {
    throw new InvalidRequestError("email must be an e-mail address.", "email");
  }
  return email;
}
