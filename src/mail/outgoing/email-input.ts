/** Validation of an email's input, before anything is stored. */
import { createHash } from "node:crypto";
import { isStorableText } from "../../platform/database/text.ts";
import { isOneAddress } from "../../platform/email/mailer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { checkAll } from "../../platform/validation.ts";

export const MAX_RECIPIENTS = 20;
export const MAX_SUBJECT_LENGTH = 500;
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_SHOWN_LENGTH = 80;

export interface EmailInput {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Plain text, at most 256 KiB in UTF-8. */
  readonly body: string;
  readonly attachmentIds: readonly string[];
}

/**
 * Validates an email. Returns it with trimmed fields and each recipient once.
 * @throws {InvalidRequestError} with the field that is missing or invalid
 */
export function validateEmail(input: EmailInput): EmailInput {
  const { email } = checkAll({
    email: () => validateDraft(input),
    to: () => requireField("to", input.to.length > 0),
    subject: () => requireField("subject", input.subject.trim() !== ""),
    body: () => requireField("body", input.body.trim() !== ""),
  });
  return email;
}

function requireField(field: string, isGiven: boolean): void {
  if (!isGiven) throw new InvalidRequestError(`${field} is required.`, field);
}

/** Validates a draft in the same way, but permits empty fields. @throws {InvalidRequestError} with the invalid field */
export function validateDraft(input: EmailInput): EmailInput {
  const seen = new Set<string>();
  const { count: _count, ...email } = checkAll({
    to: () => readAddresses(input.to, "to", seen),
    cc: () => readAddresses(input.cc, "cc", seen),
    count: () => {
      if (seen.size <= MAX_RECIPIENTS) return;
      throw new InvalidRequestError(`to and cc must contain at most ${MAX_RECIPIENTS} addresses in total.`, "to");
    },
    subject: () => readSubject(input.subject),
    body: () => readBody(input.body),
  });
  return { ...email, attachmentIds: input.attachmentIds };
}

/** Returns the digest that identifies equal emails of a mailbox. @param repliesToId id of the message it replies to */
export function hashEmail(email: EmailInput, repliesToId: string | null): Uint8Array<ArrayBuffer> {
  const { to, cc, subject, body, attachmentIds } = email;
  const text = JSON.stringify([to, cc, subject, body, attachmentIds, repliesToId]);
  return new Uint8Array(createHash("sha256").update(text).digest());
}

function readAddresses(addresses: readonly string[], field: string, seen: Set<string>): string[] {
  return addresses.flatMap((input) => {
    const address = input.trim();
    if (!isOneAddress(address)) {
      const shown = JSON.stringify(address.slice(0, MAX_SHOWN_LENGTH));
      throw new InvalidRequestError(`${field} contains ${shown}, which is not an email address.`, field);
    }
    if (seen.has(address.toLowerCase())) return [];
    seen.add(address.toLowerCase());
    return [address];
  });
}

function readSubject(input: string): string {
  const subject = input.trim();
  // A line break would start another header field.
  if (subject.length > MAX_SUBJECT_LENGTH || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(subject)) {
    throw new InvalidRequestError(
      `subject must be at most ${MAX_SUBJECT_LENGTH} characters without line breaks.`,
      "subject",
    );
  }
  return subject;
}

function readBody(body: string): string {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new InvalidRequestError("body exceeds 256 KiB.", "body");
  if (!isStorableText(body)) {
    throw new InvalidRequestError("body must be valid Unicode without NUL characters.", "body");
  }
  return body;
}
