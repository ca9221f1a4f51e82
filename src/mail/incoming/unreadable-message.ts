/** Placeholder for a message that could not be parsed, with the original attached. */
import { cleanLine } from "./clean-text.ts";
import type { Envelope, IncomingMessage, SpooledAttachment } from "./incoming-message.ts";
import type { SpooledMessage } from "./spool.ts";

const TEXT = "This message could not be parsed. The original is attached as message.eml.";
const MAX_ADDRESS_LENGTH = 320;

/** Returns the placeholder. */
export function createUnreadableMessage(spooled: SpooledMessage, { from }: Envelope): IncomingMessage {
  return {
    messageIdHeader: null,
    inReplyTo: null,
    references: [],
    from: { address: cleanLine(from, MAX_ADDRESS_LENGTH), name: "" },
    authors: [],
    replyTo: [],
    to: [],
    cc: [],
    subject: "(unreadable message)",
    bodyText: TEXT,
    extractedText: TEXT,
    quotedText: null,
    signature: null,
    bodyHtml: null,
    hiddenText: null,
    warnings: [],
    // Prevents replies by default.
    automated: "auto_reply",
    report: null,
    calendarEvents: [],
    attachments: [toOriginalAttachment(spooled)],
    isTruncated: false,
  };
}

/** Returns the original message as an attachment. */
export function toOriginalAttachment({ path, sizeBytes, sha256 }: SpooledMessage): SpooledAttachment {
  const [filename, contentType] = ["message.eml", "message/rfc822"];
  return { path, filename, contentType, sizeBytes, sha256, contentId: null, isInline: false };
}
