/** How a reply refers to what it answers (RFC 5322 section 3.6.4). */
import type { MailMessage } from "../../../generated/prisma/client.ts";

/** Headers grow with each answer; the root and the nearest are what threads are found by. */
const MAX_REFERENCES = 50;

/** Of a message that came without a Message-ID: named here, and known to nobody else. */
export function isSynthetic(messageIdHeader: string): boolean {
  return messageIdHeader.endsWith("@none>");
}

/** The References of an answer to `original`: what it refers to, the root first, then itself. */
export function referencesOf(original: Pick<MailMessage, "messageIdHeader" | "inReplyTo" | "references">): string[] {
  const { references, inReplyTo } = original;
  // Some programs write In-Reply-To alone.
  const before = references.length === 0 && inReplyTo !== null ? [inReplyTo] : references;
  const all = [...new Set([...before, original.messageIdHeader])].filter((id) => !isSynthetic(id));
  return all.length <= MAX_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_REFERENCES)];
}

/** `Re: ` before the subject, once. */
export function replySubject(subject: string): string {
  return /^\s*re\s*(?:\[\d+\])?\s*:/i.test(subject) ? subject : `Re: ${subject}`.trim();
}
