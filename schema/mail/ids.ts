/** Mail is named by its own ids, as REST shows them, or by global ids. */
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { readGlobalId } from "../global-id.ts";

const PREFIXES = { MailMessage: "aem", MailThread: "mth", MailAttachment: "mat", MailDraft: "mdr" } as const;
const NAMES = {
  MailMessage: "message",
  MailThread: "thread",
  MailAttachment: "attachment",
  MailDraft: "draft",
} as const;

/**
 * The own id of what is named.
 * @param field the place in the input, for the error
 * @throws {InvalidRequestError} when it is neither kind of id of that type
 */
export function readOwnId(type: keyof typeof PREFIXES, given: string, field: string): string {
  if (/^\w{1,80}$/.test(given) && given.startsWith(`${PREFIXES[type]}_`)) return given;
  const known = asGlobalId(given);
  if (known?.typename !== type) throw new InvalidRequestError(`${field} is not the id of a ${NAMES[type]}.`, field);
  return known.id;
}

function asGlobalId(given: string): { typename: string; id: string } | null {
  try {
    return readGlobalId(given);
  } catch (error) {
    if (error instanceof InvalidRequestError) return null;
    throw error;
  }
}
