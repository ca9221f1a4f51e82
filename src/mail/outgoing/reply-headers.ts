/** Header fields of a reply (RFC 5322 section 3.6.4). */
import type { MailMessage } from "../../../generated/prisma/client.ts";

/** Bounds growth with each reply. Threads are found by the root and the most recent ids, which remain. */
const MAX_REFERENCES = 50;

/** Returns true for a Message-ID that Satchel generated for a message without one. Other servers do not know it. */
export function isSynthetic(messageIdHeader: string): boolean {
  return messageIdHeader.endsWith("@none>");
}

/** Returns the References of a reply to `original`: its own references, root first, then its Message-ID. */
export function createReferences(
  original: Pick<MailMessage, "messageIdHeader" | "inReplyTo" | "references">,
): string[] {
  const { references, inReplyTo } = original;
  // Some clients write only In-Reply-To.
  const before = references.length === 0 && inReplyTo !== null ? [inReplyTo] : references;
  const all = [...new Set([...before, original.messageIdHeader])].filter((id) => !isSynthetic(id));
  return all.length <= MAX_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_REFERENCES)];
}

/** Prepends `Re: ` unless the subject starts with it. */
export function addReplyPrefix(subject: string): string {
  return /^\s*re\s*(?:\[\d+\])?\s*:/i.test(subject) ? subject : `Re: ${subject}`.trim();
}
