/** A letter as it is asked for, checked before anything is kept. */
import { createHash } from "node:crypto";
import { isStorableText } from "../../platform/database/text.ts";
import { isOneAddress } from "../../platform/email/mailer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";

export const MAX_RECIPIENTS = 20;
export const MAX_SUBJECT_LENGTH = 500;
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_SHOWN_LENGTH = 80;

export interface LetterInput {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  readonly attachmentIds: readonly string[];
}

/**
 * The letter, with each recipient once.
 * @throws {InvalidRequestError} naming what is missing or cannot be sent
 */
export function readLetter(input: LetterInput): LetterInput {
  const letter = readDraft(input);
  if (letter.to.length === 0) throw new InvalidRequestError("to is required.", "to");
  if (letter.subject === "") throw new InvalidRequestError("subject is required.", "subject");
  if (letter.body.trim() === "") throw new InvalidRequestError("body is required.", "body");
  return letter;
}

/** The same of what may still be unfinished. @throws {InvalidRequestError} naming what could never be sent */
export function readDraft(input: LetterInput): LetterInput {
  const seen = new Set<string>();
  const to = readAddresses(input.to, "to", seen);
  const cc = readAddresses(input.cc, "cc", seen);
  if (seen.size > MAX_RECIPIENTS) {
    throw new InvalidRequestError(`to and cc name more than ${MAX_RECIPIENTS} recipients together.`, "to");
  }
  return {
    to,
    cc,
    subject: readSubject(input.subject),
    body: readBody(input.body),
    attachmentIds: input.attachmentIds,
  };
}

/** What makes two letters of a mailbox the same. @param answersId the message it answers */
export function letterSha256(letter: LetterInput, answersId: string | null): Uint8Array<ArrayBuffer> {
  const { to, cc, subject, body, attachmentIds } = letter;
  const text = JSON.stringify([to, cc, subject, body, attachmentIds, answersId]);
  return new Uint8Array(createHash("sha256").update(text).digest());
}

function readAddresses(addresses: readonly string[], field: string, seen: Set<string>): string[] {
  return addresses.flatMap((given) => {
    const address = given.trim();
    if (!isOneAddress(address)) {
      const shown = JSON.stringify(address.slice(0, MAX_SHOWN_LENGTH));
      throw new InvalidRequestError(`${field} names ${shown}, which is not a mail address.`, field);
    }
    if (seen.has(address.toLowerCase())) return [];
    seen.add(address.toLowerCase());
    return [address];
  });
}

function readSubject(given: string): string {
  const subject = given.trim();
  // It becomes one header: a line break would begin another.
  if (subject.length > MAX_SUBJECT_LENGTH || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(subject)) {
    throw new InvalidRequestError(
      `subject must be at most ${MAX_SUBJECT_LENGTH} characters without line breaks.`,
      "subject",
    );
  }
  return subject;
}

function readBody(body: string): string {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new InvalidRequestError("body is larger than 256 KiB.", "body");
  if (!isStorableText(body)) {
    throw new InvalidRequestError("body holds text that is not valid Unicode, or a NUL character.", "body");
  }
  return body;
}
